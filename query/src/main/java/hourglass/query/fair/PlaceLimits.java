package hourglass.query.fair;

/**
 * The limits of {@link Places}. Immutable.
 *
 * @param places queries that work at the same time
 * @param reserved places for small queries only, fewer than {@code places}
 * @param waitingMax queries of each size that wait to begin
 * @param restingMax answers that may be begun beyond {@code places}, since resting ones need no
 *     place
 * @param restMillis the rest after which an answer may be cut off for another query
 * @param yieldedMax queries that have yielded, beyond which none yields to a new query
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
   * The default limits for a number of places.
   *
   * <p>A small query takes milliseconds, so a reserved quarter of 16 places serves hundreds a
   * second. A waiting query holds a few KB, and waits for less time than clients usually wait. A
   * resting answer holds a MiB or two; four for each place double the memory of the working
   * queries. A client that reads nothing for two seconds is slow by any measure. A query that
   * yields keeps its slices, up to 8 MiB, so at most half as many as there are places may yield.
   * Half a second of work is more than most queries need.
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

  /** The most queries that may have begun, not counting small ones. */
  int begunMax() {
    return places + restingMax;
  }
}
