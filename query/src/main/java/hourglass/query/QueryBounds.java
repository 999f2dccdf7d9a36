package hourglass.query;

/**
 * The bounds on the cost of one query. Immutable.
 *
 * @param rowsMax rows that a query for events may read
 * @param bytesMax payload bytes that it may read
 * @param timeoutMillis how long any query may run, without waits for its client or a place
 */
public record QueryBounds(long rowsMax, long bytesMax, long timeoutMillis) {
  /**
   * The default bounds. A row costs a few milliseconds of a cluster: eight at a time, 100,000 rows
   * take a minute. The bytes take ten minutes at 100 MB/s, so that most queries that would time out
   * are refused first. No client waits longer than the timeout.
   */
  public static final QueryBounds DEFAULTS = new QueryBounds(100_000, 64L << 30, 600_000);

  /** The bounds of queries that no user sent, which are practically infinite. */
  public static final QueryBounds WIDEST = new QueryBounds(1_000_000_000, 1L << 60, 604_800_000);

  public QueryBounds {
    check("rowsMax", rowsMax, 1, 1_000_000_000);
    check("bytesMax", bytesMax, 1, 1L << 60);
    check("timeoutMillis", timeoutMillis, 1, 604_800_000);
  }

  /**
   * Checks an option of this class or of {@link QueryOptions}, which needs this class for its
   * defaults.
   */
  static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "query option " + name + ": " + value + ", want " + min + " to " + max);
    }
  }
}
