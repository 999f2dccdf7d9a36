package hourglass.query;

/**
 * A query for the most frequent values of a field.
 *
 * @param path from the root of the payload
 */
public record TopQuery(Selection selection, String path, int n, Grouping grouping) {
  /** The most values. A longer list would no longer consist of frequent values. */
  public static final int N_MAX = 1_000;

  /** The default number of values: as many as a reader sees at a glance. */
  public static final int N_DEFAULT = 20;
}
