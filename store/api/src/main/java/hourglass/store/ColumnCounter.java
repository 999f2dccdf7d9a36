package hourglass.store;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up the counts of parts of a row in the steps of a query. No name may be in two parts. Use it
 * once.
 */
public final class ColumnCounter {
  private final CountQuery query;
  private final Map<Integer, Long> byStep = new HashMap<>();
  private long columns;
  private long bytes;

  public ColumnCounter(CountQuery query) {
    this.query = query;
  }

  /** Adds columns in the range of the query. */
  public void add(Columns part) {
    columns += part.size();
    bytes += part.payloadBytes();
    int from = 0;
    while (from < part.size()) {
      int step = query.step(part.ticks(from));
      TimeUuid next = TimeUuid.first(query.originTicks() + (step + 1L) * query.stepTicks());
      int to = part.lowerBound(next.ticks(), next.lsb(), from);
      byStep.merge(step, (long) (to - from), Long::sum);
      from = to;
    }
  }

  /** Adds a part whose columns are all in one step. */
  public void add(int step, long partColumns, long partBytes) {
    columns += partColumns;
    bytes += partBytes;
    byStep.merge(step, partColumns, Long::sum);
  }

  /**
   * Adds columns that are counted by minute, if the query {@link CountQuery#hasWholeMinutes}.
   *
   * @param counts the columns of the minute at {@code startTicks} and of each minute after it
   */
  public void add(long startTicks, int[] counts, long partColumns, long partBytes) {
    columns += partColumns;
    bytes += partBytes;
    for (int minute = 0; minute < counts.length; minute++) {
      if (counts[minute] > 0) {
        int step = query.step(startTicks + minute * Ticks.PER_MINUTE);
        byStep.merge(step, (long) counts[minute], Long::sum);
      }
    }
  }

  /**
   * Adds columns that are counted by minute, if the query {@link CountQuery#endsWithMinutes}.
   *
   * @param atStarts how many of the counted columns are at the very first tick of each minute;
   *     empty if there are none
   */
  public void add(long startTicks, int[] counts, int[] atStarts, long partColumns, long partBytes) {
    int[] behind = counts.clone();
    for (int minute = 0; minute < atStarts.length; minute++) {
      behind[minute] -= atStarts[minute];
    }
    add(startTicks + 1, behind, partColumns, partBytes);
    add(startTicks, atStarts, 0, 0);
  }

  public RowCounts counts() {
    return new RowCounts(columns, bytes, byStep);
  }
}
