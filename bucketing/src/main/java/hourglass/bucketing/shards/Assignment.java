package hourglass.bucketing.shards;

/** The columns {@code [from, to)} of a batch that are written to one row. */
public record Assignment(int shard, int from, int to) {}
