package hourglass.bucketing.shards;

import hourglass.bucketing.shards.ShardPlanner.Assignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that their only writer fills side by side. They are chosen together to load the nodes
 * evenly, and they end together.
 */
record ShardGroup(List<OpenRow> rows) {
  ShardGroup {
    rows = List.copyOf(rows);
  }

  int size() {
    return rows.size();
  }

  boolean isWhole() {
    return openRows() == rows.size();
  }

  Capacity left() {
    Capacity left = Capacity.NONE;
    for (OpenRow row : rows) {
      left = left.plus(row.left());
    }
    return left;
  }

  /**
   * Gives each open row a turn of equal length, the emptiest first, and returns the first column
   * that has no row. The rest of a batch is for the next group.
   */
  int distribute(ColumnBatch batch, int from, int to, int shortest, List<Assignment> out) {
    int turns = (int) Math.min(openRows(), ((long) to - from + shortest - 1) / shortest);
    int each = turns == 0 ? 0 : (int) Math.min((to - from + turns - 1) / turns, leastLeft());
    int at = from;
    for (OpenRow row = emptiest(); turns > 0 && at < to && row != null; row = emptiest()) {
      int next = row.take(batch, at, (int) Math.min(to, (long) at + each));
      if (next > at) {
        out.add(new Assignment(row.shard(), at, next));
        at = next;
      }
      turns--;
    }
    return at;
  }

  private int openRows() {
    int open = 0;
    for (OpenRow row : rows) {
      open += row.isOpen() ? 1 : 0;
    }
    return open;
  }

  private long leastLeft() {
    long least = Long.MAX_VALUE;
    for (OpenRow row : rows) {
      if (row.isOpen()) {
        least = Math.min(least, row.left().columns());
      }
    }
    return least;
  }

  private @Nullable OpenRow emptiest() {
    OpenRow emptiest = null;
    for (OpenRow row : rows) {
      if (row.isOpen() && (emptiest == null || row.used().columns() < emptiest.used().columns())) {
        emptiest = row;
      }
    }
    return emptiest;
  }

  /** Returns the first open row; null if all are full. */
  @Nullable OpenRow first() {
    for (OpenRow row : rows) {
      if (row.isOpen()) {
        return row;
      }
    }
    return null;
  }
}
