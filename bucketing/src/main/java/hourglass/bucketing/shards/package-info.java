/**
 * Shard planning: the number and choice of rows of a type hour, decided while the hour runs,
 * without a store, threads or a clock. Start with {@link hourglass.bucketing.shards.ShardPlanner}.
 */
@NullMarked
package hourglass.bucketing.shards;

import org.jspecify.annotations.NullMarked;
