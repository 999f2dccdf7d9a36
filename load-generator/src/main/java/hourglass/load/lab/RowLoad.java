package hourglass.load.lab;

import hourglass.bucketing.RowKey;

/** Columns, writes and bytes of a row. Not thread-safe. */
final class RowLoad {
  private final RowKey key;
  private final int[] nodes;
  private long columns;
  private long writes;
  private long bytes;
  private int second = -1;
  private int writesInSecond;
  private int writesPerSecondMax;

  RowLoad(RowKey key, int[] nodes) {
    this.key = key;
    this.nodes = nodes;
  }

  /**
   * @param inSecond never falls
   * @param isNew whether the row did not have the column yet
   */
  void add(int inSecond, int payloadBytes, boolean isNew) {
    if (inSecond != second) {
      second = inSecond;
      writesInSecond = 0;
    }
    writes++;
    writesPerSecondMax = Math.max(writesPerSecondMax, ++writesInSecond);
    if (isNew) {
      columns++;
      bytes += payloadBytes;
    }
  }

  RowKey key() {
    return key;
  }

  /** Those that keep it, the owner first. */
  int[] nodes() {
    return nodes;
  }

  long columns() {
    return columns;
  }

  /** Repeats included. */
  long writes() {
    return writes;
  }

  /** Of the payloads of its columns. */
  long bytes() {
    return bytes;
  }

  int writesPerSecondMax() {
    return writesPerSecondMax;
  }
}
