package hourglass.query.filter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An upper bound on the compiled size of a regular expression, derived from its text alone. {@code
 * (((x{100}){100}){100}){100}} would fill all memory. The bound is never too small, and often too
 * large. Immutable.
 *
 * @param places characters and classes, with repeats expanded; each has at most two instructions,
 *     and the whole has four more
 * @param ranges ranges of the classes, with repeats expanded
 * @param depth possible nesting of groups and of repeats of repeats
 * @param isFoldable whether the library can compile the expression if it ignores case
 */
record RegexSize(long places, long ranges, long depth, boolean isFoldable) {
  /** The number of ranges of {@code \pL}, the largest class. */
  private static final int CLASS_RANGES = 700;

  /**
   * The number of characters of a range that cost as much as one more range, since case folding
   * visits each of them.
   */
  private static final int FOLDED_A_RANGE = 16;

  private static final int CODE_POINT_MAX = 0x10ffff;

  /** The largest octal escape of two or three digits, or control character. */
  private static final int ESCAPED_MAX = 0777;

  /**
   * The first of the lower-case letters whose other cases do not lead back to them, so that the
   * library would follow the cases for ever.
   */
  private static final int ENDLESS_FIRST = 0x1c80;

  private static final int ENDLESS_LAST = 0x1c88;

  private static final int TIMES_MAX = 1_000_000;

  private static final Pattern FOLDS = Pattern.compile("\\(\\?[a-zA-Z-]*i");
  private static final Pattern LEVEL = Pattern.compile("\\(|\\\\E");
  private static final Pattern REPEAT =
      Pattern.compile("(\\)|\\\\E|)\\{([0-9]{1,9})(?:,([0-9]{0,9}))?\\}");

  static RegexSize of(String regex) {
    Scan scan = new Scan(regex, FOLDS.matcher(regex).find());
    scan.run();
    long times = timesAtMost(regex);
    long depth = LEVEL.matcher(regex).results().count();
    return new RegexSize(regex.length() * times, scan.ranges * times, depth, scan.isFoldable);
  }

  /**
   * An upper bound on the expansion of any part. All repeated groups are assumed to be nested. The
   * end of a quote counts as a group, because a repeat after an empty quote applies to the previous
   * repeat.
   */
  private static long timesAtMost(String regex) {
    long single = 1;
    long groups = 1;
    Matcher repeats = REPEAT.matcher(regex);
    while (repeats.find()) {
      String most =
          repeats.group(3) == null || repeats.group(3).isEmpty()
              ? repeats.group(2)
              : repeats.group(3);
      long times = Math.min(TIMES_MAX, Math.max(1, Long.parseLong(most)));
      if (repeats.group(1).isEmpty()) {
        single = Math.max(single, times);
      } else {
        groups = Math.min(TIMES_MAX, groups * times);
      }
    }
    return single * groups;
  }

  /** Counts the ranges of an expression. Everything that resembles a range counts as one. */
  private static final class Scan {
    private final String regex;
    private final boolean folds;
    private int at;
    private long ranges;
    private boolean isFoldable = true;

    /** The smallest possible values of the last character and the one before it. */
    private int last;

    private int beforeLast;

    private boolean isBehindDash;

    Scan(String regex, boolean folds) {
      this.regex = regex;
      this.folds = folds;
    }

    void run() {
      while (at < regex.length()) {
        int here = regex.codePointAt(at);
        at += Character.charCount(here);
        ranges++;
        if (here == '\\' && at < regex.length()) {
          escape();
        } else {
          character(here, here);
          isBehindDash = here == '-';
        }
      }
    }

    private void escape() {
      int kind = regex.codePointAt(at);
      at += Character.charCount(kind);
      if (kind == 'p' || kind == 'P') {
        ranges += CLASS_RANGES;
        character(0, 0);
      } else if (kind == 'x') {
        int value = hex();
        character(value, value);
      } else if (kind < 128 && Character.isLetterOrDigit(kind)) {
        character(0, ESCAPED_MAX);
      } else {
        character(kind, kind);
      }
    }

    /** Reads the value of an escape such as {@code x41} or {@code x{1c80}}, after its x. */
    private int hex() {
      boolean braces = at < regex.length() && regex.charAt(at) == '{';
      int from = braces ? at + 1 : at;
      int to = from;
      int value = 0;
      while (to < regex.length()
          && (braces || to < from + 2)
          && Character.digit(regex.charAt(to), 16) >= 0) {
        value = Math.min(CODE_POINT_MAX, value * 16 + Character.digit(regex.charAt(to), 16));
        to++;
      }
      at = braces && to < regex.length() ? to + 1 : to;
      return value;
    }

    private void character(int least, int most) {
      range(isBehindDash ? Math.min(beforeLast, least) : least, most);
      beforeLast = last;
      last = least;
      isBehindDash = false;
    }

    private void range(int first, int last) {
      if (folds && last >= first) {
        isFoldable &= last < ENDLESS_FIRST || first > ENDLESS_LAST;
        ranges += (last - first) / FOLDED_A_RANGE;
      }
    }
  }
}
