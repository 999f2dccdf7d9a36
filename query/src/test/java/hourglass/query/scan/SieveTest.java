package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.service.Answer;
import hourglass.query.service.Model;
import hourglass.query.service.QueryService;
import hourglass.store.Order;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Answers whose slices are filtered ahead of the merge. */
class SieveTest {
  private static final String NONE_IS_LARGE = "data.list.all(x, x == 0)";
  private static final int EVENTS = 400;

  private final Random random = Seed.random(this);
  private final OracleStore store = new OracleStore();
  private final Model model = new Model(store, random);
  private final AtomicInteger turns = new AtomicInteger();

  /** Filters ahead before the merge has the slice. */
  private Executor executor =
      task -> {
        turns.incrementAndGet();
        task.run();
      };

  private Answer ask(Selection selection, Order order, long limit) {
    QueryService service =
        new QueryService(
            store,
            QueryOptions.builder().build(),
            Clock.systemUTC(),
            task -> executor.execute(task));
    EventQuery query = new EventQuery(selection, order, limit, null);
    return Answer.read(service.events(query, EventFormat.NDJSON, CsvTable.STANDARD), 1 << 16);
  }

  private static Selection where(String expression) {
    return new Selection(new TreeSet<>(), TimeRange.ALL, "", expression);
  }

  /** One slice of one row; the last event takes too long to evaluate. */
  private void addWithTooCostlyLast() {
    for (int i = 1; i <= EVENTS; i++) {
      String list = "0" + ",0".repeat(i == EVENTS ? 20_000 : 500);
      TimeUuid name = TimeUuid.first(Model.FIRST_HOUR.startTicks() + i * Ticks.PER_SECOND);
      model.add(name, "type-a", 0, "{\"n\":1,\"list\":[" + list + "]}");
    }
  }

  /** The larger payload of a name wins, and the filter may take either. */
  private void assertHasWhatTheModelHas() {
    model.addRandom(2_000, 1, () -> ",\"more\":\"" + "x".repeat(2_000 + random.nextInt(9)) + "\"");
    Selection half = where("data.n < 500");
    for (Order order : Order.values()) {
      List<String> expected = model.select(half, order).stream().map(Model.Stored::ndjson).toList();
      assertThat(ask(half, order, EventQuery.ALL).lines()).isEqualTo(expected);
    }
  }

  @Test
  void duplicatesAreChosenByTheMerge() {
    assertHasWhatTheModelHas();
    assertThat(turns).hasPositiveValue();
  }

  @Test
  void concurrentSievingChangesNoAnswer() {
    executor = Answer.THREADS;
    assertHasWhatTheModelHas();
  }

  @Test
  void theMergeFiltersWithoutASieve() {
    executor =
        task -> {
          turns.incrementAndGet();
          throw new RejectedExecutionException("shut down");
        };
    assertHasWhatTheModelHas();
    assertThat(turns).hasPositiveValue();
  }

  @Test
  void smallSlicesAreLeftToTheMerge() {
    model.addRandom(2_000, 1);
    assertThat(ask(where("data.n < 500"), Order.ASCENDING, EventQuery.ALL).lines()).isNotEmpty();
    assertThat(turns).hasValue(0);
  }

  @Test
  void aTooCostlyEventAfterAPageDoesNotFailIt() {
    addWithTooCostlyLast();
    assertThat(ask(where(NONE_IS_LARGE), Order.ASCENDING, 10).lines()).hasSize(10);
    assertThat(turns).hasPositiveValue();
  }

  @Test
  void aTooCostlyEventFailsTheAnswerThatReachesIt() {
    addWithTooCostlyLast();
    assertThatThrownBy(() -> ask(where(NONE_IS_LARGE), Order.ASCENDING, EventQuery.ALL))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("it takes more than 10000 steps");
  }
}
