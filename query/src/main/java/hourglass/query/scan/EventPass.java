package hourglass.query.scan;

import hourglass.query.QueryOptions;
import hourglass.query.filter.EventFilter;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads all events of some rows and delivers those that pass a filter to a sink. Rows are merged as
 * for an answer, so an event in two rows is delivered once. Thread-safe.
 */
public final class EventPass {
  /** The number of parallel passes of one query; they share its buffer and its fan-out. */
  public static final int PASSES = 2;

  private final StoreAccess access;
  private final @Nullable EventFilter filter;
  private final @Nullable MissingRows missing;

  /**
   * @param filter selects events; null: all
   * @param missing records unreadable rows; null: an unreadable row fails the pass
   */
  public EventPass(
      StoreAccess access, @Nullable EventFilter filter, @Nullable MissingRows missing) {
    this.access = access;
    this.filter = filter == null ? null : filter.until(access.gone());
    this.missing = missing;
  }

  /**
   * Reads a range of some rows.
   *
   * @param rows of one hour
   * @param sink takes every event that is offered, in ascending order
   */
  public CompletionStage<Void> read(List<RowEntry> rows, ColumnRange range, EventSink sink) {
    QueryOptions options = access.options();
    int fanOut = Math.max(1, options.fanOut() / PASSES);
    SliceWindow window = new SliceWindow(access.source(), null, fanOut);
    RowReaders readers =
        new RowReaders(
            options,
            fanOut,
            options.bufferBytes() / PASSES,
            Order.ASCENDING,
            Projection.COLUMNS,
            Long.MAX_VALUE);
    return access
        .account()
        .during(
            readers.heldBytes(rows),
            () ->
                EventPump.of(
                    readers.merge(rows, row -> range, window, missing), filtered(sink), access))
        .whenComplete((done, failure) -> window.cancel());
  }

  private EventSink filtered(EventSink sink) {
    EventFilter wanted = filter;
    return wanted == null
        ? sink
        : (row, columns, i) ->
            wanted.takes(row.text().type(), columns, i)
                ? sink.offer(row, columns, i)
                : EventSink.Verdict.TAKEN;
  }
}
