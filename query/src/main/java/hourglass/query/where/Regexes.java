package hourglass.query.where;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Regular expressions of RE2, whose time is linear in the text, compiled once and not for each
 * event. Thread-safe.
 */
final class Regexes {
  /** Instructions of one, which each character may pass through. */
  static final int INSTRUCTIONS_MAX = 500;

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
}
