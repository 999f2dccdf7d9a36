package hourglass.query.filter;

import com.google.re2j.Pattern;

/**
 * A regular expression of RE2 with a bounded size. Its steps count as work of the current event, so
 * it is used in {@link Effort#within}. Immutable.
 */
public final class BoundedRegex {
  private final Pattern pattern;
  private final boolean isWhole;

  private BoundedRegex(Pattern pattern, boolean isWhole) {
    this.pattern = pattern;
    this.isWhole = isWhole;
  }

  /** The memory that the regular expressions of one query share. Used by one thread. */
  public static final class Room {
    private final Regexes.Allowance allowance = new Regexes.Allowance();

    /**
     * Compiles an expression that is searched for anywhere in a text.
     *
     * @throws IllegalArgumentException if it is invalid or too large; the message continues a
     *     sentence that begins with {@code it}
     */
    public BoundedRegex search(String regex) {
      return new BoundedRegex(allowance.constant(regex), false);
    }

    /** Compiles an expression that must match a whole text, and in which a dot is any character. */
    public BoundedRegex whole(String regex) {
      return new BoundedRegex(allowance.constant("(?s)" + regex), true);
    }
  }

  public boolean isIn(String text) {
    Effort effort = Effort.current();
    return isWhole ? Regexes.matches(pattern, text, effort) : Regexes.find(pattern, text, effort);
  }
}
