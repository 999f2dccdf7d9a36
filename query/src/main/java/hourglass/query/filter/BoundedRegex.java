package hourglass.query.filter;

import com.google.re2j.Pattern;

/**
 * A regular expression of RE2, bounded in size. Its steps count as work of the current event: use
 * it in {@link Effort#within}. Immutable.
 */
public final class BoundedRegex {
  private final Pattern pattern;
  private final boolean isWhole;

  private BoundedRegex(Pattern pattern, boolean isWhole) {
    this.pattern = pattern;
    this.isWhole = isWhole;
  }

  /** The room that the regular expressions of one query share. Used by one thread. */
  public static final class Room {
    private final Regexes.Allowance allowance = new Regexes.Allowance();

    /**
     * A search for an expression anywhere in a text.
     *
     * @throws IllegalArgumentException if it is none, or too large; the message goes on behind
     *     {@code it}
     */
    public BoundedRegex search(String regex) {
      return new BoundedRegex(allowance.constant(regex), false);
    }

    /** As above, for an expression of whole texts, in which a dot is any character. */
    public BoundedRegex whole(String regex) {
      return new BoundedRegex(allowance.constant("(?s)" + regex), true);
    }
  }

  public boolean isIn(String text) {
    Effort effort = Effort.current();
    return isWhole ? Regexes.matches(pattern, text, effort) : Regexes.find(pattern, text, effort);
  }
}
