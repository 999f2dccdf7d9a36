package hourglass.query.erasure;

import hourglass.bucketing.Hour;
import hourglass.query.Selection;
import hourglass.query.encode.EventText;
import hourglass.query.encode.RowText;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.MatchingRows;
import hourglass.query.scan.RowReader;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.erasure.BlankedMembers;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the events of an erasure, as a query for events finds them. Used by one thread.
 *
 * <p>An event may be in several rows of its hour, written twice while the number of shards changed.
 * A query shows the larger of its payloads, which decides here too. The name is then erased in all
 * rows of the type hour, so it is stated once.
 */
final class ErasureScan {
  private static final int SAMPLES_MAX = 10;

  /** The largest payload of a sample, so that all samples fit into a small answer. */
  private static final int SAMPLE_BYTES_MAX = 16 << 10;

  private static final int NAME_BYTES = 2 * Long.BYTES;
  private static final byte[] NO_PAYLOAD = {};

  private final StoreAccess access;
  private final ErasureRequest request;
  private final QueryThread thread;
  private final BlankedMembers blanked;
  private final AnswerRows answerRows = new AnswerRows(false);

  private final List<byte[]> samples = new ArrayList<>();
  private final List<ErasedRow> rows = new ArrayList<>();
  private final Set<String> missing = new TreeSet<>();
  private final Set<Hour> hours = new TreeSet<>();
  private long events;
  private long bytes;

  ErasureScan(StoreAccess access, ErasureRequest request, QueryThread thread) {
    this.access = access;
    this.request = request;
    this.thread = thread;
    blanked = new BlankedMembers(request.blanked());
  }

  /**
   * Reads all events of the selections.
   *
   * @throws hourglass.query.BadParameterException if an expression is invalid
   * @throws java.util.concurrent.CompletionException if a row cannot be read
   */
  FoundEvents run() {
    Span span = new Span();
    for (Selection selection : request.selections()) {
      if (selection.content() != null) {
        selection.content().check();
      }
      EventFilter filter = EventFilter.of(selection, access.gone());
      EventPass pass = new EventPass(access, 1, filter, answerRows);
      directory(selection)
          .forEachHour(
              (hour, all) -> {
                ColumnRange range = selection.range().within(hour);
                DirectoryScan.byType(matching(all, range, filter))
                    .forEach(ofType -> read(ofType, range, pass, span));
              });
      missing.addAll(thread.await(selection.gapsOf(access.store())).missing());
    }
    return new FoundEvents(
        events,
        bytes,
        span.firstTicks,
        span.lastTicks,
        hours.size(),
        samples,
        events > Erasure.COLUMNS_MAX ? List.of() : rows,
        List.copyOf(missing));
  }

  private static final class Span {
    private long firstTicks = Long.MAX_VALUE;
    private long lastTicks = Long.MIN_VALUE;

    private void add(long ticks) {
      firstTicks = Math.min(firstTicks, ticks);
      lastTicks = Math.max(lastTicks, ticks);
    }
  }

  private DirectoryScan directory(Selection selection) {
    return new DirectoryScan(access, selection, access.options().fanOut(), answerRows, thread);
  }

  private List<RowEntry> matching(
      List<RowEntry> all, ColumnRange range, @Nullable EventFilter filter) {
    return thread.await(
        MatchingRows.of(
            access.store(), all, row -> range, filter == null ? null : filter.fields()));
  }

  private void read(List<RowEntry> ofType, ColumnRange range, EventPass pass, Span span) {
    ColumnsBuilder names = new ColumnsBuilder(0, 0);
    var unused =
        pass.read(
            ofType,
            range,
            Projection.COLUMNS,
            (row, columns, i) -> {
              if (changes(columns, i)) {
                count(row, columns, i);
                span.add(columns.ticks(i));
                addName(names, columns, i);
              }
              return EventSink.Verdict.TAKEN;
            },
            thread);
    if (names.size() == 0) {
      return;
    }
    hours.add(ofType.get(0).row().hour());
    if (events > Erasure.COLUMNS_MAX) {
      rows.clear(); // refused, with the number of all events
    } else {
      access.account().take((long) NAME_BYTES * names.size());
      rows.add(new ErasedRow(ofType.get(0).row(), names.build()));
    }
  }

  /** Returns whether erasing changes the event: a member that is null already stays as it is. */
  private boolean changes(Columns columns, int i) {
    int from = columns.offset(i);
    int to = from + columns.length(i);
    return blanked.paths().isEmpty()
        || !Arrays.equals(
            blanked.blank(columns.bytes(), from, to),
            Arrays.copyOfRange(columns.bytes(), from, to));
  }

  private void count(RowReader row, Columns columns, int i) {
    events++;
    bytes += columns.length(i);
    if (samples.size() < SAMPLES_MAX && columns.length(i) <= SAMPLE_BYTES_MAX) {
      samples.add(json(row.text(), columns, i));
    }
  }

  private static byte[] json(RowText row, Columns columns, int i) {
    byte[] event = new byte[EventText.bytes(row, columns, i)];
    return Arrays.copyOf(event, new EventText().write(row, columns, i, event, 0));
  }

  private void addName(ColumnsBuilder names, Columns columns, int i) {
    if (events <= Erasure.COLUMNS_MAX) {
      names.add(columns.ticks(i), columns.lsb(i), NO_PAYLOAD, 0, 0);
    }
  }
}
