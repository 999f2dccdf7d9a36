package hourglass.bucketing.shards;

/**
 * Columns that go into one row.
 *
 * @param shard the row's number within its hour and type
 * @param from the first of them in their {@link ColumnBatch}
 * @param to one after the last
 */
public record Assignment(int shard, int from, int to) {}
