package hourglass.bucketing;

/** Chooses which row of an (hour, type) takes a column. Implementations are thread-safe. */
public interface ShardPolicy {

  /**
   * The shard for a column.
   *
   * @param hour the hour of {@code ticks}
   * @param ticks the column name's timestamp
   * @param lsb the column name's lower half
   * @return from 0
   */
  int shard(Hour hour, String type, long ticks, long lsb);
}
