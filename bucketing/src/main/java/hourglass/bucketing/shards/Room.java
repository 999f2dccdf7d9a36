package hourglass.bucketing.shards;

/** Columns and the bytes of their payloads. */
record Room(long columns, long bytes) {
  static final Room NONE = new Room(0, 0);

  Room plus(Room more) {
    return new Room(columns + more.columns, bytes + more.bytes);
  }

  /** What is left, never below nothing. */
  Room minus(Room less) {
    return new Room(Math.max(0, columns - less.columns), Math.max(0, bytes - less.bytes));
  }

  Room times(double factor) {
    return new Room((long) (columns * factor), (long) (bytes * factor));
  }

  Room max(Room other) {
    return new Room(Math.max(columns, other.columns), Math.max(bytes, other.bytes));
  }

  Room min(Room other) {
    return new Room(Math.min(columns, other.columns), Math.min(bytes, other.bytes));
  }

  boolean fits(Room within) {
    return columns <= within.columns && bytes <= within.bytes;
  }

  /** How much of a row this is, by what is scarcer. */
  double share(Room target) {
    return Math.max((double) columns / target.columns, (double) bytes / target.bytes);
  }
}
