package hourglass.bucketing.simulation;

import hourglass.bucketing.RowKey;

/** The columns and writes of a row. Not thread-safe. */
public final class RowLoad {
  public final RowKey key;

  /** The nodes of the row, the owner first. */
  public final int[] nodes;

  private long columns;
  private long writes;
  private long bytes;
  private long writesPerSecondMax;
  private long second = Long.MIN_VALUE;
  private long writesInSecond;

  public RowLoad(RowKey key, int[] nodes) {
    this.key = key;
    this.nodes = nodes;
  }

  /**
   * Adds writes.
   *
   * @param inSecond a second that is not before that of the last call
   * @param moreColumns the number of written events that are not repeats
   * @param moreBytes the payload bytes of those
   */
  public void add(long inSecond, long moreWrites, long moreColumns, long moreBytes) {
    if (inSecond != second) {
      second = inSecond;
      writesInSecond = 0;
    }
    writesInSecond += moreWrites;
    writesPerSecondMax = Math.max(writesPerSecondMax, writesInSecond);
    writes += moreWrites;
    columns += moreColumns;
    bytes += moreBytes;
  }

  public long columns() {
    return columns;
  }

  /** Returns the number of events written, including repeats. */
  public long writes() {
    return writes;
  }

  /** Returns the payload bytes of the columns. */
  public long bytes() {
    return bytes;
  }

  public long writesPerSecondMax() {
    return writesPerSecondMax;
  }
}
