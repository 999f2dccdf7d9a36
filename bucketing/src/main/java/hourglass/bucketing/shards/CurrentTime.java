package hourglass.bucketing.shards;

/**
 * Now, by two clocks: how long something took says only the one that nobody sets.
 *
 * @param elapsedMillis since any point; never goes back
 * @param utcMillis since 1970, for what hour it is; may step either way
 */
record CurrentTime(long elapsedMillis, long utcMillis) {}
