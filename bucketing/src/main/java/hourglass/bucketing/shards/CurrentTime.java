package hourglass.bucketing.shards;

/** A monotonic time for durations, and the time since 1970, which may step either way. */
record CurrentTime(long elapsedMillis, long utcMillis) {}
