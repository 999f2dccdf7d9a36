package hourglass.bucketing.shards;

/**
 * Columns that have no row.
 *
 * @param capacity how many, and the bytes of their payloads
 * @param largestBytes the largest payload that waits to be the next
 */
record Demand(Capacity capacity, long largestBytes) {
  static final Demand NONE = new Demand(Capacity.NONE, 0);

  /** With those of a load from a position on. */
  Demand plus(ColumnBatch batch, int from) {
    int end = batch.columns();
    return new Demand(
        capacity.plus(new Capacity(end - from, batch.bytes(from, end))),
        Math.max(largestBytes, batch.bytes(from, from + 1)));
  }

  boolean isAny() {
    return capacity.columns() > 0;
  }
}
