package hourglass.bucketing.planner;

/** How fast columns come: an average over the last seconds that forgets exponentially. */
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

  void add(long columns, long bytes, long nowMillis) {
    decay(nowMillis);
    columnsPerSecond += columns / MEMORY_SECONDS;
    bytesPerSecond += bytes / MEMORY_SECONDS;
  }

  /** What comes in so many seconds if it goes on like that. */
  Room in(double seconds, long nowMillis) {
    decay(nowMillis);
    return new Room((long) (columnsPerSecond * seconds), (long) (bytesPerSecond * seconds));
  }

  // Clocks may step back; then time stands still.
  private void decay(long nowMillis) {
    long millis = nowMillis - atMillis;
    if (millis > 0) {
      double kept = Math.exp(-millis / (1000 * MEMORY_SECONDS));
      columnsPerSecond *= kept;
      bytesPerSecond *= kept;
      atMillis = nowMillis;
    }
  }
}
