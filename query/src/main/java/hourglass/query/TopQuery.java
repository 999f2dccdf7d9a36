package hourglass.query;

/**
 * Which values of a field to look for.
 *
 * @param selection of which events
 * @param path to the field, from the payload on
 * @param n how many values at most
 */
public record TopQuery(Selection selection, String path, int n) {
  /** Longer lists are no answer to what is frequent. */
  public static final int N_MAX = 1_000;

  /** So many that they are seen at a glance. */
  public static final int N_DEFAULT = 20;
}
