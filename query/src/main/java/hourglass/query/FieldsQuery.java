package hourglass.query;

/**
 * A query for the fields that events have.
 *
 * @param prefix of the fields' names from the root of the payload; empty: all fields
 * @param maySample whether a part of many events suffices
 */
public record FieldsQuery(Selection selection, String prefix, int n, boolean maySample) {
  public static final int N_MAX = 1_000;

  /** More than most applications have. */
  public static final int N_DEFAULT = 200;
}
