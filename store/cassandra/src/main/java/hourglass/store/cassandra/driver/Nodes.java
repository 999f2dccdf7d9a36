package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The nodes of the cluster, as known to the driver. */
public final class Nodes {
  /** Keeps log lines and error messages short. */
  private static final int NODES_LISTED_MAX = 6;

  private static final SimpleStatement WRITE_COUNTS =
      SimpleStatement.newInstance(
              "SELECT keyspace_name, table_name, \"count\" FROM system_views.local_write_latency")
          .setConsistencyLevel(DefaultConsistencyLevel.ONE);

  private Nodes() {}

  private static Collection<Node> all(CqlSession session) {
    return session.getMetadata().getNodes().values();
  }

  public static String name(Node node) {
    return node.getEndPoint().resolve() instanceof InetSocketAddress address
        ? address.getHostString() + ":" + address.getPort()
        : node.getEndPoint().toString();
  }

  public static long count(CqlSession session, NodeState state) {
    return all(session).stream().filter(node -> node.getState() == state).count();
  }

  /**
   * Nodes that are not up first: {@code nodes: 127.0.0.2:9042 down, 127.0.0.1:9042 up}. Lists only
   * some nodes of a large cluster.
   */
  public static String text(CqlSession session) {
    Collection<Node> all = all(session);
    String some =
        all.stream()
            .sorted(
                Comparator.comparing((Node node) -> node.getState() == NodeState.UP)
                    .thenComparing(Nodes::name))
            .limit(NODES_LISTED_MAX)
            .map(node -> name(node) + " " + node.getState().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", "nodes: ", ""));
    int more = all.size() - NODES_LISTED_MAX;
    return more > 0 ? some + " and " + more + " more" : some;
  }

  /** The nodes that store a partition. */
  public static List<String> of(CqlSession session, String keyspace, ByteBuffer partition) {
    return session
        .getMetadata()
        .getTokenMap()
        .map(tokens -> tokens.getReplicas(keyspace, partition).stream().map(Nodes::name).toList())
        .orElse(List.of());
  }

  /**
   * The writes to tables of the keyspace that each node has counted since its start, one per batch.
   * Each node answers only for itself, from a virtual table (Cassandra 4.0 and newer); fails if one
   * does not answer.
   */
  public static CompletionStage<Map<String, Long>> writes(Cql cql, String tablePrefix) {
    Map<String, Long> counts = new ConcurrentHashMap<>();
    return Futures.allOf(
            all(cql.session()).stream()
                .map(
                    node -> {
                      counts.put(name(node), 0L);
                      return cql.readAll(
                          WRITE_COUNTS.setNode(node),
                          row -> {
                            if (cql.keyspace().equals(row.getString(0))
                                && String.valueOf(row.getString(1)).startsWith(tablePrefix)) {
                              counts.merge(name(node), row.getLong(2), Long::sum);
                            }
                          });
                    }))
        .thenApply(done -> Map.copyOf(counts));
  }
}
