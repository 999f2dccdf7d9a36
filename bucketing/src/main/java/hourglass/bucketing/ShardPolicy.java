package hourglass.bucketing;

/** Chooses which row of an (hour, type) takes a column. Implementations are thread-safe. */
public interface ShardPolicy {

  /** Not fixed: a planner chooses by the content of the rows. */
  int PLANNED = -1;

  int shard(Hour hour, String type, long ticks, long lsb);
}
