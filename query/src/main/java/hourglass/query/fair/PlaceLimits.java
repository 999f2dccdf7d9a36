package hourglass.query.fair;

/**
 * The bounds of {@link Places}. Immutable.
 *
 * @param places queries at work at a time
 * @param reserved places that only small queries get, fewer than {@code places}
 * @param waitingMax queries of each size that wait to begin
 * @param waitMillis how long a query may wait to begin
 * @param restingMax answers that were begun and have no place, as their clients do not take them
 * @param restMillis an answer that rested so long may be cut off where another waits for its room
 * @param yieldedMax queries that were begun and gave up their places for other clients
 * @param sliceMillis how long a query keeps its place while another client waits for it
 */
public record PlaceLimits(
    int places,
    int reserved,
    int waitingMax,
    long waitMillis,
    int restingMax,
    long restMillis,
    int yieldedMax,
    long sliceMillis) {

  /**
   * The limits around a number of places.
   *
   * <p>A quarter is reserved: a small query takes milliseconds, so four of 16 serve hundreds a
   * second. Those that wait to begin hold a few KB each. They wait for less than usual clients do
   * for an answer. An answer at rest holds a MiB or two: four a place are as many again as the
   * queries at work hold. A client that took nothing for two seconds is slow by any measure. What
   * yields keeps its slices, up to 8 MiB, so that only half as many do as there are places. Half a
   * second at work is more than most queries take at all.
   */
  public static PlaceLimits of(int places) {
    return new PlaceLimits(
        places, places / 4, 16 * places, 5_000, 4 * places, 2_000, places / 2, 500);
  }

  public PlaceLimits {
    if (places < 1 || reserved < 0 || reserved >= places) {
      throw new IllegalArgumentException(
          "reserved places: " + reserved + ", want 0 to " + (places - 1));
    }
  }

  /** Queries that were begun and have not ended, the small ones left out. */
  int begunMax() {
    return places + restingMax;
  }
}
