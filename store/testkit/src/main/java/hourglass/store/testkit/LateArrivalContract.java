package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.name;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Limitation;
import hourglass.testing.Patience;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Late columns are recorded once, in an order that readers can resume. A tail thus learns of
 * columns that became visible behind its position. Here, hours long ago stand for late columns, and
 * hours far ahead for columns in time.
 */
interface LateArrivalContract extends StoreFixture {
  Hour PAST = Hour.parse("2001-02-03T04");
  Hour AHEAD = Hour.parse("2098-07-06T05");
  RowKey LATE_ROW = new RowKey(PAST, "checkout", 0);

  @Test
  default void noLateArrivalsFollowTheEnd() {
    LateArrivals none = store().lateArrivals(end(), 100);
    assertThat(none.settled()).isEmpty();
    assertThat(none.unsettled()).isEmpty();
    assertThat(none.more()).isFalse();
    assertThat(none.truncated()).isFalse();
  }

  @Test
  default void lateColumnsAloneAreRecorded() {
    LateArrivalPlace before = end();
    store().write(new RowKey(AHEAD, "checkout", 0), columns(AHEAD, 0, 10));
    store().write(LATE_ROW, columns(PAST, 0, 10));
    assertThat(names(recordsBehind(before, 10))).isEqualTo(named(LATE_ROW, 0, 10));
  }

  @Test
  default void settledTickIsEarlierThanTheClock() {
    LateArrivals now = store().lateArrivals(LateArrivalPlace.NEWEST, 1);
    assertThat(now.settledTicks()).isBetween(PAST.endTicks(), AHEAD.startTicks());
    assertThat(store().lateArrivals(LateArrivalPlace.NEWEST, 1).settledTicks())
        .isGreaterThanOrEqualTo(now.settledTicks());
  }

  /** Columns that settle later thus have no records before that place. */
  @Test
  default void settledRecordsNameSettledColumnsOnly() {
    LateArrivalPlace before = end();
    store().write(LATE_ROW, columns(PAST, 0, 10));
    recordsBehind(before, 10);
    long nowTicks = store().lateArrivals(LateArrivalPlace.NEWEST, 1).settledTicks();
    for (int i = 0; i < 20; i++) {
      TimeUuid name = new TimeUuid(nowTicks + i * Ticks.PER_SECOND / 10, 0x9000L << 48 | i);
      store().write(new RowKey(name.hour(), "edge", 0), List.of(new Column(name, "{}")));
      LateArrivals found = store().lateArrivals(before, 1_000);
      for (Named named : names(found.settled())) {
        assertThat(named.name().ticks()).isLessThan(found.settledTicks());
      }
    }
  }

  @Test
  default void readerResumesAtAnyPlace() {
    LateArrivalPlace before = end();
    for (int i = 0; i < 8; i++) {
      store().write(new RowKey(PAST, "type " + i % 3, i), columns(PAST, 10 * i, 10 * i + 10));
    }
    List<LateArrival> all = recordsBehind(before, 80);
    assertThat(names(all)).hasSize(80);
    assertThat(new TreeSet<>(all.stream().map(LateArrival::place).toList())).hasSize(all.size());
    for (int i = 0; i < all.size(); i++) {
      List<LateArrival> rest = walk(all.get(i).place(), 1 + i);
      assertThat(rest.stream().map(LateArrival::place).toList())
          .isEqualTo(all.subList(i + 1, all.size()).stream().map(LateArrival::place).toList());
    }
  }

  @Test
  default void lateArrivalsAreLimitedByNames() {
    LateArrivalPlace before = end();
    for (int i = 0; i < 6; i++) {
      store().write(LATE_ROW, columns(PAST, 10 * i, 10 * i + 10));
    }
    recordsBehind(before, 60);
    LateArrivals some = store().lateArrivals(before, 25);
    assertThat(names(some.settled())).hasSizeBetween(25, 30);
    assertThat(some.more()).isTrue();
    assertThat(some.unsettled()).isEmpty();
    assertThat(some.settledEnd()).isEqualTo(some.settled().get(some.settled().size() - 1).place());
  }

  @Test
  default void repeatedLateColumnIsRecordedOnce() {
    LateArrivalPlace before = end();
    store().write(LATE_ROW, columns(PAST, 0, 10));
    recordsBehind(before, 10);
    store().write(LATE_ROW, columns(PAST, 5, 15));
    // The number of shards may grow between two attempts of a client.
    store().write(new RowKey(PAST, "checkout", 1), columns(PAST, 0, 20));
    // Engines that do not check for existing columns may repeat records, but not omit any.
    List<Named> recorded = names(recordsBehind(before, can(Limitation.NOTES_REPEATS) ? 20 : 40));
    assertThat(new HashSet<>(recorded.stream().map(Named::name).toList())).hasSize(20);
    if (can(Limitation.NOTES_REPEATS)) {
      assertThat(recorded).hasSize(20);
    } else {
      assertThat(recorded).hasSizeGreaterThanOrEqualTo(40);
    }
  }

  @Test
  default void aNameOfAnotherTypeIsAnotherEvent() {
    LateArrivalPlace before = end();
    store().write(LATE_ROW, columns(PAST, 0, 10));
    store().write(new RowKey(PAST, "search", 0), columns(PAST, 0, 10));
    assertThat(names(recordsBehind(before, 20))).hasSize(20);
  }

  @Test
  default void columnWrittenAfterADropIsNew() {
    LateArrivalPlace before = end();
    store().write(LATE_ROW, columns(PAST, 0, 10));
    store().drop(PAST);
    store().write(LATE_ROW, columns(PAST, 0, 5));
    assertThat(names(recordsBehind(before, 15))).hasSize(15);
  }

  @Test
  default void largeLateWriteHasSeveralRecords() {
    LateArrivalPlace before = end();
    List<Column> many =
        IntStream.range(0, 10_000)
            .mapToObj(i -> new Column(new TimeUuid(PAST.startTicks() + i, 0x9000L << 48), "{}"))
            .toList();
    store().write(LATE_ROW, many);
    List<LateArrival> records = recordsBehind(before, 10_000);
    assertThat(records).hasSizeGreaterThan(2);
    assertThat(names(records).stream().map(Named::name).toList())
        .containsExactlyInAnyOrderElementsOf(many.stream().map(Column::name).toList());
  }

  @Test
  default void lateArrivalsSurviveAReopen() {
    LateArrivalPlace before = end();
    store().write(LATE_ROW, columns(PAST, 0, 10));
    List<LateArrival> records = recordsBehind(before, 10);
    LateArrivalPlace place = records.get(records.size() - 1).place();
    reopen();
    if (can(Limitation.FORGETS_ON_CLOSE)) {
      store().write(LATE_ROW, columns(PAST, 10, 20));
      assertThat(names(recordsBehind(place, 10))).isEqualTo(named(LATE_ROW, 10, 20));
      assertThat(names(recordsBehind(before, 20))).hasSize(20);
      assertThat(store().lateArrivals(place, 1).truncated()).isFalse();
    } else {
      assertThat(store().lateArrivals(place, 1).truncated()).isTrue();
    }
  }

  @Test
  default void aPlaceOfAnotherStoreIsTruncated() {
    assertThat(store().lateArrivals(new LateArrivalPlace(Long.MAX_VALUE, 0), 1).truncated())
        .isTrue();
  }

  @Test
  default void lateArrivalIsReadOnceAndVisible() {
    int writers = 4;
    int batches = 25;
    LateArrivalPlace place = end();
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      RowKey row = new RowKey(PAST, "checkout", writer);
      int first = writer * batches;
      threads.add(
          new Thread(
              () -> {
                for (int batch = first; batch < first + batches; batch++) {
                  store().write(row, columns(PAST, 10 * batch, 10 * batch + 10));
                }
              }));
    }
    threads.forEach(Thread::start);
    Set<Named> seen = new HashSet<>();
    long deadline = System.nanoTime() + Patience.LONGEST.toNanos();
    while (seen.size() < writers * batches * 10 && System.nanoTime() < deadline) {
      LateArrivals arrivals = store().lateArrivals(place, 100);
      for (LateArrival record : arrivals.settled()) {
        List<TimeUuid> there = store().read(record.row()).stream().map(Column::name).toList();
        for (Named named : names(List.of(record))) {
          assertThat(there).as("visible when its record is settled").contains(named.name());
          boolean isNew = seen.add(named);
          // No column is written twice here. An engine with this limitation repeats the record of a
          // slow write.
          assertThat(isNew || !can(Limitation.NOTES_REPEATS)).as("%s once", named).isTrue();
        }
      }
      place = arrivals.settledEnd();
    }
    assertThat(seen).hasSize(writers * batches * 10);
  }

  record Named(RowKey row, TimeUuid name) {}

  private static List<Named> names(List<LateArrival> records) {
    List<Named> names = new ArrayList<>();
    for (LateArrival record : records) {
      for (int i = 0; i < record.names().size(); i++) {
        names.add(new Named(record.row(), record.names().id(i)));
      }
    }
    return names;
  }

  private static List<Named> named(RowKey row, int from, int to) {
    return columns(row.hour(), from, to).stream().map(c -> new Named(row, c.name())).toList();
  }

  private static List<Column> columns(Hour hour, int from, int to) {
    long shift = hour.startTicks() - HOUR.startTicks();
    return IntStream.range(from, to)
        .mapToObj(
            i -> new Column(new TimeUuid(name(i).ticks() + shift, name(i).lsb()), "event " + i))
        .toList();
  }

  /** The place after all settled records; earlier tests may have left some. */
  private LateArrivalPlace end() {
    return store().lateArrivals(LateArrivalPlace.NEWEST, 1).settledEnd();
  }

  /** Waits until this many names are settled after the place. */
  private List<LateArrival> recordsBehind(LateArrivalPlace place, int names) {
    long deadline = System.nanoTime() + Patience.LONGEST.toNanos();
    List<LateArrival> records = walk(place, 1_000);
    while (names(records).size() < names && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      records = walk(place, 1_000);
    }
    return records;
  }

  private List<LateArrival> walk(LateArrivalPlace from, int namesMax) {
    LateArrivals answer = store().lateArrivals(from, namesMax);
    List<LateArrival> records = new ArrayList<>(answer.settled());
    while (answer.more()) {
      answer = store().lateArrivals(answer.settledEnd(), namesMax);
      records.addAll(answer.settled());
    }
    return records;
  }
}
