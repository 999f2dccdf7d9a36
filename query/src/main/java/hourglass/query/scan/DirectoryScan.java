package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.fair.QueryThread;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Visits the directories of a range in order, and reads some of them ahead, within a bounded part
 * of the shared memory. Used by one thread.
 */
public final class DirectoryScan {
  /** The approximate memory of a row in a directory and in lists. */
  public static final long ROW_BYTES = 160;

  private static final long AHEAD_BYTES = 2 << 20;

  private final StoreAccess access;
  private final Selection selection;
  private final AnswerRows answerRows;
  private final QueryThread thread;
  private final FanOut ahead;

  /** The memory of the directories that are read ahead. */
  private final AtomicLong heldBytes = new AtomicLong();

  /** Receives an hour with its wanted rows, sorted by key. */
  @FunctionalInterface
  public interface HourVisit {
    void visit(Hour hour, List<RowEntry> rows);
  }

  /** Creates a scan that reads {@code widthMax} directories at the same time. */
  public DirectoryScan(
      StoreAccess access,
      Selection selection,
      int widthMax,
      AnswerRows answerRows,
      QueryThread thread) {
    this.access = access;
    this.selection = selection;
    this.answerRows = answerRows;
    this.thread = thread;
    ahead = new FanOut(widthMax, thread);
  }

  public void forEachHour(HourVisit visit) {
    TimeRange range = selection.range();
    if (range.isEmpty()) {
      return;
    }
    for (Hour hour : thread.await(access.store().hours(range.firstHour(), range.lastHour()))) {
      ahead.begin(
          () -> access.store().rows(hour).thenApply(rows -> hold(selection.of(rows))),
          directory -> visit(hour, directory, visit));
    }
    ahead.finish();
  }

  /** The number of directories that are being read. */
  public int underWay() {
    return ahead.underWay();
  }

  private void visit(Hour hour, Directory directory, HourVisit visit) {
    List<RowEntry> rows = directory.rows;
    long bytes = directory.bytes;
    if (rows == null) {
      rows = selection.of(thread.await(access.store().rows(hour)));
      bytes = ROW_BYTES * rows.size();
      access.account().take(bytes);
    } else {
      heldBytes.addAndGet(-bytes);
    }
    try {
      answerRows.add(rows);
      access.reads().addRows(rows.size());
      visit.visit(hour, rows);
    } finally {
      access.account().give(bytes);
    }
  }

  /**
   * A directory that was read ahead.
   *
   * @param rows null if it was too large, and must be read again
   * @param bytes reserved memory
   */
  private record Directory(@Nullable List<RowEntry> rows, long bytes) {}

  private Directory hold(List<RowEntry> rows) {
    long bytes = ROW_BYTES * rows.size();
    if (heldBytes.addAndGet(bytes) <= AHEAD_BYTES && access.account().tryTake(bytes)) {
      return new Directory(rows, bytes);
    }
    heldBytes.addAndGet(-bytes);
    return new Directory(null, 0);
  }

  /**
   * Groups the rows of one hour, which are sorted by key, by type. Each group is found during the
   * iteration.
   */
  public static Iterable<List<RowEntry>> byType(List<RowEntry> rows) {
    return () ->
        IntStream.iterate(0, from -> from < rows.size(), from -> endOfType(rows, from))
            .mapToObj(from -> rows.subList(from, endOfType(rows, from)))
            .iterator();
  }

  private static int endOfType(List<RowEntry> rows, int from) {
    String type = rows.get(from).row().type();
    int end = from + 1;
    while (end < rows.size() && rows.get(end).row().type().equals(type)) {
      end++;
    }
    return end;
  }
}
