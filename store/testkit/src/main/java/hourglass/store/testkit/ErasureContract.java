package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.column;
import static hourglass.store.testkit.StoreFixture.name;
import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.erasure.ErasureStatus.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The chapter on erasure: a column that was erased is in no answer from then on, its bytes leave
 * the rows of the engine, and a repeat does not bring it back.
 */
public interface ErasureContract extends StoreFixture {
  AtomicInteger NUMBER = new AtomicInteger();

  RowKey OTHER = new RowKey(HOUR, "search", 3);

  /** Creates an erasure of whole columns of one row. */
  private static Erasure erasure(RowKey row, Collection<Column> columns) {
    return erasure(List.of(new ErasedRow(row, Column.pack(columns).namesOnly())), List.of());
  }

  private static Erasure erasure(List<ErasedRow> rows, List<String> blanked) {
    TimeUuid id = new TimeUuid(HOUR.endTicks() + NUMBER.incrementAndGet(), 0x9000_0000_0000_0000L);
    return new Erasure(id, rows, blanked);
  }

  private BlockingStore hiding() {
    return new BlockingStore(erasing());
  }

  private void begin(Erasure erasure) {
    BlockingStore.await(erasing().erasures().begin(erasure));
  }

  private void erase(Erasure erasure) {
    BlockingStore.await(erasing().erase(erasure));
    awaitDone(erasure);
  }

  private void awaitDone(Erasure erasure) {
    Awaitility.await().until(() -> status(erasure).state() == State.DONE);
  }

  private ErasureStatus status(Erasure erasure) {
    return BlockingStore.await(erasing().erasures().all()).stream()
        .filter(each -> each.id().equals(erasure.id()))
        .findAny()
        .orElseThrow(() -> new AssertionError("not listed: " + erasure.id()));
  }

  @Test
  default void anErasureThatBeganIsInNoAnswer() {
    store().write(ROW, seconds(0, 100));
    store().write(OTHER, seconds(0, 100));
    begin(erasure(ROW, seconds(20, 80)));
    List<Column> left = new ArrayList<>(seconds(0, 20));
    left.addAll(seconds(80, 100));
    assertThat(hiding().read(ROW)).isEqualTo(left);
    assertThat(hiding().read(OTHER)).isEqualTo(seconds(0, 100));
    assertThat(hiding().count(CountQuery.all(ROW)).columns()).isEqualTo(40);
    assertThat(hiding().count(CountQuery.all(OTHER)).columns()).isEqualTo(100);
    for (Order order : Order.values()) {
      for (int size : new int[] {1, 7, 30, 100}) {
        SliceQuery query = new SliceQuery(ROW, WHOLE_HOUR, order, size, Projection.COLUMNS);
        assertThat(hiding().walk(query)).isEqualTo(BlockingStore.inOrder(order, left));
      }
    }
    assertThat(hiding().read(ROW, new ColumnRange(name(30), name(70)))).isEmpty();
  }

  /** Answers under way are gathered again when the mark changes. */
  @Test
  default void theMarkChangesWhenAnErasureBeginsAndNotWhenItEnds() {
    store().write(ROW, seconds(0, 10));
    Object before = mark();
    Erasure erasure = erasure(ROW, seconds(0, 5));
    begin(erasure);
    Object begun = mark();
    assertThat(begun).isNotSameAs(before);
    BlockingStore.await(erasing().erasures().rewrite(erasure.id()));
    awaitDone(erasure);
    assertThat(mark()).isSameAs(begun);
    begin(erasure(ROW, seconds(5, 6)));
    assertThat(mark()).isNotSameAs(begun);
  }

  private Object mark() {
    return BlockingStore.await(erasing().erasureMark());
  }

  @Test
  default void valuesOfHiddenColumnsAreNotCounted() {
    List<Column> columns =
        IntStream.range(0, 40)
            .mapToObj(i -> column(i, "{\"copy\":" + i % 3 + ",\"n\":" + i % 2 + "}"))
            .toList();
    store().write(ROW, columns);
    begin(erasure(ROW, columns.subList(0, 10)));
    CountQuery all = CountQuery.all(ROW);
    for (boolean filtered : new boolean[] {true, false}) {
      List<Column> matching =
          columns.subList(10, 40).stream()
              .filter(column -> !filtered || NumberFilter.matches(column))
              .toList();
      assertThat(
              NumberFilter.counts(
                  hiding().values(NumberFilter.query(all, filtered)), all, filtered))
          .isEqualTo(NumberFilter.counts(matching, all));
    }
  }

  @Test
  default void aSealedRowWithHiddenColumnsIsCountedAnew() {
    store().write(ROW, seconds(0, 100));
    if (can(Limitation.NEVER_SEALS)) {
      sealNow();
    }
    begin(erasure(ROW, seconds(0, 1)));
    RowEntry entry = hiding().entry(ROW);
    assertThat(entry.counts(CountQuery.all(ROW))).isNull();
    assertThat(hiding().count(CountQuery.all(ROW)).columns()).isEqualTo(99);
  }

  @Test
  default void erasedColumnsLeaveTheEngine() {
    store().write(ROW, seconds(0, 100));
    store().write(OTHER, seconds(0, 100));
    erase(erasure(ROW, seconds(20, 80)));
    assertThat(store().read(ROW)).hasSize(40).doesNotContainAnyElementsOf(seconds(20, 80));
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(40);
    assertThat(store().read(OTHER)).isEqualTo(seconds(0, 100));
    assertThat(hiding().read(ROW)).isEqualTo(store().read(ROW));
  }

  @Test
  default void erasedColumnsLeaveSealedRowsAndChangeTheirMarks() {
    store().write(ROW, seconds(0, 100));
    if (!can(Limitation.NEVER_SEALS)) {
      return;
    }
    sealNow();
    List<RowEntry.Mark> marks = store().entry(ROW).marks();
    erase(erasure(ROW, seconds(99, 100)));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 99));
    assertThat(store().entry(ROW).marks()).isNotEqualTo(marks);
    sealNow();
    RowEntry sealed = store().entry(ROW);
    assertThat(sealed.sealed()).isTrue();
    assertThat(sealed.marks()).isNotEqualTo(marks);
    assertThat(sealed.columns()).isEqualTo(99);
    assertThat(sealed.last()).isEqualTo(name(98));
  }

  @Test
  default void aRowMayLoseAllItsColumns() {
    store().write(ROW, seconds(0, 10));
    store().write(OTHER, seconds(0, 10));
    erase(erasure(ROW, seconds(0, 10)));
    assertThat(store().read(ROW)).isEmpty();
    assertThat(hiding().count(CountQuery.all(ROW)).columns()).isZero();
    store().write(ROW, column(11, "later"));
    assertThat(hiding().read(ROW)).containsExactly(column(11, "later"));
    assertThat(hiding().read(OTHER)).isEqualTo(seconds(0, 10));
  }

  @Test
  default void aRepeatOfAnErasedColumnIsNotStored() {
    store().write(ROW, seconds(0, 10));
    Erasure erasure = erasure(ROW, seconds(0, 5));
    begin(erasure);
    hiding().write(ROW, seconds(0, 10));
    hiding().write(ROW.typeHour().row(7), seconds(3, 12));
    erase(erasure(ROW, seconds(9, 10)));
    hiding().write(ROW, column(9, "a larger payload than before"), column(20, "new"));
    assertThat(store().read(ROW)).doesNotContain(column(9, "event 9")).contains(column(20, "new"));
    assertThat(store().read(ROW.typeHour().row(7)))
        .hasSize(6)
        .doesNotContain(column(9, "event 9"))
        .containsAll(seconds(10, 12));
    assertThat(hiding().read(ROW))
        .containsExactly(
            column(5, "event 5"),
            column(6, "event 6"),
            column(7, "event 7"),
            column(8, "event 8"),
            column(20, "new"));
  }

  @Test
  default void aRepeatWithoutATimeIsNotStoredUnderAnotherTime() {
    TimeUuid first = name(1);
    store().write(ROW, new Column(first, "once"));
    erase(erasure(ROW, List.of(new Column(first, ""))));
    TimeUuid again = new TimeUuid(first.ticks() + Ticks.PER_SECOND, first.lsb());
    FirstTimes untimed =
        new FirstTimes(new long[] {first.lsb()}, new long[] {5}, new long[] {again.ticks()});
    hiding()
        .write(
            List.of(new Mutation(ROW, Column.pack(List.of(new Column(again, "once"))))), untimed);
    assertThat(store().read(ROW)).isEmpty();
    hiding().write(ROW, new Column(again, "an event with that time"));
    assertThat(store().read(ROW)).containsExactly(new Column(again, "an event with that time"));
  }

  @Test
  default void membersAreBlankedAndColumnsStay() {
    Column before = column(1, "{\"user\":\"ada\",\"ms\":12,\"at\":{\"user\":\"b\"}}");
    Column other = column(2, "{\"user\":\"eve\"}");
    Column after = column(1, "{\"user\":null,\"ms\":12,\"at\":{\"user\":null}}");
    store().write(ROW, before, other);
    ErasedRow row = new ErasedRow(ROW, Column.pack(List.of(before)).namesOnly());
    Erasure erasure = erasure(List.of(row), List.of("user", "at.user"));
    begin(erasure);
    assertThat(hiding().read(ROW)).containsExactly(after, other);
    assertThat(hiding().count(CountQuery.all(ROW)).bytes())
        .isEqualTo(after.payload().length() + other.payload().length());
    erase(erasure(List.of(row), List.of("user", "at.user")));
    assertThat(hiding().read(ROW)).containsExactly(after, other);
    assertThat(store().read(ROW)).containsExactly(after, other);
    hiding().write(ROW, before);
    assertThat(store().read(ROW)).containsExactly(after, other);
  }

  @Test
  default void whatIsNotThereMayBeErased() {
    store().write(ROW, seconds(0, 10));
    RowKey absent = new RowKey(HOUR.next(), "absent", 0);
    Column never = new Column(new TimeUuid(absent.hour().startTicks(), name(0).lsb()), "");
    erase(erasure(absent, List.of(never)));
    erase(erasure(ROW, seconds(100, 110)));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 10));
    hiding().write(absent, never.withPayload("refused"));
    assertThat(store().read(absent)).isEmpty();
  }

  @Test
  default void anHourThatIsDroppedMeanwhileIsDone() {
    store().write(ROW, seconds(0, 10));
    Erasure erasure = erasure(ROW, seconds(0, 5));
    begin(erasure);
    store().drop(HOUR);
    BlockingStore.await(erasing().erasures().rewrite(erasure.id()));
    awaitDone(erasure);
    assertThat(store().read(ROW)).isEmpty();
  }

  @Test
  default void anErasureSurvivesAReopen() {
    store().write(ROW, seconds(0, 10));
    Erasure begun = erasure(ROW, seconds(0, 3));
    Erasure done = erasure(ROW, seconds(3, 6));
    begin(begun);
    erase(done);
    reopen();
    if (!can(Limitation.FORGETS_ON_CLOSE)) {
      return;
    }
    assertThat(hiding().read(ROW)).isEqualTo(seconds(6, 10));
    awaitDone(begun); // without another call
    assertThat(status(done).state()).isEqualTo(State.DONE);
    assertThat(status(done).columns()).isEqualTo(3);
    assertThat(store().read(ROW)).isEqualTo(seconds(6, 10));
    hiding().write(ROW, seconds(0, 10));
    assertThat(store().read(ROW)).isEqualTo(seconds(6, 10));
    reopen();
    hiding().write(ROW, seconds(0, 10));
    assertThat(store().read(ROW)).isEqualTo(seconds(6, 10));
  }

  @Test
  default void manyColumnsOfManyRowsAreErasedTogether() {
    Random random = new Random(7);
    List<ErasedRow> rows = new ArrayList<>();
    List<Column> left = new ArrayList<>(seconds(0, 1_000));
    for (int shard = 0; shard < 8; shard++) {
      RowKey row = ROW.typeHour().row(shard);
      store().write(row, seconds(0, 500));
      store().write(row, seconds(400, 1_000));
      List<Column> gone =
          seconds(0, 1_000).stream().filter(any -> random.nextInt(40) == 0).toList();
      rows.add(new ErasedRow(row, Column.pack(gone).namesOnly()));
      left.removeAll(gone);
    }
    erase(erasure(rows, List.of()));
    for (int shard = 0; shard < 8; shard++) {
      assertThat(store().read(ROW.typeHour().row(shard))).isEqualTo(left);
    }
  }

  @Test
  default void aCopyInAnotherRowOfTheTypeHourIsErasedToo() {
    RowKey copy = ROW.typeHour().row(5);
    store().write(ROW, seconds(0, 10));
    store().write(copy, seconds(5, 15));
    store().write(OTHER, seconds(0, 10));
    Erasure erasure = erasure(ROW, seconds(0, 7));
    begin(erasure);
    assertThat(hiding().read(copy)).isEqualTo(seconds(7, 15));
    BlockingStore.await(erasing().erasures().rewrite(erasure.id()));
    awaitDone(erasure);
    assertThat(store().read(ROW)).isEqualTo(seconds(7, 10));
    assertThat(store().read(copy)).isEqualTo(seconds(7, 15));
    assertThat(store().read(OTHER)).isEqualTo(seconds(0, 10));
  }

  /** A tail goes on from the middle of a record, by the number of the names that it has read. */
  @Test
  default void recordsOfLateArrivalsKeepTheNumberAndOrderOfTheirNames() {
    RowKey row = LateArrivalContract.LATE_ROW;
    List<Column> columns =
        seconds(0, 20).stream()
            .map(
                column -> {
                  long shift = row.hour().startTicks() - HOUR.startTicks();
                  TimeUuid name = column.name();
                  return new Column(new TimeUuid(name.ticks() + shift, name.lsb()), "late");
                })
            .toList();
    LateArrivalPlace before = store().lateArrivals(LateArrivalPlace.NEWEST, 1).settledEnd();
    store().write(row, columns.subList(0, 10));
    store().write(row, columns.subList(10, 20));
    Awaitility.await().until(() -> lateNames(before).size() >= 20);
    List<TimeUuid> names = lateNames(before);
    List<Column> erased = new ArrayList<>(columns.subList(3, 6));
    erased.addAll(columns.subList(10, 20));
    erase(erasure(row, erased));
    List<TimeUuid> left = lateNames(before);
    assertThat(left).hasSameSizeAs(names).doesNotHaveDuplicates();
    List<TimeUuid> gone = erased.stream().map(Column::name).toList();
    assertThat(left).doesNotContainAnyElementsOf(gone);
    for (int i = 0; i < names.size(); i++) {
      if (!gone.contains(names.get(i))) {
        assertThat(left.get(i)).isEqualTo(names.get(i));
      }
    }
  }

  private List<TimeUuid> lateNames(LateArrivalPlace after) {
    return store().lateArrivals(after, 100).settled().stream()
        .map(LateArrival::names)
        .flatMap(names -> IntStream.range(0, names.size()).mapToObj(names::id))
        .toList();
  }

  @Test
  default void erasuresAreListedNewestFirst() {
    store().write(ROW, seconds(0, 10));
    Erasure first = erasure(ROW, seconds(0, 1));
    Erasure second = erasure(ROW, seconds(1, 2));
    erase(first);
    erase(second);
    assertThat(BlockingStore.await(erasing().erasures().all()).stream().map(ErasureStatus::id))
        .containsSubsequence(second.id(), first.id());
  }
}
