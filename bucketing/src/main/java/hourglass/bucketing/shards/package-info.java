/**
 * How many rows an hour of a type is spread over, and which: decided while the hour runs. Pure: no
 * store, no threads, no clock of its own.
 */
@NullMarked
package hourglass.bucketing.shards;

import org.jspecify.annotations.NullMarked;
