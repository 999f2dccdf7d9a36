package hourglass.bucketing.shards;

/**
 * How wide rows get, and how many take turns.
 *
 * @param targetColumns columns that a row aims at; it is passed by a tenth at the most
 * @param targetBytes payload bytes that a row aims at, alike; a single event may be larger, and
 *     then has a row of its own
 * @param spread rows of a busy type that a writer fills side by side; 0: as many as its store has
 *     nodes, if the type is worth that many
 */
public record PlannerOptions(long targetColumns, long targetBytes, int spread) {
  /** Rows of 100,000 columns or 10 MiB. */
  public static final PlannerOptions DEFAULTS = new PlannerOptions(100_000, 10L << 20, 0);

  /** Beyond that, each of the rows gets a trickle. */
  public static final int SPREAD_MAX = 1024;

  /** With fewer, claims would cost more than the columns. */
  public static final long TARGET_COLUMNS_MIN = 100;

  public static final long TARGET_COLUMNS_MAX = 1_000_000_000;
  public static final long TARGET_BYTES_MIN = 64 << 10;
  public static final long TARGET_BYTES_MAX = 1L << 40;

  public PlannerOptions {
    range("target-columns", targetColumns, TARGET_COLUMNS_MIN, TARGET_COLUMNS_MAX);
    range("target-bytes", targetBytes, TARGET_BYTES_MIN, TARGET_BYTES_MAX);
    range("spread", spread, 0, SPREAD_MAX);
  }

  private static void range(String key, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(key + ": " + value + ", want " + min + " to " + max);
    }
  }

  Capacity target() {
    return new Capacity(targetColumns, targetBytes);
  }
}
