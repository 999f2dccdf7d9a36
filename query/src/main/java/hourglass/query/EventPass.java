package hourglass.query;

import hourglass.query.cache.RowSource;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the events that a filter takes to whoever sums them up, by reading all of them. Rows are
 * merged as for an answer, so what is in two of them comes once. Thread-safe.
 */
final class EventPass {
  /** So many passes of one query run side by side, and share its buffer and its calls. */
  static final int PASSES = 2;

  private final RowSource source;
  private final QueryOptions options;
  private final Executor executor;
  private final AnswerBytes.Account account;
  private final @Nullable EventFilter filter;
  private final @Nullable MissingRows missing;
  private final BooleanSupplier gone;

  /**
   * @param filter which events; null: all of them
   * @param missing takes the rows that cannot be read; null: one of them fails the pass
   * @param gone whether nobody waits for the answer any more; then a pass ends with a {@link
   *     CancellationException}
   */
  EventPass(
      StoreAccess access,
      @Nullable EventFilter filter,
      @Nullable MissingRows missing,
      BooleanSupplier gone) {
    source = access.source();
    options = access.options();
    executor = access.executor();
    account = access.account();
    this.filter = filter == null ? null : filter.until(gone);
    this.missing = missing;
    this.gone = gone;
  }

  /**
   * Reads a range of some rows.
   *
   * @param rows of one hour
   * @param sink takes every event that is offered, in ascending order
   */
  CompletionStage<Void> read(List<RowEntry> rows, ColumnRange range, EventSink sink) {
    if (gone.getAsBoolean()) {
      return CompletableFuture.failedFuture(new CancellationException("nobody waits"));
    }
    int fanOut = Math.max(1, options.fanOut() / PASSES);
    SliceWindow window = new SliceWindow(source, null, fanOut);
    RowReaders readers =
        new RowReaders(
            options,
            fanOut,
            options.bufferBytes() / PASSES,
            Order.ASCENDING,
            Projection.COLUMNS,
            Long.MAX_VALUE);
    return account
        .during(
            readers.heldBytes(rows),
            () ->
                Drain.of(
                    readers.merge(rows, row -> range, window, missing), new Turn(sink), executor))
        .whenComplete((done, failure) -> window.cancel());
  }

  /** Lets the filter see each event, and others have a turn now and then. */
  private final class Turn implements EventSink {
    private final EventSink sink;
    private final FilterTurn turn = new FilterTurn();

    Turn(EventSink sink) {
      this.sink = sink;
    }

    @Override
    public Verdict offer(RowReader row, Columns columns, int i) {
      if (gone.getAsBoolean()) {
        return Verdict.STOP;
      }
      if (!turn.takes(columns.length(i))) {
        turn.begin();
        return Verdict.FULL;
      }
      return filter == null || filter.takes(row.text().type(), columns, i)
          ? sink.offer(row, columns, i)
          : Verdict.TAKEN;
    }
  }
}
