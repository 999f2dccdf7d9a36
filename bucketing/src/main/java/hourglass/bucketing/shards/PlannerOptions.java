package hourglass.bucketing.shards;

/**
 * The width of rows, and the number of rows that are filled side by side.
 *
 * @param targetColumns columns of a row, exceeded by a tenth at most
 * @param targetBytes payload bytes of a row, likewise; a larger event gets a row of its own
 * @param spread rows of a busy type that a writer fills side by side; 0: as many as the store has
 *     nodes, if the type is worth that many
 */
public record PlannerOptions(long targetColumns, long targetBytes, int spread) {
  public static final PlannerOptions DEFAULTS = new PlannerOptions(100_000, 10L << 20, 0);

  /** The largest spread. More rows would each get only a trickle. */
  public static final int SPREAD_MAX = 1024;

  /** The narrowest row. With fewer columns, claims would cost more than the columns. */
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
