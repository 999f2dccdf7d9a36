package hourglass.bucketing.shards;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shard group that lost some rows to other writers. More rows are claimed to make it even again
 * before it is used. Not thread-safe.
 */
final class IncompleteGroup {
  /** After so many attempts the group is used as it is. */
  private static final int ATTEMPTS_MAX = 5;

  private final List<OpenRow> won = new ArrayList<>();
  private int missing;
  private int attempts;

  /** The number of rows still to claim; 0: there is no incomplete group. */
  int missing() {
    return missing;
  }

  List<OpenRow> won() {
    return List.copyOf(won);
  }

  /**
   * Adds the result of a request.
   *
   * @return the group if it is complete or out of attempts, else null
   */
  @Nullable ShardGroup add(List<OpenRow> more, int lost) {
    won.addAll(more);
    missing = lost;
    attempts++;
    if (missing > 0 && (attempts < ATTEMPTS_MAX || won.isEmpty())) {
      return null;
    }
    ShardGroup group = new ShardGroup(won);
    clear();
    return group;
  }

  void clear() {
    won.clear();
    missing = 0;
    attempts = 0;
  }
}
