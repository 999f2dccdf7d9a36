package hourglass.bucketing.shards;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of an hour and type that a writer has: one at hand, the next ones, and what is left
 * over.
 */
final class ShardGroups {
  private final Deque<ShardGroup> groups = new ArrayDeque<>();

  /** Open rows of rounds that were left; used up when the type is quiet. */
  private final Deque<OpenRow> spare = new ArrayDeque<>();

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Rows side by side; 0 without a round. */
  int size() {
    return groups.isEmpty() ? 0 : groups.element().size();
  }

  /** Comes after the others, but at once if it spreads wider. */
  void add(ShardGroup group) {
    while (!groups.isEmpty() && group.size() > groups.element().size()) {
      retire();
    }
    groups.add(group);
  }

  private void retire() {
    groups.remove().rows().stream().filter(OpenRow::isOpen).forEach(spare::add);
  }

  /** The round at hand; null if none has an open row. */
  @Nullable ShardGroup current() {
    while (groups.size() > 1 && !groups.element().isWhole()) {
      retire();
    }
    return groups.isEmpty() || groups.element().first() == null ? null : groups.element();
  }

  /** Any open row, those first that are left over; null if there is none. */
  @Nullable OpenRow any() {
    while (!spare.isEmpty() && !spare.element().isOpen()) {
      spare.remove();
    }
    if (!spare.isEmpty()) {
      return spare.element();
    }
    while (groups.size() > 1 && groups.element().first() == null) {
      groups.remove();
    }
    return groups.isEmpty() ? null : groups.element().first();
  }

  /** What rounds can take, without what is left over. */
  Capacity left() {
    Capacity left = Capacity.NONE;
    for (ShardGroup group : groups) {
      left = left.plus(group.left());
    }
    return left;
  }

  List<OpenRow> open() {
    List<OpenRow> open = new ArrayList<>(spare);
    groups.forEach(group -> open.addAll(group.rows()));
    open.removeIf(row -> !row.isOpen());
    return open;
  }

  void release(int shard, Capacity unused) {
    for (OpenRow row : open()) {
      if (row.shard() == shard) {
        row.release(unused);
      }
    }
  }

  void clear() {
    groups.clear();
    spare.clear();
  }
}
