package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses shards of a type hour. The engine hashes the row key, so free shards are tried until
 * enough fall on the wanted nodes.
 */
final class ShardChooser {
  /** The number of shards that are tried before the number of nodes is known. */
  private static final int TRIED_MIN = 128;

  /** The tries that reach every node: (1 - 1/n)^(16 n) is 10^-7. Fewer rows need fewer nodes. */
  private static final int TRIED_PER_NODE = 16;

  /** The number of rows of others up to which they are weighed. More of them are even anyway. */
  private static final int WEIGHED_MAX = 10_000;

  /**
   * The range in which a search begins, in multiples of the used and wanted rows, so that writers
   * seldom collide.
   */
  private static final int ELBOW_ROOM = 8;

  /** The time after which nodes are counted again, since many types claim rows together. */
  private static final long COVERING_MILLIS = 10_000;

  private record Covering(int rows, long atMillis) {}

  private final Placement placement;
  private final RandomGenerator random;
  private volatile @Nullable Covering covering;

  ShardChooser(Placement placement, RandomGenerator random) {
    this.placement = placement;
    this.random = random;
  }

  /** Returns the number of rows that load all nodes; 1 if any row loads them all. */
  int covering(TypeHour typeHour, long elapsedMillis) {
    Covering known = covering;
    if (known == null || elapsedMillis - known.atMillis >= COVERING_MILLIS) {
      BalancedChoice sample = new BalancedChoice();
      offer(sample, TRIED_MIN, Integer.MAX_VALUE, typeHour, 0, shard -> true);
      int rows = sample.isEverywhere() ? 1 : Math.max(1, sample.nodes());
      known = new Covering(rows, elapsedMillis);
      covering = known;
    }
    return known.rows;
  }

  List<Integer> choose(
      int count,
      TypeHour typeHour,
      List<OpenRow> beside,
      OtherWriters otherWriters,
      IntPredicate free) {
    int from =
        otherWriters.others() == 0
            ? 0
            : random.nextInt(ELBOW_ROOM * (otherWriters.others() + count));
    if (placement.nodes(typeHour.row(from)).isEmpty()) {
      return next(count, from, free);
    }
    BalancedChoice choice = new BalancedChoice();
    offer(choice, 2 * count, count + beside.size(), typeHour, from, free);
    if (choice.isEverywhere()) {
      return next(count, from, free);
    }
    beside.forEach(row -> choice.countBeside(placement.nodes(typeHour.row(row.shard()))));
    if (otherWriters.soleShards().size() <= WEIGHED_MAX) {
      for (int shard : otherWriters.soleShards()) {
        choice.countElsewhere(placement.nodes(typeHour.row(shard)));
      }
    }
    return choice.pick(count, random);
  }

  private void offer(
      BalancedChoice choice,
      int atLeast,
      int nodesMax,
      TypeHour typeHour,
      int from,
      IntPredicate free) {
    int wanted = Math.max(TRIED_MIN, atLeast);
    for (int shard = from; choice.offered() < wanted; shard++) {
      if (free.test(shard)) {
        choice.offer(shard, placement.nodes(typeHour.row(shard)));
        wanted = Math.max(wanted, TRIED_PER_NODE * Math.min(nodesMax, choice.nodes()));
      }
    }
  }

  private static List<Integer> next(int count, int from, IntPredicate free) {
    List<Integer> next = new ArrayList<>(count);
    for (int shard = from; next.size() < count; shard++) {
      if (free.test(shard)) {
        next.add(shard);
      }
    }
    return next;
  }
}
