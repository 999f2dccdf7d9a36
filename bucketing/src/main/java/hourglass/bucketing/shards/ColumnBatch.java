package hourglass.bucketing.shards;

/** Columns of one type hour that wait for rows, in a fixed order. */
public interface ColumnBatch {

  int columns();

  /** Returns the payload bytes of the columns {@code [from, to)}. */
  long bytes(int from, int to);

  static ColumnBatch of(int columns, int bytesEach) {
    return new ColumnBatch() {
      @Override
      public int columns() {
        return columns;
      }

      @Override
      public long bytes(int from, int to) {
        return (long) (to - from) * bytesEach;
      }
    };
  }
}
