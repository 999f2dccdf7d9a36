package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.FairExecutor;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.fair.QueryThread;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class FetchAheadTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int ROWS = 3;
  private static final int COLUMNS = 1000;

  private final OracleStore oracle = new OracleStore();
  private final List<SliceQuery> asked = new ArrayList<>();
  private final List<Hour> directories = new ArrayList<>();
  private CompletableFuture<?> directory = CompletableFuture.completedFuture(null);
  private final WideColumnStore store =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return oracle;
        }

        @Override
        public CompletionStage<Slice> slice(SliceQuery query) {
          asked.add(query);
          return oracle.slice(query);
        }

        @Override
        public CompletionStage<List<RowEntry>> rows(Hour hour) {
          directories.add(hour);
          return directory.thenCompose(answers -> oracle.rows(hour));
        }
      };
  private final QueryService service =
      new QueryService(
          store,
          QueryOptions.builder().sliceColumns(100).bufferBytes(1 << 16).build(),
          Clock.systemUTC(),
          Runnable::run); // on a slow machine another thread would read on after a fill

  FetchAheadTest() {
    for (Hour hour : List.of(HOUR, HOUR.next())) {
      for (int row = 0; row < ROWS; row++) {
        ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 0);
        for (int i = 0; i < COLUMNS; i++) {
          TimeUuid name = TimeUuid.first(hour.startTicks() + i * Ticks.PER_SECOND);
          columns.add(name.ticks(), name.lsb(), new byte[] {'{', '}'}, 0, 2);
        }
        RowKey key = new RowKey(hour, "type-" + row, 0);
        oracle.write(List.of(new Mutation(key, columns.build())));
      }
    }
  }

  private EventStream events(long limit) {
    EventQuery query = new EventQuery(Selection.ALL, Order.DESCENDING, limit, null);
    return service.events(query, EventFormat.RAW, CsvTable.STANDARD);
  }

  @Test
  void aPageRequestsNoMoreThanItNeeds() {
    assertThat(Answer.read(events(10), 1 << 16).lines()).hasSize(10);
    assertThat(asked).hasSize(ROWS).allMatch(query -> query.columnsMax() == 11);
  }

  @Test
  void answerBeginsWithSmallSlices() {
    QueryService usual =
        new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run);
    EventQuery all = new EventQuery(Selection.ALL, Order.DESCENDING, EventQuery.ALL, null);
    EventStream stream = usual.events(all, EventFormat.RAW, CsvTable.STANDARD);
    Answer.read(stream, 1 << 16);
    List<Integer> ofOneRow =
        asked.stream()
            .filter(query -> query.row().equals(new RowKey(HOUR, "type-0", 0)))
            .map(SliceQuery::columnsMax)
            .toList();
    assertThat(ofOneRow).containsExactly(341, 4 * 341);
  }

  @Test
  void cancelledAnswerReadsNothingAfterItsDirectory() {
    directory = new CompletableFuture<>();
    EventStream stream = events(EventQuery.ALL);
    AtomicBoolean gone = new AtomicBoolean();
    QueryThread thread =
        new QueryThread(FairExecutor.over(Runnable::run).lane(""), gone::get, () -> gone.set(true));
    assertThatThrownBy(() -> Answer.read(stream, 1 << 16, thread))
        .isInstanceOf(CancellationException.class);
    directory.complete(null);
    assertThat(asked).isEmpty();
  }

  @Test
  void directoryReadForCostsIsNotReadAgain() {
    Answer.read(events(EventQuery.ALL), 1 << 16);
    assertThat(directories).containsExactlyInAnyOrder(HOUR, HOUR.next());
  }

  @Test
  void oneSliceARowIsFetchedAhead() {
    readUntil(written -> written > 0);
    assertThat(asked).hasSize(2 * ROWS);
  }

  @Test
  void nextHourIsFetchedAfterTheLastSlices() {
    int walked =
        readUntil(written -> asked.stream().anyMatch(query -> query.row().hour().equals(HOUR)));
    assertThat(walked).isBetween(ROWS * (COLUMNS - 100) - 10, ROWS * COLUMNS - 10);
  }

  /** Reads events until the condition holds, which receives their number, and returns it. */
  private int readUntil(IntPredicate condition) {
    Chunk chunk = new Chunk(30);
    AtomicInteger written = new AtomicInteger(-1);
    AnswerOutput out =
        bytes -> {
          if (condition.test(written.incrementAndGet())) {
            throw new CancellationException();
          }
          chunk.clear();
          return chunk;
        };
    assertThatThrownBy(() -> events(EventQuery.ALL).write(out, Answer.thread()))
        .isInstanceOf(CancellationException.class);
    return written.get();
  }
}
