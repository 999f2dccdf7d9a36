package hourglass.bucketing.shards;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shard groups of a writer in a type hour: the current one, the next ones, spare rows, and one
 * that lost rows to other writers. For the last, more rows are claimed before its use, to make it
 * even again.
 */
final class ShardGroups {
  /** The number of attempts after which an incomplete group is used as it is. */
  private static final int ATTEMPTS_MAX = 5;

  private final List<ShardGroup> groups = new ArrayList<>(0);

  /** The open rows of groups that ended, used when the type is quiet. */
  private final List<OpenRow> spare = new ArrayList<>(0);

  private final List<OpenRow> won = new ArrayList<>(0);
  private int missing;
  private int attempts;

  int size() {
    return groups.isEmpty() ? 0 : groups.get(0).size();
  }

  /** Returns the number of rows that the incomplete group lacks; 0 if there is no such group. */
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

  /** Adds a group after the others, or makes it the current one if it is larger. */
  private ShardGroup begin(List<OpenRow> rows) {
    ShardGroup group = new ShardGroup(rows);
    while (!groups.isEmpty() && group.size() > groups.get(0).size()) {
      retire();
    }
    groups.add(group);
    return group;
  }

  private void retire() {
    groups.remove(0).rows().stream().filter(OpenRow::isOpen).forEach(spare::add);
  }

  /** Returns the current group; null if no group has an open row. */
  @Nullable ShardGroup current() {
    while (groups.size() > 1 && !groups.get(0).isWhole()) {
      retire();
    }
    return groups.isEmpty() || groups.get(0).first() == null ? null : groups.get(0);
  }

  /** Returns an open row, spare rows first; null if there is none. */
  @Nullable OpenRow any() {
    while (!spare.isEmpty() && !spare.get(0).isOpen()) {
      spare.remove(0);
    }
    if (!spare.isEmpty()) {
      return spare.get(0);
    }
    while (groups.size() > 1 && groups.get(0).first() == null) {
      groups.remove(0);
    }
    return groups.isEmpty() ? null : groups.get(0).first();
  }

  /** Returns the capacity that is left in the groups, without spare rows. */
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
