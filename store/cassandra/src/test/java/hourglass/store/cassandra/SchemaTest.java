package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Retention;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();

  @Test
  void schemaDifferencesAreListed() {
    CassandraOptions options = OneNode.options(KEYSPACE).build();
    try (CqlSession session = session(options)) {
      new Schema(session, options).ensure();
      new Schema(session, options).ensure();
      session.execute("ALTER TABLE " + KEYSPACE + ".directory DROP open");
      session.execute(
          "ALTER TABLE "
              + KEYSPACE
              + ".packs_keep WITH default_time_to_live = 60"
              + " AND compaction = {'class': 'LeveledCompactionStrategy'}");
      assertThatThrownBy(() -> new Schema(session, options).ensure())
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("directory has no column open (boolean)")
          .hasMessageContaining(
              "packs_keep: compaction.class is LeveledCompactionStrategy,"
                  + " want UnifiedCompactionStrategy")
          .hasMessageContaining("packs_keep: default_time_to_live is 60, want 0");
    }
  }

  @Test
  void aKeyspaceOfAnotherFormatIsRefusedUntouched() {
    String keyspace = OneNode.freshKeyspace();
    CassandraOptions options = OneNode.options(keyspace).build();
    try (CqlSession session = session(options)) {
      new Schema(session, options).ensure();
      session.execute("ALTER TABLE " + keyspace + ".directory WITH comment = ''");
      session.execute("DROP TABLE " + keyspace + ".claims");
      assertThatThrownBy(() -> new Schema(session, options).ensure())
          .isInstanceOf(UnavailableException.class)
          .hasMessageContainingAll("keyspace " + keyspace, "another format", "directory ()")
          .hasMessageContaining("hourglass import");
      assertThat(
              session
                  .execute(
                      "SELECT table_name FROM system_schema.tables WHERE keyspace_name = '%s'"
                          .formatted(keyspace))
                  .all())
          .noneMatch(table -> "claims".equals(table.getString(0)));
    }
  }

  @Test
  void schemaIsNotCreatedWithoutPermission() {
    CassandraOptions options = OneNode.options("absent").createSchema(false).build();
    try (CqlSession session = session(options)) {
      assertThatThrownBy(() -> new Schema(session, options).ensure())
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("keyspace absent is missing")
          .hasMessageContaining("create-schema is off");
    }
  }

  @Test
  void aRepeatedWriteDoesNotExtendTheTtl() {
    String keyspace = OneNode.freshKeyspace();
    CassandraOptions options =
        OneNode.options(keyspace).retention(Retention.of(Duration.ofHours(48), Map.of())).build();
    Hour hour = Hour.of(Clock.systemUTC().instant().minus(Duration.ofHours(24)));
    RowKey row = new RowKey(hour, "checkout", 0);
    TimeUuid name = TimeUuid.first(hour.startTicks());
    try (CassandraStore store = OneNode.open(options, Clock.systemUTC());
        CqlSession session = session(options)) {
      // The larger payload stays, even if the smaller one is written later.
      for (byte payload : new byte[] {1, 3, 2}) {
        ColumnsBuilder pack = new ColumnsBuilder(1, 1);
        pack.add(name.ticks(), name.lsb(), new byte[] {payload}, 0, 1);
        store.write(List.of(new Mutation(row, pack.build()))).toCompletableFuture().join();
      }
      SliceQuery all =
          new SliceQuery(row, ColumnRange.of(hour), Order.ASCENDING, 10, Projection.COLUMNS);
      Columns stayed = store.slice(all).toCompletableFuture().join().columns();
      assertThat(stayed.size()).isEqualTo(1);
      assertThat(stayed.payload(0)).containsExactly(3);
      List<Row> stored =
          session.execute("SELECT TTL(body), WRITETIME(body) FROM " + keyspace + ".packs_2d").all();
      assertThat(stored).hasSize(3);
      long left =
          hour.end().plus(Duration.ofHours(48)).getEpochSecond()
              - Clock.systemUTC().instant().getEpochSecond();
      for (Row each : stored) {
        assertThat((long) each.getInt(0)).isBetween(left - 600, left + 600);
        assertThat(each.getLong(1)).isEqualTo(hour.start().toEpochMilli() * 1000);
      }
    }
  }

  private static CqlSession session(CassandraOptions options) {
    return SessionFactory.builder(options, new SimpleMeterRegistry().counter("retries")).build();
  }
}
