package hourglass.testing;

import java.util.Locale;

/**
 * How many of the tests a run includes. A tag of a test names the first tier in which it runs; a
 * test without a tag runs in each.
 *
 * <pre>
 * ./verify           first   what a change needs, in minutes
 * ./verify --full    full    everything that continuous integration runs
 * ./verify --long    longest the campaigns, with new seeds each time
 * </pre>
 */
public enum Tier {
  FIRST,
  FULL,
  LONGEST;

  /** The tag of a test that runs in each tier. Tests of the whole program must name their tier. */
  public static final String IN_FIRST = "first";

  /** The tag of a test that is left out of the first tier. */
  public static final String IN_FULL = "full";

  /** The tag of a test that runs in the last tier alone. */
  public static final String IN_LONGEST = "longest";

  /**
   * The system property that names the tier of a run in lower case; if it is unset, the tier is the
   * first.
   */
  public static final String PROPERTY = "hourglass.tier";

  /** Returns the tier of this run. */
  public static Tier current() {
    return valueOf(System.getProperty(PROPERTY, "first").toUpperCase(Locale.ROOT));
  }

  /** Returns one of three values, by the tier of this run. */
  public static int length(int first, int full, int longest) {
    return switch (current()) {
      case FIRST -> first;
      case FULL -> full;
      case LONGEST -> longest;
    };
  }
}
