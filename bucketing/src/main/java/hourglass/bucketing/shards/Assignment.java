package hourglass.bucketing.shards;

/** A range of a batch that is written to one row. */
public record Assignment(int shard, int from, int to) {}
