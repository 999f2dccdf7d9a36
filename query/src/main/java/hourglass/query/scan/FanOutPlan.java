package hourglass.query.scan;

import hourglass.bucketing.TimeUuid;
import hourglass.query.Plan;
import hourglass.store.RowEntry;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The number of rows of an hour that are read in parallel, and the size of their slices. Both
 * follow from the directory's bounds of the rows.
 *
 * <pre>
 * row 0  ====                 a busy type fills row after row,
 * row 1  =====                    a few of them at a time
 * row 2      =====
 * row 3       ====
 * row 4     =                 a quiet type has one short row
 * </pre>
 *
 * The merge needs the head of every row that may contain the next event: here at most three. Some
 * more rows are opened ahead. If rows are small, more are opened and more slices are in flight. If
 * each slice fills a chunk, the usual number keeps the merge busy.
 *
 * @param rowsAhead rows opened before the merge reaches their first column
 * @param rowsOpen includes those ahead
 * @param slices in flight
 */
public record FanOutPlan(int rowsAhead, int rowsOpen, int slices, long sliceBytes) {
  /** The bytes of a slice for which the usual fan-out is enough: one chunk of an answer. */
  private static final long USUAL_BYTES = 128 << 10;

  /**
   * The largest growth of the fan-out, at which sixteen queries have a thousand calls in flight.
   */
  public static final int GROWTH_MAX = 8;

  static final int NAME_BYTES = 20;

  /**
   * The {@code fanOut} suits rows of usual size; {@code bufferBytes} limits all slices in memory.
   */
  static FanOutPlan of(List<RowEntry> rows, int fanOut, long bufferBytes, long columnsWanted) {
    Plan all = Plan.of(rows);
    long columnsEach = Math.max(1, all.columns() / Math.max(1, rows.size()));
    long bytesEach = columnsEach * columnBytes(all);
    long bytesWanted = Math.min(columnsEach, columnsWanted) * columnBytes(all);
    long needed = Math.max(fanOut, columnsWanted / columnsEach);
    int ahead =
        (int) Math.max(1, Math.min(rows.size(), Math.min(fanOut(fanOut, bytesEach), needed)));
    int walked = Math.max(1, overlapping(rows));
    int open = Math.max(1, Math.min(rows.size(), walked + ahead));
    // One slice of each open row, and the next slice of each row in the merge.
    long sliceBytes = Math.max(1, bufferBytes / (open + walked));
    return new FanOutPlan(
        ahead, open, fanOut(fanOut, Math.min(bytesWanted, sliceBytes)), sliceBytes);
  }

  /** The average size of a column, in bytes. */
  static long columnBytes(Plan rows) {
    return NAME_BYTES + rows.bytes() / Math.max(1, rows.columns());
  }

  private static int fanOut(int usual, long bytesEach) {
    long wanted = usual * USUAL_BYTES / bytesEach;
    return (int) Math.max(usual, Math.min(wanted, (long) GROWTH_MAX * usual));
  }

  /** The maximum number of rows whose ranges share a name. */
  static int overlapping(List<RowEntry> rows) {
    List<RowEntry> byFirst = rows.stream().sorted(Comparator.comparing(RowEntry::first)).toList();
    PriorityQueue<TimeUuid> ends = new PriorityQueue<>();
    int most = 0;
    for (RowEntry row : byFirst) {
      while (!ends.isEmpty() && ends.element().compareTo(row.first()) < 0) {
        ends.remove();
      }
      ends.add(row.last());
      most = Math.max(most, ends.size());
    }
    return most;
  }
}
