package hourglass.bucketing.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A writer's part of a shared row: a little of row 0 without a claim, then as much as it claimed,
 * and when that row is full, a part of another row. Not thread-safe.
 */
final class SharedRow {
  /** The part of row 0 that needs no claim: 128 writers together use a tenth of a row. */
  private static final double UNCLAIMED_SHARE = 0.1 / 128;

  /** The least part that is worth a claim. */
  private static final double LEAST_SHARE = 0.001;

  private static final double FIRST_SHARE = 0.0025;

  private final Capacity target;
  private final Capacity unclaimed;
  private final List<Integer> left = new ArrayList<>(0);
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

  /** Continues row 0 after the type hour was evicted. */
  void remember(Capacity claimed) {
    row = OpenRow.filled(0, claimed);
  }

  boolean shouldPublish() {
    return !row.used().times(2).fits(unclaimed);
  }

  void raise(Capacity to) {
    growth = to.minus(row.bound());
    row.raise(to);
  }

  /** Returns whether less than a quarter of the last increase is left. */
  boolean isLow() {
    return !growth.times(0.25).fits(row.left());
  }

  /** Returns the next bound of the part; null if the row has too little capacity left. */
  @Nullable Capacity bound(OtherWriters otherWriters, Pace pace) {
    return bound(row, otherWriters, pace);
  }

  private @Nullable Capacity bound(OpenRow of, OtherWriters otherWriters, Pace pace) {
    Capacity others = otherWriters.claimed(of.shard());
    Capacity free = target.minus(others).minus(of.used());
    int writers = otherWriters.writers(of.shard());
    Capacity least = target.times(LEAST_SHARE).max(new Capacity(1, pace.largestBytes()));
    boolean scarce = free.share(target) < 0.5;
    Capacity growth =
        of.used()
            .times(scarce ? 1 : 3)
            .max(pace.waiting())
            .max(target.times(FIRST_SHARE))
            .max(least);
    if (writers > 0) {
      growth = growth.min(free.times(0.5 / writers).max(least));
    }
    // The bound never falls below the present one, since columns above it would be unpublished.
    Capacity bound = of.used().plus(growth.min(free)).max(of.bound());
    boolean fits = of.used().plus(least).fits(bound) && others.plus(bound).fits(target);
    return fits && !otherWriters.isSole(of.shard()) ? bound : null;
  }

  /**
   * Moves to another row. Shared rows with capacity that this writer never claimed are preferred to
   * a new one.
   */
  void next(OtherWriters otherWriters, Pace pace, IntPredicate untried) {
    left.add(row.shard());
    for (int shard : otherWriters.shared()) {
      OpenRow other = new OpenRow(shard, false, Capacity.NONE);
      if (!left.contains(shard)
          && !otherWriters.isOwn(shard)
          && untried.test(shard)
          && bound(other, otherWriters, pace) != null) {
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

  boolean has(int shard) {
    return shard == row.shard() || left.contains(shard);
  }
}
