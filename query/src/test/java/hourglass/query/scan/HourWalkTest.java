package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.service.Answer;
import hourglass.query.service.Model;
import hourglass.store.ForwardingStore;
import hourglass.store.Order;
import hourglass.store.RowSource;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A store may answer at any moment, even between two checks. */
class HourWalkTest {
  private static final EventQuery ALL = new EventQuery(Selection.ALL, Order.ASCENDING, 10, null);

  private final OracleStore oracle = new OracleStore();

  /** Done right after it was not. */
  private static final class DoneInBetween<T> extends CompletableFuture<T> {
    private final T answer;

    DoneInBetween(T answer) {
      this.answer = answer;
    }

    @Override
    public boolean isDone() {
      boolean done = super.isDone();
      complete(answer);
      return done;
    }
  }

  private final WideColumnStore store =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return oracle;
        }

        @Override
        public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
          return new DoneInBetween<>(oracle.hours(from, to).toCompletableFuture().join());
        }
      };

  @Test
  void hoursAddedDuringAWalkAreRead() {
    Model model = new Model(store, new Random(1));
    TimeUuid name = TimeUuid.first(Model.FIRST_HOUR.startTicks());
    model.add(name, "type-a", 0, "{}");
    SliceWindow window = new SliceWindow(RowSource.of(store), null, new QueryReads(), 1);
    QueryOptions options = QueryOptions.builder().build();
    RowReaders readers =
        new RowReaders(options, Order.ASCENDING, Projection.COLUMNS, Long.MAX_VALUE, null, true);
    CostGuard guard = new CostGuard(ALL, options, window::bytesWalked);
    StoreAccess access = StoreAccess.of(store, options, Runnable::run);
    HourWalk walk = new HourWalk(access, ALL, readers, window, guard, new AnswerRows(false));
    int[] events = {0};
    EventSink sink =
        (row, columns, i) -> {
          events[0]++;
          return EventSink.Verdict.TAKEN;
        };
    walk.forEach(sink, () -> Long.MAX_VALUE, Answer.thread());
    assertThat(events[0]).isEqualTo(1);
  }
}
