package hourglass.query;

/**
 * What one query may cost. Immutable.
 *
 * @param rowsMax rows that a query of events may read
 * @param bytesMax bytes of payloads that it may read
 * @param timeoutMillis how long any query may run; while it waits for its client to take what is
 *     there, this clock stands still
 */
public record QueryBounds(long rowsMax, long bytesMax, long timeoutMillis) {
  /**
   * The defaults. Rows: each costs a call of the store at least, a few milliseconds of a cluster's
   * time; eight at a time, these are a minute. Bytes: what ten minutes bring at 100 MB/s, so that
   * what is too much for the next bound is mostly told before it runs. Time: nobody waits longer
   * for an answer, and a query that nobody waits for should not keep its place among the few.
   */
  public static final QueryBounds DEFAULTS = new QueryBounds(100_000, 64L << 30, 600_000);

  /** As good as none, for what no user asked. */
  public static final QueryBounds WIDEST = new QueryBounds(1_000_000_000, 1L << 60, 604_800_000);

  public QueryBounds {
    check("rowsMax", rowsMax, 1_000_000_000);
    check("bytesMax", bytesMax, 1L << 60);
    check("timeoutMillis", timeoutMillis, 604_800_000);
  }

  private static void check(String name, long value, long max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(
          "query bound " + name + ": " + value + ", want 1 to " + max);
    }
  }
}
