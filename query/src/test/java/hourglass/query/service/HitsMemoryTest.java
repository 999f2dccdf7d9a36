package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Counted;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.fair.AnswerBytes;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HitsMemoryTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int COLUMNS = 10_000;
  private static final int SECOND_MILLIS = 1_000;

  /** A count of a step of a row, with its place in a map and in a series. */
  private static final long STEP_BYTES = 80 + Long.BYTES;

  /** The directory, and a series without its counts. */
  private static final long REST_BYTES_MAX = 1_000;

  private final OracleStore oracle = new OracleStore();
  private final HeldStore store = new HeldStore(oracle);
  private final AnswerBytes bytes = new AnswerBytes(10 << 20);

  @BeforeEach
  void fill() {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 2 * COLUMNS);
    byte[] payload = {'{', '}'};
    for (int i = 0; i < COLUMNS; i++) {
      TimeUuid name = TimeUuid.first(HOUR.startTicks() + i * (Ticks.PER_HOUR / COLUMNS));
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    Mutation row = new Mutation(new RowKey(HOUR, "type", 0), columns.build());
    oracle.write(List.of(row)).toCompletableFuture().join();
  }

  @AfterEach
  void close() {
    store.close();
  }

  /**
   * Returns the bytes held while the store counts the only row of a range from the start of the
   * hour.
   */
  private long heldBytes(int rangeSeconds, int stepMillis) {
    try (AnswerBytes.Account account = bytes.open("client")) {
      QueryService service =
          new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Answer.THREADS)
              .with(access -> access.with(account));
      long from = HOUR.startTicks();
      TimeRange range = new TimeRange(from, from + rangeSeconds * Ticks.PER_SECOND);
      HitsQuery query =
          new HitsQuery(new Selection(new TreeSet<>(), range, ""), stepMillis, Grouping.NONE);
      CompletableFuture<Counted<Hits>> hits =
          Answer.start(thread -> service.hits(query, false, thread)).toCompletableFuture();
      store.answerOne(); // the hours
      store.answerOne(); // the directory
      await().pollInterval(Duration.ofMillis(1)).until(store::isHolding); // the count
      long held = bytes.held();
      store.answerAll(hits);
      assertThat(hits.join().value().total()).isPositive();
      return held;
    }
  }

  @Test
  void memoryIsProportionalToTheSteps() {
    assertThat(heldBytes(10, SECOND_MILLIS))
        .isBetween(10 * STEP_BYTES, 10 * STEP_BYTES + REST_BYTES_MAX);
    assertThat(heldBytes(3_600, SECOND_MILLIS))
        .isBetween(3_600 * STEP_BYTES, 3_601 * STEP_BYTES + REST_BYTES_MAX);
    assertThat(bytes.held()).as("once all is counted").isZero();
  }

  @Test
  void emptyStepsUseMemoryOnlyInTheSeries() {
    long steps = 36_000;
    assertThat(heldBytes(3_600, 100))
        .isBetween(
            steps * Long.BYTES + COLUMNS * 80L,
            steps * Long.BYTES + COLUMNS * 80L + REST_BYTES_MAX);
  }
}
