package hourglass.bucketing.shards;

/** Columns that wait for a row, and the largest payload among the next of each batch. */
record Demand(Capacity capacity, long largestBytes) {
  static final Demand NONE = new Demand(Capacity.NONE, 0);

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
