package hourglass.bucketing.shards;

/**
 * The current time from a monotonic clock and a wall clock. Use the monotonic one for durations.
 *
 * @param elapsedMillis since any point; never decreases
 * @param utcMillis since 1970, to find the current hour; may step either way
 */
record CurrentTime(long elapsedMillis, long utcMillis) {}
