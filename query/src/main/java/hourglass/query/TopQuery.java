package hourglass.query;

/**
 * A query for the most frequent values of a field.
 *
 * @param path from the root of the payload
 */
public record TopQuery(Selection selection, String path, int n, Grouping grouping) {
  /** A longer list no longer shows frequent values. */
  public static final int N_MAX = 1_000;

  /** As many as a reader sees at a glance. */
  public static final int N_DEFAULT = 20;
}
