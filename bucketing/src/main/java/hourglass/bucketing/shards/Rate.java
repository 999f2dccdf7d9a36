package hourglass.bucketing.shards;

/**
 * How fast columns come: an average over the last seconds that forgets exponentially. Not
 * thread-safe.
 */
final class Rate {
  private static final double MEMORY_SECONDS = 10;

  private double columnsPerSecond;
  private double bytesPerSecond;
  private long atMillis;

  Rate(long nowMillis) {
    atMillis = nowMillis;
  }

  /** Goes on from another one. */
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

  /**
   * Takes back what was added.
   *
   * @param recordedMillis when it was
   */
  void takeBack(Capacity capacity, long recordedMillis, long nowMillis) {
    decay(nowMillis);
    double left = kept(nowMillis - recordedMillis) / MEMORY_SECONDS;
    columnsPerSecond = Math.max(0, columnsPerSecond - capacity.columns() * left);
    bytesPerSecond = Math.max(0, bytesPerSecond - capacity.bytes() * left);
  }

  /**
   * Raises an average that has not seen enough yet; columns and bytes alike.
   *
   * @param perSecond the share of a row that certainly comes in a second
   */
  void atLeast(double perSecond, Capacity target) {
    double known = Math.max(columnsPerSecond / target.columns(), bytesPerSecond / target.bytes());
    if (known > 0 && known < perSecond) {
      columnsPerSecond *= perSecond / known;
      bytesPerSecond *= perSecond / known;
    }
  }

  /** What comes in so many seconds if it goes on like that. */
  Capacity in(double seconds, long nowMillis) {
    decay(nowMillis);
    return new Capacity((long) (columnsPerSecond * seconds), (long) (bytesPerSecond * seconds));
  }

  // Clocks may step back; then time stands still.
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
