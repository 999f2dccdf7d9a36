package hourglass.query.scan;

import hourglass.query.QueryOptions;
import hourglass.query.fair.QueryThread;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Delivers the filtered events of some rows to a sink, each event once. Thread-safe. */
public final class EventPass {
  /** The number of parallel passes of a query that reads payloads. */
  public static final int PASSES = 2;

  private final StoreAccess access;
  private final int passes;
  private final @Nullable EventFilter filter;
  private final AnswerRows answerRows;

  /**
   * Each pass uses its part of the query's buffer and fan-out. A null {@code filter} selects all
   * events.
   */
  public EventPass(
      StoreAccess access, int passes, @Nullable EventFilter filter, AnswerRows answerRows) {
    this.access = access;
    this.passes = passes;
    this.filter = filter == null ? null : filter.until(access.gone());
    this.answerRows = answerRows;
  }

  /** Merges rows of one hour; {@code sink} accepts every event, in ascending order. */
  public RowMerge read(
      List<RowEntry> rows,
      ColumnRange range,
      Projection projection,
      EventSink sink,
      QueryThread thread) {
    QueryOptions options = access.options();
    int fanOut = Math.max(1, options.fanOut() / passes);
    int bufferBytes = options.bufferBytes() / passes;
    RowReaders readers =
        new RowReaders(
            options,
            fanOut,
            bufferBytes,
            Order.ASCENDING,
            projection,
            Long.MAX_VALUE,
            filter == null ? null : filter.fields(),
            true);
    long bytes = readers.heldBytes(rows);
    access.account().take(bytes);
    SliceWindow window = new SliceWindow(access.source(), null, access.reads(), fanOut);
    try {
      RowMerge merge = readers.merge(rows, row -> range, window, answerRows);
      merge.forEach(pausing(filtered(sink), thread), thread, () -> {});
      return merge;
    } finally {
      window.cancel();
      access.account().give(bytes);
    }
  }

  private static EventSink pausing(EventSink sink, QueryThread thread) {
    return (row, columns, i) -> {
      var unused = thread.worked(columns.length(i));
      return sink.offer(row, columns, i);
    };
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
