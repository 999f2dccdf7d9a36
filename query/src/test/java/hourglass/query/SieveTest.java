package hourglass.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.testkit.OracleStore;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Slices that are sifted before the merge comes to them. */
class SieveTest {
  private static final String NONE_IS_LARGE = "data.list.all(x, x == 0)";
  private static final int EVENTS = 400;

  private final Random random = Seed.random(this);
  private final OracleStore store = new OracleStore();
  private final Model model = new Model(store, random);

  private final AtomicInteger sifted = new AtomicInteger();
  private Executor executor =
      task -> {
        sifted.incrementAndGet();
        ForkJoinPool.commonPool().execute(task);
      };

  private Answer ask(Selection selection, Order order, long limit) {
    QueryService service =
        new QueryService(
            store,
            QueryOptions.builder().build(),
            Clock.systemUTC(),
            task -> executor.execute(task));
    EventQuery query = new EventQuery(selection, order, limit, null);
    return Answer.read(service.events(query, EventFormat.NDJSON, CsvField.standard()), 1 << 16);
  }

  private static Selection where(String expression) {
    return new Selection(new TreeSet<>(), TimeRange.ALL, "", expression);
  }

  /** Events of one row, more than its first slice has; one of them takes too long to tell. */
  private void addWithOneTooCostlyAt(int costly) {
    for (int i = 0; i < EVENTS; i++) {
      String list = "0" + ",0".repeat(i == costly ? 20_000 : 500);
      TimeUuid name = TimeUuid.first(Model.FIRST_HOUR.startTicks() + i * Ticks.PER_SECOND);
      model.add(name, "type-a", 0, "{\"n\":1,\"list\":[" + list + "]}");
    }
  }

  /** The larger payload of a name decides, and either of the two may be what the filter takes. */
  @Test
  void leavesTheChoiceAmongTwinsToTheMerge() {
    model.addRandom(2_000, 1, () -> ",\"more\":\"" + "x".repeat(2_000 + random.nextInt(9)) + "\"");
    for (Order order : Order.values()) {
      Selection half = where("data.n < 500");
      List<String> expected = model.select(half, order).stream().map(Model.Stored::ndjson).toList();
      assertThat(ask(half, order, EventQuery.ALL).lines()).isEqualTo(expected);
    }
    assertThat(sifted).hasPositiveValue();
  }

  @Test
  void whatAPageBeginsWithIsLeftToTheMerge() {
    model.addRandom(2_000, 1);
    assertThat(ask(where("data.n < 500"), Order.ASCENDING, 10).lines()).hasSize(10);
    assertThat(sifted).hasValue(0);
  }

  @Test
  void whatIsTooCostlyBehindAPageDoesNotFailIt() {
    addWithOneTooCostlyAt(EVENTS - 1);
    assertThat(ask(where(NONE_IS_LARGE), Order.ASCENDING, 10).lines()).hasSize(10);
    assertThat(sifted).hasPositiveValue();
  }

  @Test
  void whatIsTooCostlyFailsTheAnswerThatComesToIt() {
    addWithOneTooCostlyAt(EVENTS - 1);
    assertThatThrownBy(() -> ask(where(NONE_IS_LARGE), Order.ASCENDING, EventQuery.ALL))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("it takes more than 10000 steps");
  }

  @Test
  void anAnswerFailsIfNobodyCanSift() {
    addWithOneTooCostlyAt(0);
    executor =
        task -> {
          throw new RejectedExecutionException("shut down");
        };
    assertThatThrownBy(() -> ask(where("data.n < 0"), Order.ASCENDING, EventQuery.ALL))
        .hasStackTraceContaining("shut down");
  }

  @Test
  void looksAtNothingOnceNobodyWaits() {
    addWithOneTooCostlyAt(0);
    SliceQuery all =
        new SliceQuery(
            store.rows(Model.FIRST_HOUR).toCompletableFuture().join().get(0).row(),
            TimeRange.ALL.within(Model.FIRST_HOUR),
            Order.ASCENDING,
            EVENTS,
            Projection.COLUMNS);
    Slice slice = store.slice(all).toCompletableFuture().join();
    Sieve sieve = Sieve.of(EventFilter.of(where("data.n == 1")), executor);
    assertThat(sieve.sift("type-a", slice, () -> false).toCompletableFuture().join().taken())
        .satisfies(taken -> assertThat(taken.cardinality()).isEqualTo(EVENTS));
    assertThat(sieve.sift("type-a", slice, () -> true).toCompletableFuture().join().taken())
        .isNull();
  }
}
