package hourglass.access;

/**
 * What one client may take; 0: as much as there is. Immutable.
 *
 * @param eventsPerSecond that are stored
 * @param bytesPerSecond of request bodies, as they are sent
 * @param requests pushes and queries under way
 * @param queries under way
 * @param tails under way
 * @param readBytesPerMinute of answers and tails, as they are sent
 */
public record Limits(
    long eventsPerSecond,
    long bytesPerSecond,
    int requests,
    int queries,
    int tails,
    long readBytesPerMinute) {

  public static final Limits NONE = new Limits(0, 0, 0, 0, 0, 0);

  /** Each limit that is 0 here is that of the {@code defaults}. */
  public Limits orElse(Limits defaults) {
    return new Limits(
        first(eventsPerSecond, defaults.eventsPerSecond),
        first(bytesPerSecond, defaults.bytesPerSecond),
        Math.toIntExact(first(requests, defaults.requests)),
        Math.toIntExact(first(queries, defaults.queries)),
        Math.toIntExact(first(tails, defaults.tails)),
        first(readBytesPerMinute, defaults.readBytesPerMinute));
  }

  private static long first(long own, long other) {
    return own == 0 ? other : own;
  }
}
