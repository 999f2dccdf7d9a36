package hourglass.query.where;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a regular expression may grow to while it is compiled, seen from its text alone: a class of
 * three characters, {@code \pL}, has hundreds of ranges, and {@code (((x{100}){100}){100}){100}}
 * would take all memory. Never too small, and often too large. Immutable.
 *
 * @param places characters and classes, repeats written out; at most two instructions each, and
 *     four for the whole
 * @param ranges those of their classes, repeats written out
 * @param depth groups and repeats of repeats that may stand in one another
 * @param isFoldable whether the library can compile it without regard to case, if it wants that
 */
record RegexSize(long places, long ranges, long depth, boolean isFoldable) {
  /** Of {@code \pL}, which has the most. */
  private static final int CLASS_RANGES = 700;

  /** Folding goes through a range character by character; so many take as long as one range. */
  private static final int FOLDED_A_RANGE = 16;

  private static final int CODE_POINT_MAX = 0x10ffff;

  /** An escape of two or three octal digits, or of a control character, is no larger. */
  private static final int ESCAPED_MAX = 0777;

  /**
   * Lower-case letters whose upper case has another lower case. The library looks for their other
   * cases until it is back at the first, so for ever.
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
   * How often a part may be written out: only a group may hold other repeats, and all groups that
   * are repeated are taken to stand in one another. An end of a quote counts as a group: behind an
   * empty quote a repeat applies to the repeat before it.
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

  /** Goes over the characters and escapes; takes all that looks like a range for one. */
  private static final class Scan {
    private final String regex;
    private final boolean folds;
    private int at;
    private long ranges;
    private boolean isFoldable = true;

    /** The least that the last character may be, and the one before it. */
    private int last;

    private int beforeLast;

    /** Whether the last one is a dash that may stand between the ends of a range. */
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

    /** The value of an escape such as {@code x41} or {@code x{1c80}}, behind its x. */
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
