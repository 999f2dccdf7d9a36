package hourglass.query;

/**
 * A query for the fields of events.
 *
 * @param prefix the beginning of the fields' names from the root of the payload; empty for all
 * @param maySample whether a part is enough if there are many events
 */
public record FieldsQuery(Selection selection, String prefix, int n, boolean maySample) {
  public static final int N_MAX = 1_000;

  /** The default number of fields, which is larger than that of most applications. */
  public static final int N_DEFAULT = 200;
}
