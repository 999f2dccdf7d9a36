package hourglass.query.scan;

import hourglass.bucketing.TimeUuid;
import hourglass.query.Plan;
import hourglass.store.RowEntry;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How many rows of an hour are read side by side, and in slices of what size: what the directory
 * knows of them decides.
 *
 * <pre>
 * row 0  ====                 a type that is hot fills row after row,
 * row 1  =====                    a few of them at a time
 * row 2      =====
 * row 3       ====
 * row 4     =                 one that is quiet has one, and little in it
 * </pre>
 *
 * The merge needs the head of every row that may have the next event, and of no other: here of
 * three at the most. Some more are opened ahead. Where rows bring little, these are more, and more
 * slices are asked for at a time, so that their answers come together; where each brings a chunk's
 * worth, the usual number keeps the merge busy, and more would only stand in the way of other
 * queries.
 *
 * @param rowsAhead rows that are opened before the merge comes to where they begin
 * @param rowsOpen rows that are open at a time, those included, at the most
 * @param slices slices that are under way at a time
 * @param sliceBytes what one slice may bring
 */
public record FanOutPlan(int rowsAhead, int rowsOpen, int slices, long sliceBytes) {
  /**
   * What a slice brings where the usual number of them is enough: as much as a chunk of an answer,
   * eight of which are an eighth of the buffer.
   */
  private static final long USUAL_BYTES = 128 << 10;

  /** Sixteen queries then have a thousand calls under way, which stores put in line. */
  public static final int GROWTH_MAX = 8;

  /** Of a column beside its payload. */
  static final int NAME_BYTES = 20;

  /**
   * The reading of some rows of one hour.
   *
   * @param fanOut the slices under way where rows are as usual
   * @param bufferBytes of all slices in memory
   * @param columnsWanted how many columns of one row can be of use
   */
  static FanOutPlan of(List<RowEntry> rows, int fanOut, long bufferBytes, long columnsWanted) {
    Plan all = rows.stream().map(Plan::of).reduce(Plan.NOTHING, Plan::plus);
    long columnsEach = Math.max(1, all.columns() / Math.max(1, rows.size()));
    long bytesEach = columnsEach * columnBytes(all);
    long bytesWanted = Math.min(columnsEach, columnsWanted) * columnBytes(all);
    long needed = Math.max(fanOut, columnsWanted / columnsEach);
    int ahead =
        (int) Math.max(1, Math.min(rows.size(), Math.min(fanOut(fanOut, bytesEach), needed)));
    int walked = Math.max(1, overlapping(rows));
    int open = Math.max(1, Math.min(rows.size(), walked + ahead));
    // A slice of each that is open, and of those that are walked the next one.
    long sliceBytes = Math.max(1, bufferBytes / (open + walked));
    return new FanOutPlan(
        ahead, open, fanOut(fanOut, Math.min(bytesWanted, sliceBytes)), sliceBytes);
  }

  /** What a column takes in memory, on average. */
  static long columnBytes(Plan rows) {
    return NAME_BYTES + rows.bytes() / Math.max(1, rows.columns());
  }

  /** More than usual where each brings less than usual. */
  private static int fanOut(int usual, long bytesEach) {
    long wanted = usual * USUAL_BYTES / bytesEach;
    return (int) Math.max(usual, Math.min(wanted, (long) GROWTH_MAX * usual));
  }

  /** How many rows have a name in common with the range of one of them, at the most. */
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
