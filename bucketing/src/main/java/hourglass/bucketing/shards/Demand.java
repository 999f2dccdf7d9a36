package hourglass.bucketing.shards;

/**
 * Columns that have no row.
 *
 * @param room how many, and the bytes of their payloads
 * @param largestBytes the largest payload that waits to be the next
 */
record Demand(Capacity room, long largestBytes) {
  static final Demand NONE = new Demand(Capacity.NONE, 0);

  /** With those of a load from a position on. */
  Demand plus(ColumnBatch load, int from) {
    int end = load.columns();
    return new Demand(
        room.plus(new Capacity(end - from, load.bytes(from, end))),
        Math.max(largestBytes, load.bytes(from, from + 1)));
  }

  boolean isAny() {
    return room.columns() > 0;
  }
}
