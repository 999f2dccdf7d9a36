package hourglass.bucketing.shards;

/**
 * Columns that have no row.
 *
 * @param room how many, and the bytes of their payloads
 * @param largestBytes the largest payload that waits to be the next
 */
record Lack(Room room, long largestBytes) {
  static final Lack NONE = new Lack(Room.NONE, 0);

  /** With those of a load from a position on. */
  Lack plus(Load load, int from) {
    int end = load.columns();
    return new Lack(
        room.plus(new Room(end - from, load.bytes(from, end))),
        Math.max(largestBytes, load.bytes(from, from + 1)));
  }

  boolean isAny() {
    return room.columns() > 0;
  }
}
