package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.column;
import static hourglass.store.testkit.StoreFixture.name;
import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.CountQuery;
import hourglass.store.Limitation;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.testing.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The directory lists the existing hours and their rows. A row is listed before its first column is
 * acknowledged, so every later read finds it.
 */
interface DirectoryContract extends StoreFixture {

  @Test
  default void unwrittenHourHasNoRows() {
    assertThat(store().rows(HOUR)).isEmpty();
    assertThat(store().hours(Hour.FIRST, Hour.LAST)).isEmpty();
  }

  @Test
  default void readingARowDoesNotCreateIt() {
    assertThat(store().read(ROW)).isEmpty();
    assertThat(store().count(CountQuery.all(ROW))).isEqualTo(RowCounts.NONE);
    assertThat(store().rows(HOUR)).isEmpty();
    assertThat(store().hours(HOUR, HOUR)).isEmpty();
  }

  @Test
  default void aRowIsListedOnceItsFirstColumnIsAcknowledged() {
    for (int shard = 0; shard < 20; shard++) {
      RowKey row = new RowKey(HOUR, "checkout", shard);
      store().write(row, column(shard, "first"));
      assertThat(store().rowKeys(HOUR)).hasSize(shard + 1).contains(row);
    }
  }

  @Test
  default void rowsAreSortedByTypeAndShard() {
    List<RowKey> sorted =
        List.of(
            new RowKey(HOUR, "B", 0),
            new RowKey(HOUR, "a", 0),
            new RowKey(HOUR, "a", 2),
            new RowKey(HOUR, "a", 10),
            new RowKey(HOUR, "a b", 1),
            new RowKey(HOUR, "aa", 0),
            new RowKey(HOUR, "a|b", 0),
            new RowKey(HOUR, "\u00e4", 0));
    List<RowKey> shuffled = new ArrayList<>(sorted);
    Collections.shuffle(shuffled, new Random(3));
    for (RowKey row : shuffled) {
      store().write(row, column(1, "x"));
    }
    assertThat(store().rowKeys(HOUR)).isEqualTo(sorted);
  }

  @Test
  default void aTypeMayBeAnyText() {
    List<String> types =
        List.of(
            "|",
            "%",
            "%7C",
            "a|b|3",
            "\0",
            "\n",
            "\u0085",
            " ",
            ".",
            "..",
            "../etc",
            "C:\\x",
            "'",
            "\"",
            "\u00e9t\u00e9",
            "e\u0301",
            "\u6642",
            "\ud83d\ude80",
            "\uffff",
            "x".repeat(256));
    List<RowKey> rows = types.stream().map(type -> new RowKey(HOUR, type, 1)).toList();
    for (RowKey row : rows) {
      store().write(row, column(1, row.type()));
    }
    reopen();
    for (RowKey row : rows) {
      store().write(row, column(1, row.type()));
      assertThat(store().read(row)).as("%s", row).hasSize(1);
    }
    assertThat(store().rowKeys(HOUR)).isEqualTo(rows.stream().sorted().toList());
  }

  @Test
  default void aTypeMayHaveManyShards() {
    List<RowKey> rows =
        IntStream.concat(IntStream.range(0, 200), IntStream.of(1023, 65_536, Integer.MAX_VALUE))
            .mapToObj(shard -> new RowKey(HOUR, "hot", shard))
            .toList();
    store()
        .write(
            rows.stream()
                .map(row -> new hourglass.store.Mutation(row, Column.pack(seconds(0, 2))))
                .toList());
    assertThat(store().rowKeys(HOUR)).isEqualTo(rows);
    for (RowKey row : rows) {
      assertThat(store().read(row)).as("%s", row).isEqualTo(seconds(0, 2));
    }
  }

  @Test
  default void anEntryContainsTheFirstAndLastName() {
    store().write(ROW, seconds(10, 20));
    store().write(ROW, seconds(5, 7));
    store().write(ROW, seconds(12, 30));
    RowEntry entry = store().entry(ROW);
    assertThat(entry.first()).isEqualTo(name(5));
    assertThat(entry.last()).isEqualTo(name(29));
  }

  @Test
  default void anEntryNeverCountsTooFew() {
    long bytes = 0;
    for (int i = 0; i < 10; i++) {
      store().write(ROW, seconds(i, i + 5));
      bytes = store().count(CountQuery.all(ROW)).bytes();
      assertThat(store().entry(ROW).columns()).isGreaterThanOrEqualTo(i + 5);
      assertThat(store().entry(ROW).bytes()).isGreaterThanOrEqualTo(bytes);
    }
  }

  @Test
  default void rowsBelongToTheirHour() {
    RowKey next = new RowKey(HOUR.next(), ROW.type(), ROW.shard());
    store().write(ROW, column(3599, "last second"));
    store().write(next, column(3600, "next second"));
    assertThat(store().rowKeys(HOUR)).containsExactly(ROW);
    assertThat(store().rowKeys(HOUR.next())).containsExactly(next);
  }

  @Test
  default void hoursWithRowsAreListedIncludingBothEnds() {
    List<Hour> written = List.of(Hour.FIRST, HOUR.previous(), HOUR, HOUR.next().next(), Hour.LAST);
    for (Hour hour : written) {
      fill(new RowKey(hour, "checkout", 0));
      fill(new RowKey(hour, "search", 3));
    }
    assertThat(store().hours(Hour.FIRST, Hour.LAST)).isEqualTo(written);
    assertThat(store().hours(HOUR, Hour.LAST)).isEqualTo(written.subList(2, 5));
    assertThat(store().hours(HOUR.previous(), HOUR)).isEqualTo(written.subList(1, 3));
    assertThat(store().hours(HOUR, HOUR)).containsExactly(HOUR);
    assertThat(store().hours(HOUR.next(), HOUR.next())).isEmpty();
    assertThat(store().hours(HOUR.next(), HOUR)).isEmpty();
  }

  @Test
  default void droppingAnHourDropsAllOfIt() {
    RowKey sibling = new RowKey(HOUR, "search", 3);
    RowKey kept = new RowKey(HOUR.next(), "checkout", 0);
    List.of(ROW, sibling, kept).forEach(this::fill);
    store().drop(HOUR);

    assertThat(store().rows(HOUR)).isEmpty();
    assertThat(store().hours(Hour.FIRST, Hour.LAST)).containsExactly(HOUR.next());
    assertThat(store().read(ROW)).isEmpty();
    assertThat(store().count(CountQuery.all(sibling))).isEqualTo(RowCounts.NONE);
    assertThat(store().read(kept)).hasSize(1);
    assertThat(store().rowKeys(HOUR.next())).containsExactly(kept);
  }

  @Test
  default void droppedHourStaysAwayAfterAReopen() {
    store().write(ROW, seconds(0, 10));
    store().drop(HOUR);
    reopen();
    assertThat(store().rows(HOUR)).isEmpty();
    assertThat(store().hours(HOUR, HOUR)).isEmpty();
    assertThat(store().read(ROW)).isEmpty();
  }

  @Test
  default void aDroppedHourAcceptsNewColumns() {
    store().write(ROW, seconds(0, 10));
    store().drop(HOUR);
    store().write(ROW, seconds(5, 7));
    assertThat(store().read(ROW)).isEqualTo(seconds(5, 7));
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(2);
    assertThat(store().rowKeys(HOUR)).containsExactly(ROW);
    assertThat(store().entry(ROW).first()).isEqualTo(name(5));
  }

  @Test
  default void droppingAnAbsentHourChangesNothing() {
    fill(ROW);
    store().drop(HOUR.next());
    store().drop(HOUR.next());
    assertThat(store().read(ROW)).hasSize(1);
  }

  @Test
  default void droppedHoursAreNamed() {
    Hour hour = neverDropped();
    Hour next = hour.next();
    Hour later = new Hour(hour.epochHours() + 9);
    List.of(hour, next, later, later.next()).forEach(this::fill);
    assertThat(store().dropped(hour, later.next())).isEmpty();
    List.of(later, hour, next).forEach(store()::drop);

    assertThat(store().dropped(hour.previous(), later.next()))
        .containsExactly(hour + ".." + next, later + "");
    assertThat(store().dropped(hour.previous(), hour)).containsExactly(hour + "");
    assertThat(store().dropped(next, later)).containsExactly(next + "", later + "");
    assertThat(store().dropped(later.next(), later.next())).isEmpty();
    assertThat(store().dropped(later, hour)).isEmpty();
  }

  @Test
  default void noRowWithAMatchIsLeftOut() {
    RowKey other = new RowKey(HOUR, "search", 1);
    store().write(ROW, column(1, "a zeppelin rises"), column(2, "nothing"));
    store().write(other, seconds(0, 10));
    List<RowEntry> rows = store().rows(HOUR);
    assertThat(kept(rows, "zeppelin")).contains(ROW);
    assertThat(kept(rows, "event 3")).contains(other);
    if (can(Limitation.NEVER_SEALS)) {
      sealNow();
    }
    store().write(other, column(20, "another zeppelin"));
    assertThat(kept(store().rows(HOUR), "zeppelin")).contains(ROW, other);
    assertThat(kept(rows.subList(0, 1), "zeppelin")).containsExactly(ROW);
    assertThat(kept(List.of(), "zeppelin")).isEmpty();
  }

  private List<RowKey> kept(List<RowEntry> rows, String text) {
    return store().mayMatch(rows, NumberFilter.text(text)).stream().map(RowEntry::row).toList();
  }

  @Test
  default void anHourWithoutRowsIsNotNamedAsDropped() {
    Hour hour = neverDropped();
    fill(hour.next());
    store().drop(hour);
    assertThat(store().dropped(hour, hour.next())).isEmpty();
  }

  @Test
  default void droppedHourIsNamedThoughItHasRowsAgain() {
    Hour hour = neverDropped();
    fill(hour);
    store().drop(hour);
    fill(hour);
    assertThat(store().dropped(hour, hour)).containsExactly(hour + "");
    reopen();
    assertThat(store().dropped(hour, hour))
        .isEqualTo(can(Limitation.FORGETS_ON_CLOSE) ? List.of(hour + "") : List.of());
  }

  @Test
  default void droppingATypeLeavesTheOthersOfItsHour() {
    Hour hour = neverDropped();
    RowKey row = new RowKey(hour, "checkout", 0);
    List<RowKey> others =
        List.of(new RowKey(hour, "search", 0), new RowKey(hour.next(), "checkout", 0));
    List.of(row, new RowKey(hour, "checkout", 7)).forEach(this::fill);
    others.forEach(this::fill);
    if (can(Limitation.DROPS_WHOLE_HOURS)) {
      store().drop(row.typeHour());
      assertThat(store().read(row)).isEmpty();
      assertThat(store().rowKeys(hour)).containsExactly(others.get(0));
      assertThat(store().dropped(hour, hour.next())).containsExactly(hour + "|checkout");
      fill(row);
      assertThat(store().read(row)).hasSize(1);
    } else {
      assertThat(engine().drop(row.typeHour()).toCompletableFuture())
          .failsWithin(Patience.LONGEST)
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(store().read(row)).hasSize(1);
      assertThat(store().dropped(hour, hour.next())).isEmpty();
    }
    others.forEach(other -> assertThat(store().read(other)).hasSize(1));
  }

  @Test
  default void aTypeWithoutRowsIsNotNamedAsDropped() {
    Hour hour = neverDropped();
    fill(hour);
    if (can(Limitation.DROPS_WHOLE_HOURS)) {
      store().drop(new TypeHour(hour, "search"));
    }
    assertThat(store().dropped(hour, hour)).isEmpty();
  }

  /** Returns the first of some hours of which none was dropped, as by another test of a cluster. */
  private Hour neverDropped() {
    int some = 20;
    Hour hour = Hour.parse("2040-01-01T00");
    while (!store().dropped(hour.previous(), new Hour(hour.epochHours() + some)).isEmpty()) {
      hour = new Hour(hour.epochHours() + some + 2);
    }
    return hour;
  }

  private void fill(Hour hour) {
    fill(new RowKey(hour, "checkout", 0));
  }

  private void fill(RowKey row) {
    store().write(row, new Column(TimeUuid.first(row.hour().startTicks()), "x"));
  }
}
