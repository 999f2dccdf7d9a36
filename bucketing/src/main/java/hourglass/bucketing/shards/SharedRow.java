package hourglass.bucketing.shards;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The part that a writer has of a row that all writers share: at first a little of row 0, then as
 * much as it told, and when that row is full, a part of another one. Not thread-safe.
 */
final class SharedRow {
  /** Taken of row 0 without a word, by as many writers as make a tenth of a row together. */
  private static final double UNCLAIMED_SHARE = 0.1 / 128;

  /** A part that is smaller is not worth a claim. */
  private static final double LEAST_SHARE = 0.001;

  /** The first that is claimed. */
  private static final double FIRST_SHARE = 0.0025;

  private final Capacity target;
  private final Capacity unclaimed;
  private final Set<Integer> left = new HashSet<>();
  private OpenRow row;
  private Capacity growth = Capacity.NONE;

  SharedRow(Capacity target, boolean mayStartUnclaimed) {
    this.target = target;
    this.unclaimed = mayStartUnclaimed ? target.times(UNCLAIMED_SHARE) : Capacity.NONE;
    this.row = new OpenRow(0, false, unclaimed);
  }

  OpenRow row() {
    return row;
  }

  /** Takes up row 0 where this writer, which had forgotten it, left it. */
  void remember(Capacity told) {
    row = OpenRow.filled(0, told);
  }

  /** Whether half of what is taken without a word is used. */
  boolean shouldPublish() {
    return !row.used().times(2).fits(unclaimed);
  }

  /** Raises the bound, as all writers know by now. */
  void raise(Capacity to) {
    growth = to.minus(row.bound());
    row.raise(to);
  }

  /** Whether little is left of what was added last: where a row is nearly full, that is little. */
  boolean isLow() {
    return !growth.times(0.25).fits(row.left());
  }

  /** The bound that the part should get; null if the row has too little left for that. */
  @Nullable Capacity bound(OtherWriters otherWriters, Demand demand) {
    return bound(row, otherWriters, demand);
  }

  private @Nullable Capacity bound(OpenRow of, OtherWriters otherWriters, Demand demand) {
    Capacity others = otherWriters.claimed(of.shard());
    Capacity free = target.minus(others).minus(of.used());
    int writers = otherWriters.writers(of.shard());
    Capacity least = target.times(LEAST_SHARE).max(new Capacity(1, demand.largestBytes()));
    boolean scarce = free.share(target) < 0.5;
    Capacity growth =
        of.used()
            .times(scarce ? 1 : 3)
            .max(demand.capacity())
            .max(target.times(FIRST_SHARE))
            .max(least);
    if (writers > 0) {
      growth = growth.min(free.times(0.5 / writers).max(least));
    }
    // Never less than what it has already, or a part would be used that nobody is told of.
    Capacity bound = of.used().plus(growth.min(free)).max(of.bound());
    boolean fits = of.used().plus(least).fits(bound) && others.plus(bound).fits(target);
    return fits && !otherWriters.isSole(of.shard()) ? bound : null;
  }

  /**
   * Leaves the row for the first one with room that others share already, or else for a new one.
   *
   * @param untried numbers that this writer never claimed
   */
  void next(OtherWriters otherWriters, Demand demand, IntPredicate untried) {
    left.add(row.shard());
    for (int shard : otherWriters.shared()) {
      OpenRow other = new OpenRow(shard, false, Capacity.NONE);
      if (!left.contains(shard)
          && !otherWriters.isOwn(shard)
          && untried.test(shard)
          && bound(other, otherWriters, demand) != null) {
        row = other;
        return;
      }
    }
    int shard = 1;
    while (left.contains(shard) || !untried.test(shard) || !otherWriters.isFree(shard)) {
      shard++;
    }
    row = new OpenRow(shard, false, Capacity.NONE);
  }

  /** Whether a row is or was this one. */
  boolean has(int shard) {
    return shard == row.shard() || left.contains(shard);
  }
}
