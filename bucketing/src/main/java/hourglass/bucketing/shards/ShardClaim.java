package hourglass.bucketing.shards;

/**
 * What a writer may have put into a row, told before it does: the row never gets more from it.
 *
 * @param shard the row's number within its hour and type
 * @param writer who; {@link #NO_WRITER} for what was there before anybody claimed
 * @param sole whether nobody else may use the row
 * @param columns the most that the writer puts there; 0: it keeps off
 * @param bytes of their payloads, alike
 */
public record ShardClaim(int shard, String writer, boolean sole, long columns, long bytes) {
  /** Columns of this one are there, and nobody will add to them. */
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
