package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Sealed rows of several retention classes. */
class SealedClassesTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Duration GRACE = Duration.ofHours(1);

  /** The node's clock ends what expires. */
  private static final Instant NOW = Clock.systemUTC().instant();

  private static final AtomicInteger HOURS = new AtomicInteger();
  private static final TestClock CLOCK = new TestClock(NOW);
  private static final AtomicLong AHEAD = new AtomicLong();

  private static final CassandraStore MONTH =
      open(Retention.of(Duration.ofDays(30), Map.of("short", Duration.ofHours(36))));
  private static final CassandraStore WEEK = open(Retention.of(Duration.ofDays(7), Map.of()));

  private final OracleStore oracle = new OracleStore();
  private final Hour hour = new Hour(Hour.of(NOW).epochHours() - 20 + HOURS.incrementAndGet());
  private final RowKey row = new RowKey(hour, "checkout", 0);
  private final StoredRow stored = new StoredRow(KEYSPACE, row);

  private static CassandraStore open(Retention retention) {
    return OneNode.connected(
        CassandraStore.open(
            OneNode.options(KEYSPACE)
                .retention(retention)
                .sealAfter(Duration.ofMinutes(10))
                .sealEvery(Duration.ofDays(1))
                .trustFor(Duration.ofMillis(1))
                .replaceGrace(GRACE)
                .build(),
            CLOCK,
            () -> System.nanoTime() + AHEAD.get(),
            new SimpleMeterRegistry()));
  }

  @AfterAll
  static void close() {
    MONTH.close();
    WEEK.close();
  }

  @Test
  void pagesExpireWithTheirEvents() {
    RowKey brief = new RowKey(hour, "short", 0);
    write(MONTH, row, seconds(0, 100, "x"));
    write(MONTH, brief, seconds(0, 100, "x"));
    sealAndClean(MONTH);
    assertEnds("SELECT TTL(body) FROM %s.pages_30d", row, Duration.ofDays(30));
    assertEnds("SELECT TTL(body) FROM %s.pages_36h", brief, Duration.ofHours(36));
    for (String column : List.of("manifest", "class", "open")) {
      String select = "SELECT TTL(" + column + ") FROM %s.directory" + directoryKey(row) + " AND";
      assertEnds(select, row, Duration.ofDays(30));
      select = "SELECT TTL(" + column + ") FROM %s.directory" + directoryKey(brief) + " AND";
      assertEnds(select, brief, Duration.ofHours(36));
    }
    assertAnswers(row);
    assertAnswers(brief);
  }

  private static String directoryKey(RowKey row) {
    return " WHERE hour = %d AND generation = 0 AND bucket = %d"
        .formatted(row.hour().epochHours(), DirectoryTable.bucket(row));
  }

  private void assertEnds(String select, RowKey of, Duration retention) {
    List<Row> found =
        OneNode.session()
            .execute(
                select.formatted(KEYSPACE)
                    + (select.endsWith("AND") ? " row = ? AND writer = ''" : " WHERE row = ?"),
                of.toString())
            .all();
    long left =
        hour.end().plus(retention).getEpochSecond() - Clock.systemUTC().instant().getEpochSecond();
    assertThat(found).isNotEmpty();
    assertThat(found)
        .allSatisfy(each -> assertThat((long) each.getInt(0)).isBetween(left - 600, left + 600));
  }

  @Test
  void aRowOfTwoRetentionClassesIsSealedAsOne() {
    write(MONTH, row, seconds(0, 100, "m"));
    write(WEEK, row, seconds(50, 150, "z"));
    write(WEEK, row, seconds(0, 10, "a"));
    assertAnswers(row);
    sealAndClean(MONTH);
    assertThat(stored.seals("30d")).hasSize(1);
    assertThat(stored.seals("7d")).isEmpty();
    assertThat(stored.packs("30d")).isEmpty();
    assertAnswers(row);
    write(WEEK, row, seconds(200, 250, "late"));
    assertAnswers(row);
    write(MONTH, row, seconds(240, 260, "late too"));
    assertAnswers(row);
    sealAndClean(MONTH);
    assertThat(stored.seals("30d")).hasSize(1);
    assertAnswers(row);
  }

  /** The settings name another retention than when the row was sealed. */
  @Test
  void pagesOfARemovedRetentionClassAreRead() {
    write(MONTH, row, seconds(0, 100, "x"));
    sealAndClean(MONTH);
    assertThat(stored.packs("30d")).isEmpty();
    write(WEEK, row, seconds(100, 110, "late"));
    assertAnswers(row);
    sealAndClean(WEEK);
    assertThat(stored.seals("30d")).hasSize(1);
    assertAnswers(row);
  }

  private void write(CassandraStore store, RowKey to, Columns columns) {
    List<Mutation> mutations = List.of(new Mutation(to, columns));
    join(store.write(mutations));
    join(oracle.write(mutations));
  }

  private Columns seconds(int from, int to, String text) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 0);
    for (int i = from; i < to; i++) {
      byte[] payload =
          "{\"n\":%d,\"text\":\"%s\"}".formatted(RowAnswers.number(i), text).getBytes(ISO_8859_1);
      columns.add(hour.startTicks() + i * Ticks.PER_SECOND, i, payload, 0, payload.length);
    }
    return columns.build();
  }

  private static void sealAndClean(CassandraStore by) {
    join(MONTH.publishNow());
    join(WEEK.publishNow());
    CLOCK.pass(Duration.ofHours(1));
    Sealer sealer = by.newSealer(step -> {});
    sealer.pass(by.openTables());
    sealer.pass(by.openTables());
    AHEAD.addAndGet(GRACE.toNanos());
    sealer.pass(by.openTables());
  }

  private static <T> T join(CompletionStage<T> stage) {
    return RowAnswers.join(stage);
  }

  private void assertAnswers(RowKey of) {
    RowAnswers expected = RowAnswers.of(oracle, of);
    assertThat(RowAnswers.of(MONTH, of)).isEqualTo(expected);
    assertThat(RowAnswers.of(WEEK, of)).isEqualTo(expected);
  }
}
