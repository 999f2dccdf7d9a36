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
  private final Deque<ShardGroup> rounds = new ArrayDeque<>();

  /** Open rows of rounds that were left; used up when the type is quiet. */
  private final Deque<OpenRow> spare = new ArrayDeque<>();

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  /** Rows side by side; 0 without a round. */
  int size() {
    return rounds.isEmpty() ? 0 : rounds.element().size();
  }

  /** Comes after the others, but at once if it spreads wider. */
  void add(ShardGroup round) {
    while (!rounds.isEmpty() && round.size() > rounds.element().size()) {
      leave();
    }
    rounds.add(round);
  }

  private void leave() {
    rounds.remove().rows().stream().filter(OpenRow::isOpen).forEach(spare::add);
  }

  /** The round at hand; null if none has an open row. */
  @Nullable ShardGroup atHand() {
    while (rounds.size() > 1 && !rounds.element().isWhole()) {
      leave();
    }
    return rounds.isEmpty() || rounds.element().first() == null ? null : rounds.element();
  }

  /** Any open row, those first that are left over; null if there is none. */
  @Nullable OpenRow any() {
    while (!spare.isEmpty() && !spare.element().isOpen()) {
      spare.remove();
    }
    if (!spare.isEmpty()) {
      return spare.element();
    }
    while (rounds.size() > 1 && rounds.element().first() == null) {
      rounds.remove();
    }
    return rounds.isEmpty() ? null : rounds.element().first();
  }

  /** What rounds can take, without what is left over. */
  Capacity left() {
    Capacity left = Capacity.NONE;
    for (ShardGroup round : rounds) {
      left = left.plus(round.left());
    }
    return left;
  }

  List<OpenRow> open() {
    List<OpenRow> open = new ArrayList<>(spare);
    rounds.forEach(round -> open.addAll(round.rows()));
    open.removeIf(row -> !row.isOpen());
    return open;
  }

  void giveBack(int shard, Capacity unused) {
    for (OpenRow row : open()) {
      if (row.shard() == shard) {
        row.giveBack(unused);
      }
    }
  }

  void clear() {
    rounds.clear();
    spare.clear();
  }
}
