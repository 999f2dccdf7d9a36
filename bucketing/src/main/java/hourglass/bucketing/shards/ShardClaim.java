package hourglass.bucketing.shards;

/**
 * An upper bound on the columns of one writer in one row, published before it writes them.
 *
 * @param writer the writer's name; {@link #NO_WRITER} for columns from before the first claim
 * @param sole whether no other writer may use the row
 * @param columns the bound; 0: the writer does not use the row
 */
public record ShardClaim(int shard, String writer, boolean sole, long columns, long bytes) {
  /** The writer of unclaimed columns, which will not increase. */
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
