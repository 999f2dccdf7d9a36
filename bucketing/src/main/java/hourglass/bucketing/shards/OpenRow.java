package hourglass.bucketing.shards;

/** A row that accepts columns of this writer up to a bound. */
final class OpenRow {
  private final int shard;
  private final boolean sole;
  private Capacity bound;
  private Capacity used = Capacity.NONE;
  private boolean full;

  OpenRow(int shard, boolean sole, Capacity bound) {
    this.shard = shard;
    this.sole = sole;
    this.bound = bound;
  }

  static OpenRow filled(int shard, Capacity used) {
    OpenRow row = new OpenRow(shard, false, used);
    row.used = used;
    row.full = true;
    return row;
  }

  int shard() {
    return shard;
  }

  Capacity used() {
    return used;
  }

  Capacity bound() {
    return bound;
  }

  Capacity left() {
    return full ? Capacity.NONE : bound.minus(used);
  }

  boolean isOpen() {
    return !full && used.columns() < bound.columns();
  }

  /** Releases the rest of the row, until the bound is raised. */
  void close() {
    bound = used;
    full = true;
  }

  void raise(Capacity to) {
    bound = to;
    full = false;
  }

  int take(ColumnBatch batch, int from, int to) {
    Capacity left = left();
    int end = (int) Math.min(to, from + left.columns());
    if (batch.bytes(from, end) > left.bytes()) {
      end = lastThatFits(batch, from, end, left.bytes());
    }
    // The column is larger than a whole row, so no other row would fit it better.
    if (end == from && sole && used.columns() == 0 && from < to) {
      end = from + 1;
    }
    used = used.plus(new Capacity(end - from, batch.bytes(from, end)));
    full = end < to;
    return end;
  }

  private static int lastThatFits(ColumnBatch batch, int from, int to, long bytes) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (batch.bytes(from, middle) <= bytes) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  void release(Capacity unused) {
    used = used.minus(unused);
  }

  ShardClaim claim(String writer, Capacity to) {
    return new ShardClaim(shard, writer, sole, to.columns(), to.bytes());
  }
}
