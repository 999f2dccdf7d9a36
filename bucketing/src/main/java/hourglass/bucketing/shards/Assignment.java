package hourglass.bucketing.shards;

/**
 * A range of a batch that is written to one row.
 *
 * @param shard the row's number within its type hour
 * @param from the first column in the {@link ColumnBatch}
 * @param to one after the last column
 */
public record Assignment(int shard, int from, int to) {}
