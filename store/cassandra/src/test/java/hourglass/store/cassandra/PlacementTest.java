package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.cassandra.rows.CqlValues;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The placement of a row is that of the servers. */
class PlacementTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  /** Several need more than one byte per character, in the key and so in the token. */
  private static final List<String> TYPES =
      List.of("checkout", "user.created", "größe", "注文", "🛒");

  @Test
  void tokensEqualThoseOfTheServer() {
    String keyspace = OneNode.freshKeyspace();
    CassandraOptions options = OneNode.options(keyspace).build();
    try (CassandraStore store = OneNode.open(options, Clock.systemUTC());
        CqlSession session =
            SessionFactory.builder(options, new SimpleMeterRegistry().counter("retries")).build()) {
      TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
      Set<Object> seen = new HashSet<>();
      for (String type : TYPES) {
        RowKey row = new RowKey(HOUR, type, 3);
        store.write(List.of(oneColumn(row))).toCompletableFuture().join();
        Object stored =
            session
                .execute(
                    "SELECT token(row) FROM " + keyspace + ".packs_keep WHERE row = ?",
                    row.toString())
                .one()
                .getToken(0);
        assertThat(tokens.newToken(CqlValues.key(row))).as(type).isEqualTo(stored);
        assertThat(seen.add(stored)).as("a token of its own").isTrue();
        assertThat(store.placement(row)).as(type).isEqualTo(OneNode.contactPoints());
      }
    }
  }

  /** One write per row, on the only node; other tables do not count. */
  @Test
  void writesOfRowsAreCountedPerNode() {
    CassandraOptions options = OneNode.options(OneNode.freshKeyspace()).build();
    try (CassandraStore store = OneNode.open(options, Clock.systemUTC())) {
      String node = OneNode.contactPoints().get(0);
      assertThat(store.nodeWrites().toCompletableFuture().join()).containsExactly(entry(node, 0L));
      for (String type : TYPES) {
        store.write(List.of(oneColumn(new RowKey(HOUR, type, 3)))).toCompletableFuture().join();
      }
      assertThat(store.nodeWrites().toCompletableFuture().join()).containsExactly(entry(node, 5L));
    }
  }

  private static Mutation oneColumn(RowKey row) {
    TimeUuid name = TimeUuid.first(HOUR.startTicks());
    ColumnsBuilder pack = new ColumnsBuilder(1, 1);
    pack.add(name.ticks(), name.lsb(), new byte[] {1}, 0, 1);
    return new Mutation(row, pack.build());
  }
}
