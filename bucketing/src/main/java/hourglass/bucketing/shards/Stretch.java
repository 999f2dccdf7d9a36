package hourglass.bucketing.shards;

/**
 * Columns that go into one row.
 *
 * @param shard the row's number within its hour and type
 * @param from the first of them in their {@link Load}
 * @param to one after the last
 */
public record Stretch(int shard, int from, int to) {}
