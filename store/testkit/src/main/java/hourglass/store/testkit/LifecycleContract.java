package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CountQuery;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.testing.Patience;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A closed store answers nothing. Reopened in the same place, it has all its data. */
interface LifecycleContract extends StoreFixture {

  @Test
  default void anOpenStoreIsHealthy() {
    store().check();
  }

  @Test
  default void columnsSurviveAReopen() {
    RowKey other = new RowKey(HOUR.next(), "search", 3);
    store().write(ROW, seconds(0, 100));
    store().write(ROW, seconds(50, 150));
    store().write(other, seconds(3600, 3610));
    reopen();
    boolean kept = can(Limitation.FORGETS_ON_CLOSE);
    assertThat(store().hours(Hour.FIRST, Hour.LAST))
        .isEqualTo(kept ? List.of(HOUR, HOUR.next()) : List.of());
    assertThat(store().rowKeys(HOUR)).isEqualTo(kept ? List.of(ROW) : List.of());
    assertThat(store().read(ROW)).isEqualTo(kept ? seconds(0, 150) : List.of());
    assertThat(store().read(other)).isEqualTo(kept ? seconds(3600, 3610) : List.of());
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(kept ? 150 : 0);
  }

  @Test
  default void manyReopensLoseNothing() {
    for (int i = 0; i < 4; i++) {
      store().write(ROW, seconds(i * 10, i * 10 + 10));
      reopen();
    }
    assertThat(store().read(ROW))
        .isEqualTo(can(Limitation.FORGETS_ON_CLOSE) ? seconds(0, 40) : List.of());
  }

  @Test
  default void closingTwiceHasNoFurtherEffect() {
    store().write(ROW, seconds(0, 10));
    engine().close();
    engine().close();
    reopen();
    store().check();
  }

  @Test
  default void closedStoreRefusesEveryCall() {
    WideColumnStore closed = engine();
    closed.close();
    SliceQuery slice = new SliceQuery(ROW, WHOLE_HOUR, Order.ASCENDING, 10, Projection.COLUMNS);
    Mutation mutation = new Mutation(ROW, Column.pack(seconds(0, 1)));
    assertUnavailable("write", closed.write(List.of(mutation)));
    assertUnavailable("slice", closed.slice(slice));
    assertUnavailable("count", closed.count(CountQuery.all(ROW)));
    assertUnavailable("rows", closed.rows(HOUR));
    assertUnavailable("hours", closed.hours(Hour.FIRST, Hour.LAST));
    assertUnavailable("arrivals", closed.lateArrivals(LateArrivalPlace.START, 10));
    assertUnavailable("first times", closed.firstTimes(FirstTimes.NONE, SharedRoom.NOBODY));
    assertUnavailable("drop", closed.drop(HOUR));
    assertUnavailable("dropped", closed.dropped(Hour.FIRST, Hour.LAST));
    assertUnavailable("outlook", closed.outlook(1));
    assertUnavailable("check", closed.check());
  }

  private static void assertUnavailable(String call, CompletionStage<?> stage) {
    assertThat(stage.toCompletableFuture())
        .as(call)
        .failsWithin(Patience.LONGEST)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(UnavailableException.class);
  }
}
