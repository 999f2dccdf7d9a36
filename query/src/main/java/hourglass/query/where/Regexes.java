package hourglass.query.where;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;

/**
 * Regular expressions of RE2, whose time is linear in the text, compiled once and not for each
 * event. Thread-safe.
 */
final class Regexes {
  /** Instructions of one, which each character may pass through. */
  static final int INSTRUCTIONS_MAX = 500;

  /**
   * What may come of a short text while it is compiled, before anybody could count instructions:
   * {@code (((x{100}){100}){100}){100}} would take all memory.
   */
  private static final long SIZE_MAX = 200_000;

  private static final java.util.regex.Pattern REPEAT =
      java.util.regex.Pattern.compile("(\\)?)\\{([0-9]{1,9})(?:,([0-9]{0,9}))?\\}");

  /** A query has a few; those that payloads bring are forgotten when there are too many. */
  private static final int KEPT = 100;

  private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

  private Regexes() {}

  /** Whether one fits a part of a text, as the language's {@code matches} tells it. */
  static boolean matches(String text, String regex) {
    return of(regex).matcher(text).find();
  }

  /**
   * The one of a text.
   *
   * @throws com.google.re2j.PatternSyntaxException if it is none
   * @throws IllegalArgumentException if it is too large
   */
  static Pattern of(String regex) {
    Pattern known = PATTERNS.get(regex);
    return known != null ? known : compiled(regex);
  }

  private static Pattern compiled(String regex) {
    long size = sizeAtMost(regex);
    if (size > SIZE_MAX) {
      throw new IllegalArgumentException(
          "is a regular expression that repeats its parts " + size + " times, want fewer");
    }
    Pattern pattern = Pattern.compile(regex);
    if (pattern.programSize() > INSTRUCTIONS_MAX) {
      throw new IllegalArgumentException(
          "is a regular expression of "
              + pattern.programSize()
              + " instructions, want at most "
              + INSTRUCTIONS_MAX);
    }
    if (PATTERNS.size() >= KEPT) {
      PATTERNS.clear();
    }
    PATTERNS.put(regex, pattern);
    return pattern;
  }

  /**
   * A bound of its length with repeats written out: only a group may hold other repeats, and all
   * groups that are repeated are taken to stand in one another.
   */
  private static long sizeAtMost(String regex) {
    long single = 1;
    long groups = 1;
    Matcher repeats = REPEAT.matcher(regex);
    while (repeats.find()) {
      String most =
          repeats.group(3) == null || repeats.group(3).isEmpty()
              ? repeats.group(2)
              : repeats.group(3);
      long times = Math.max(1, Long.parseLong(most));
      if (repeats.group(1).isEmpty()) {
        single = Math.max(single, Math.min(times, SIZE_MAX + 1));
      } else {
        groups = Math.min(SIZE_MAX + 1, groups * times);
      }
    }
    return regex.length() * single * groups;
  }
}
