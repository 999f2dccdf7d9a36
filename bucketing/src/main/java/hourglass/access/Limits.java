package hourglass.access;

/**
 * The limits of one client; 0: no limit. Immutable.
 *
 * @param eventsPerSecond events that are stored
 * @param bytesPerSecond bytes of request bodies, as they are sent
 * @param requests pushes and queries under way
 * @param queries queries under way
 * @param tails tails under way
 * @param readBytesPerMinute bytes of answers and tails, as they are sent
 */
public record Limits(
    long eventsPerSecond,
    long bytesPerSecond,
    int requests,
    int queries,
    int tails,
    long readBytesPerMinute) {

  public static final Limits NONE = new Limits(0, 0, 0, 0, 0, 0);

  /** Returns these limits, with those of the {@code defaults} in place of each 0. */
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
