package hourglass.bucketing.shards;

/** A number of columns, and the bytes of their payloads. */
record Capacity(long columns, long bytes) {
  static final Capacity NONE = new Capacity(0, 0);

  Capacity plus(Capacity more) {
    return new Capacity(columns + more.columns, bytes + more.bytes);
  }

  /** Subtracts columns and bytes, each down to zero at least. */
  Capacity minus(Capacity less) {
    return new Capacity(Math.max(0, columns - less.columns), Math.max(0, bytes - less.bytes));
  }

  Capacity times(double factor) {
    return new Capacity((long) (columns * factor), (long) (bytes * factor));
  }

  Capacity max(Capacity other) {
    return new Capacity(Math.max(columns, other.columns), Math.max(bytes, other.bytes));
  }

  Capacity min(Capacity other) {
    return new Capacity(Math.min(columns, other.columns), Math.min(bytes, other.bytes));
  }

  boolean fits(Capacity within) {
    return columns <= within.columns && bytes <= within.bytes;
  }

  /** Returns the share of the target in columns or in bytes, whichever is larger. */
  double share(Capacity target) {
    return Math.max((double) columns / target.columns, (double) bytes / target.bytes);
  }
}
