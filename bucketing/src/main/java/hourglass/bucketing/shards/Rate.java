package hourglass.bucketing.shards;

/** An exponentially weighted average of columns and bytes per second. Not thread-safe. */
final class Rate {
  private static final double MEMORY_SECONDS = 10;

  private double columnsPerSecond;
  private double bytesPerSecond;
  private long atMillis;

  Rate(long nowMillis) {
    atMillis = nowMillis;
  }

  Rate(Rate before, long nowMillis) {
    columnsPerSecond = before.columnsPerSecond;
    bytesPerSecond = before.bytesPerSecond;
    atMillis = before.atMillis;
    decay(nowMillis);
  }

  void add(Capacity capacity, long nowMillis) {
    decay(nowMillis);
    columnsPerSecond += capacity.columns() / MEMORY_SECONDS;
    bytesPerSecond += capacity.bytes() / MEMORY_SECONDS;
  }

  /** Removes a capacity from the average. {@code recordedMillis} is the time of {@link #add}. */
  void takeBack(Capacity capacity, long recordedMillis, long nowMillis) {
    decay(nowMillis);
    double left = kept(nowMillis - recordedMillis) / MEMORY_SECONDS;
    columnsPerSecond = Math.max(0, columnsPerSecond - capacity.columns() * left);
    bytesPerSecond = Math.max(0, bytesPerSecond - capacity.bytes() * left);
  }

  /** Raises an average that is too young to a least share of a row per second. */
  void atLeast(double perSecond, Capacity target) {
    double known = Math.max(columnsPerSecond / target.columns(), bytesPerSecond / target.bytes());
    if (known > 0 && known < perSecond) {
      columnsPerSecond *= perSecond / known;
      bytesPerSecond *= perSecond / known;
    }
  }

  Capacity in(double seconds, long nowMillis) {
    decay(nowMillis);
    return new Capacity((long) (columnsPerSecond * seconds), (long) (bytesPerSecond * seconds));
  }

  // A clock may step back; the average then stays.
  private void decay(long nowMillis) {
    long millis = nowMillis - atMillis;
    if (millis > 0) {
      double kept = kept(millis);
      columnsPerSecond *= kept;
      bytesPerSecond *= kept;
      atMillis = nowMillis;
    }
  }

  private static double kept(long millis) {
    return Math.exp(-millis / (1000 * MEMORY_SECONDS));
  }
}
