package hourglass.bucketing.shards;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shard groups of a writer in a type hour: the current one, the next ones, and spare rows. */
final class ShardGroups {
  private final Deque<ShardGroup> groups = new ArrayDeque<>();

  /** Open rows of groups that ended; used when the type is quiet. */
  private final Deque<OpenRow> spare = new ArrayDeque<>();

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Rows side by side; 0 without a group. */
  int size() {
    return groups.isEmpty() ? 0 : groups.element().size();
  }

  /** Adds a group behind the others, or makes it the current one if it is larger. */
  void add(ShardGroup group) {
    while (!groups.isEmpty() && group.size() > groups.element().size()) {
      retire();
    }
    groups.add(group);
  }

  private void retire() {
    groups.remove().rows().stream().filter(OpenRow::isOpen).forEach(spare::add);
  }

  /** The current group; null if none has an open row. */
  @Nullable ShardGroup current() {
    while (groups.size() > 1 && !groups.element().isWhole()) {
      retire();
    }
    return groups.isEmpty() || groups.element().first() == null ? null : groups.element();
  }

  /** Any open row, spare rows first; null if there is none. */
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

  /** The capacity of all groups, without spare rows. */
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
