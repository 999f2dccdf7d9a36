package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Nodes;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts of writes to the event tables, one per batch, as kept by the nodes. Each node answers only
 * for itself, from a virtual table (Cassandra 4.0 and newer).
 */
final class NodeWrites {
  private static final String COUNTS =
      "SELECT keyspace_name, table_name, \"count\" FROM system_views.local_write_latency";

  private NodeWrites() {}

  /** Writes by node name; fails if a node does not answer. */
  static CompletionStage<Map<String, Long>> read(Cql cql, String keyspace) {
    Map<String, Long> counts = new ConcurrentHashMap<>();
    CompletableFuture<?>[] answers =
        cql.session().getMetadata().getNodes().values().stream()
            .map(
                node ->
                    read(cql, keyspace, node)
                        .thenAccept(count -> counts.put(Nodes.name(node), count))
                        .toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(answers).thenApply(done -> Map.copyOf(counts));
  }

  private static CompletionStage<Long> read(Cql cql, String keyspace, Node node) {
    AtomicLong sum = new AtomicLong();
    Statement<?> statement =
        SimpleStatement.newInstance(COUNTS)
            .setConsistencyLevel(DefaultConsistencyLevel.ONE)
            .setNode(node);
    return cql.readAll(
            statement,
            row -> {
              if (keyspace.equals(row.getString(0)) && isOfEvents(row.getString(1))) {
                sum.addAndGet(row.getLong(2));
              }
            })
        .thenApply(done -> sum.get());
  }

  private static boolean isOfEvents(@Nullable String table) {
    return table != null && table.startsWith(RetentionClass.TABLE_PREFIX);
  }
}
