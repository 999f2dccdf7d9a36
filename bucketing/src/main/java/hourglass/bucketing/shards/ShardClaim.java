package hourglass.bucketing.shards;

/**
 * An upper bound on one writer's columns and payload bytes in a row, published before it writes
 * them. With 0 columns, the writer does not use the row. If {@code sole}, no other writer may use
 * it.
 */
public record ShardClaim(int shard, String writer, boolean sole, long columns, long bytes) {
  /** The writer of columns without a claim, which will not increase. */
  public static final String NO_WRITER = "";

  public ShardClaim {
    if (shard < 0 || columns < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "claim: " + shard + ", " + columns + " columns, " + bytes + " bytes, want 0 or more");
    }
  }

  Capacity capacity() {
    return new Capacity(columns, bytes);
  }
}
