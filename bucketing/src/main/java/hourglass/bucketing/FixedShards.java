package hourglass.bucketing;

import java.util.Map;

/**
 * A fixed number of shards for each type, or {@link #PLANNED}. The shard is a hash of the column
 * name, so a repeated event finds its row while the number stays the same. Types that are not
 * listed use {@code shards}.
 */
public record FixedShards(int shards, Map<String, Integer> shardsByType) {
  /**
   * The number that stands for "not fixed": a planner chooses the shard by the content of the rows.
   */
  public static final int PLANNED = -1;

  /**
   * The largest fixed number. More rows per hour would slow down queries more than they help to
   * spread writes.
   */
  public static final int SHARDS_MAX = 1024;

  public FixedShards {
    check("*", shards);
    shardsByType = Map.copyOf(shardsByType);
    shardsByType.forEach(FixedShards::check);
  }

  private static void check(String type, int shards) {
    if (shards != PLANNED && (shards < 1 || shards > SHARDS_MAX)) {
      throw new IllegalArgumentException(
          "shards of " + type + ": " + shards + ", want 1 to " + SHARDS_MAX);
    }
  }

  public boolean isListed(String type) {
    return shardsByType.containsKey(type);
  }

  public int shard(Hour hour, String type, long ticks, long lsb) {
    int count = shardsByType.isEmpty() ? shards : shardsByType.getOrDefault(type, shards);
    if (count == PLANNED) {
      return PLANNED;
    }
    return count == 1 ? 0 : (int) Long.remainderUnsigned(mix(mix(ticks) ^ lsb), count);
  }

  // The times and numbers of names often rise in step. A plain xor would cancel them out, and a
  // type with evenly spaced events would use few of its rows.

  /** Applies the finaliser of splitmix64 (Steele, Lea, Flood 2014). */
  private static long mix(long z) {
    long y = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    y = (y ^ y >>> 27) * 0x94D049BB133111EBL;
    return y ^ y >>> 31;
  }
}
