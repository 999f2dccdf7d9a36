package hourglass.query;

import hourglass.query.cache.RowSource;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Counts the events that a filter takes, by reading all of them. Rows are merged as for an answer,
 * so what is in two of them counts once. Thread-safe.
 */
final class ScanCounter implements EventCounter {
  /** So many scans of one query run side by side, and share its buffer and its calls. */
  static final int SCANS = 2;

  private final RowSource source;
  private final QueryOptions options;
  private final Executor executor;
  private final EventFilter filter;
  private final BooleanSupplier gone;

  /**
   * @param gone whether nobody waits for the answer any more; then counting ends with a {@link
   *     CancellationException}
   */
  ScanCounter(
      RowSource source,
      QueryOptions options,
      Executor executor,
      EventFilter filter,
      BooleanSupplier gone) {
    this.source = source;
    this.options = options;
    this.executor = executor;
    this.filter = filter;
    this.gone = gone;
  }

  @Override
  public CompletionStage<RowCounts> count(
      List<RowEntry> rows, ColumnRange range, long originTicks, long stepTicks) {
    if (gone.getAsBoolean()) {
      return CompletableFuture.failedFuture(new CancellationException("nobody waits"));
    }
    SliceWindow window = new SliceWindow(source, Math.max(1, options.fanOut() / SCANS));
    RowReaders readers =
        new RowReaders(
            options,
            options.bufferBytes() / SCANS,
            Order.ASCENDING,
            Projection.COLUMNS,
            Long.MAX_VALUE);
    RowMerge merge = new RowMerge(readers.of(rows, row -> range, window), readers);
    Filtering sums =
        new Filtering(
            new StepSums(new CountQuery(rows.get(0).row(), range, originTicks, stepTicks)));
    return Drain.of(merge, sums, executor)
        .whenComplete((done, failure) -> window.cancel())
        .thenApply(done -> sums.sums.toCounts());
  }

  /** Lets the filter see each event, and others have a turn now and then. */
  private final class Filtering implements EventSink {
    private final StepSums sums;
    private int left = EventScan.EVENTS_A_TURN;

    Filtering(StepSums sums) {
      this.sums = sums;
    }

    @Override
    public Verdict offer(RowReader row, Columns columns, int i) {
      if (gone.getAsBoolean()) {
        return Verdict.STOP;
      }
      if (left == 0) {
        left = EventScan.EVENTS_A_TURN;
        return Verdict.FULL;
      }
      left--;
      return filter.takes(row.text().type(), columns, i)
          ? sums.offer(row, columns, i)
          : Verdict.TAKEN;
    }
  }
}
