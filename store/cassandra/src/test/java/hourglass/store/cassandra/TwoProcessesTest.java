package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.RowEntry;
import hourglass.store.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One process finds the columns that another one acknowledged, in an hour that runs and in one that
 * is over.
 */
class TwoProcessesTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final Instant RUNNING = Instant.parse("2026-11-20T08:30:00Z");
  private static final Instant OVER = Instant.parse("2026-11-20T10:00:00Z");

  private final TestClock clock = new TestClock(RUNNING);
  private CassandraStore a;
  private CassandraStore b;
  private RowKey row;
  private int columns;

  @BeforeEach
  void openBoth() {
    a = open();
    b = open();
    row = new RowKey(HOUR, "type " + System.nanoTime(), 0);
  }

  private CassandraStore open() {
    return OneNode.open(
        OneNode.options(KEYSPACE)
            .sealAfter(Duration.ofMinutes(10))
            .trustFor(Duration.ofMillis(200))
            .build(),
        clock);
  }

  @AfterEach
  void closeBoth() {
    a.close();
    b.close();
  }

  @Test
  void acknowledgedRowIsListedForOthers() {
    write(a, 1);
    assertThat(entry(b).columns()).isGreaterThanOrEqualTo(1);
    assertThat(count(b)).isEqualTo(1);
  }

  @Test
  void boundsHoldInOtherProcessesWhileARowGrows() {
    Set<List<RowEntry.Mark>> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      write(a, 7);
      RowEntry entry = entry(b);
      assertThat(entry.columns()).isGreaterThanOrEqualTo(columns);
      assertThat(entry.first()).isLessThanOrEqualTo(name(0));
      assertThat(entry.last()).isGreaterThanOrEqualTo(name(columns - 1));
      assertThat(seen.add(entry.marks())).as("marks under which nothing was kept").isTrue();
      assertThat(count(b)).isEqualTo(columns);
    }
  }

  @Test
  void aQuietRowIsListedExactly() {
    write(a, 3);
    Awaitility.await().until(() -> entry(b).columns() == 3);
    assertThat(entry(b).first()).isEqualTo(name(0));
    assertThat(entry(b).last()).isEqualTo(name(2));
    assertThat(entry(b).marks()).isEqualTo(entry(a).marks()).isEqualTo(entry(b).marks());
  }

  @Test
  void lateWriteBreaksTheSealOfAnother() {
    write(a, 3);
    clock.set(OVER);
    b.sealNow().toCompletableFuture().join(); // b does not wait for unpublished columns of a
    write(a, 2);
    assertThat(entry(b).sealed()).isFalse();
    assertThat(count(b)).isEqualTo(5);
    Awaitility.await().until(() -> entry(b).columns() == 5); // a tells them exactly once quiet
    clock.set(OVER.plus(Duration.ofHours(1)));
    b.sealNow().toCompletableFuture().join();
    assertThat(entry(b).sealed()).isTrue();
    assertThat(entry(a).sealed()).isTrue();
    assertThat(entry(a).columns()).isEqualTo(5);
    write(b, 1);
    assertThat(entry(a).sealed()).isFalse();
    assertThat(count(a)).isEqualTo(6);
  }

  @Test
  void writeAfterADropOfAnotherIsKept() {
    write(a, 3);
    assertThat(count(b)).isEqualTo(3);
    b.drop(HOUR).toCompletableFuture().join();
    assertThat(count(a)).isZero();
    columns = 0;
    write(a, 2);
    assertThat(count(a)).isEqualTo(2);
    assertThat(count(b)).isEqualTo(2);
  }

  @Test
  void dropFindsOrRemovesConcurrentWrites() {
    List<RowKey> notFound = new ArrayList<>();
    write(a, 1);
    assertThat(rows(b)).contains(row);
    CompletableFuture<Void> drop = a.drop(HOUR).toCompletableFuture();
    for (int shard = 1; !drop.isDone(); shard++) {
      row = new RowKey(HOUR, row.type(), shard);
      write(a, 1);
      if (!rows(b).contains(row)) {
        notFound.add(row);
      }
    }
    drop.join();
    row = new RowKey(HOUR, "after the drop", 0);
    write(a, 1);
    List<RowKey> left = rows(b);
    assertThat(left).as("acknowledged since the drop took effect").contains(row);
    assertThat(notFound).doesNotContainAnyElementsOf(left);
  }

  private void write(CassandraStore store, int more) {
    ColumnsBuilder pack = new ColumnsBuilder(more, more);
    for (int i = 0; i < more; i++) {
      TimeUuid name = name(columns++);
      pack.add(name.ticks(), name.lsb(), new byte[] {1}, 0, 1);
    }
    Columns built = pack.build();
    store.write(List.of(new Mutation(row, built))).toCompletableFuture().join();
  }

  private static TimeUuid name(int i) {
    return TimeUuid.first(HOUR.startTicks() + i);
  }

  private static List<RowKey> rows(CassandraStore store) {
    return store.rows(HOUR).toCompletableFuture().join().stream().map(RowEntry::row).toList();
  }

  private RowEntry entry(CassandraStore store) {
    return store.rows(HOUR).toCompletableFuture().join().stream()
        .filter(entry -> entry.row().equals(row))
        .findFirst()
        .orElseThrow(() -> new AssertionError(row + " is not listed"));
  }

  private long count(CassandraStore store) {
    CountQuery query =
        new CountQuery(
            row, ColumnRange.of(HOUR), HOUR.startTicks(), HOUR.endTicks() - HOUR.startTicks());
    return store.count(query).toCompletableFuture().join().columns();
  }
}
