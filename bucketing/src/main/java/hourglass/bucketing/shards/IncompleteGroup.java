package hourglass.bucketing.shards;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round some of whose rows others claimed first: it is filled up with others that make it even
 * again, and not used before. Not thread-safe.
 */
final class IncompleteGroup {
  /** It is filled up so often; then it has to do as it is. */
  private static final int ATTEMPTS_MAX = 5;

  private final List<OpenRow> won = new ArrayList<>();
  private int missing;
  private int attempts;

  /** How many rows are to be claimed for it; 0: there is none. */
  int missing() {
    return missing;
  }

  List<OpenRow> won() {
    return List.copyOf(won);
  }

  /**
   * Adds what came of a request.
   *
   * @return the round, if it is used from now on
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
