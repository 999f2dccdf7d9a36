package hourglass.bucketing.shards;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shard groups of a writer in a type hour: the current one, the next ones, spare rows, and one
 * that lost rows to other writers. More rows are claimed to make that one even again before its
 * use.
 */
final class ShardGroups {
  /** After so many attempts an incomplete group is used as it is. */
  private static final int ATTEMPTS_MAX = 5;

  private final Deque<ShardGroup> groups = new ArrayDeque<>();

  /** Open rows of groups that ended; used when the type is quiet. */
  private final Deque<OpenRow> spare = new ArrayDeque<>();

  private final List<OpenRow> won = new ArrayList<>();
  private int missing;
  private int attempts;

  int size() {
    return groups.isEmpty() ? 0 : groups.element().size();
  }

  /** 0 without an incomplete group. */
  int missing() {
    return missing;
  }

  List<OpenRow> won() {
    return List.copyOf(won);
  }

  /** Returns the group that begins, or null. */
  @Nullable ShardGroup add(List<OpenRow> more, int lost, boolean fillsUp) {
    if (!fillsUp && (lost == 0 || missing > 0)) {
      return more.isEmpty() ? null : begin(more);
    }
    won.addAll(more);
    missing = lost;
    attempts++;
    if (missing > 0 && (attempts < ATTEMPTS_MAX || won.isEmpty())) {
      return null;
    }
    ShardGroup whole = begin(won);
    clearIncomplete();
    return whole;
  }

  /** Adds a group behind the others, or makes it the current one if it is larger. */
  private ShardGroup begin(List<OpenRow> rows) {
    ShardGroup group = new ShardGroup(rows);
    while (!groups.isEmpty() && group.size() > groups.element().size()) {
      retire();
    }
    groups.add(group);
    return group;
  }

  private void retire() {
    groups.remove().rows().stream().filter(OpenRow::isOpen).forEach(spare::add);
  }

  /** Null if no group has an open row. */
  @Nullable ShardGroup current() {
    while (groups.size() > 1 && !groups.element().isWhole()) {
      retire();
    }
    return groups.isEmpty() || groups.element().first() == null ? null : groups.element();
  }

  /** Spare rows first; null if there is none. */
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

  /** Without spare rows. */
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
    clearIncomplete();
  }

  private void clearIncomplete() {
    won.clear();
    missing = 0;
    attempts = 0;
  }
}
