package hourglass.query.typed;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the names of fields in a typed filter, and distinguishes them from addresses, times and
 * places in source code.
 */
final class Names {
  /** A name, which may contain dots, or any name in backticks. */
  private static final Pattern NAME =
      Pattern.compile(
          "`([^`\\r\\n]+)`"
              + "|([\\p{L}_@$](?:[\\p{L}\\p{M}\\p{N}_@$-]*[\\p{L}\\p{M}\\p{N}_@$])?"
              + "(?:\\.[\\p{L}\\p{M}\\p{N}_@$](?:[\\p{L}\\p{M}\\p{N}_@$-]*[\\p{L}\\p{M}\\p{N}_@$])?)*+)");

  /** The signs after a word that is not a field, as in {@code http://} or {@code std::vector}. */
  private static final Pattern NO_FIELD = Pattern.compile("://|::");

  /** The beginning of a path such as {@code C:\temp}. */
  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:\\\\");

  /**
   * A line of source code, such as {@code com.shop.Basket:12} or {@code main.go:12:3}. A name that
   * begins with {@code data.} is a field, even in {@code data.c:12}.
   */
  private static final Pattern SOURCE_LINE =
      Pattern.compile(
          "(?!data\\.)[\\p{L}_$][\\w$.-]*\\.(?:\\p{Lu}[\\w$]*|c|cc|cpp|cs|go|h|java|js|jsx|kt|m|php|pl|py|rb|rs|scala"
              + "|sh|sql|swift|ts|tsx):\\d[\\d:]*(?![^\\s)])");

  /** An address such as {@code a4:b1:c1:d1:e1:f1} or {@code fe80:0:0:1}. */
  private static final Pattern ADDRESS =
      Pattern.compile("\\p{XDigit}{1,4}(?::\\p{XDigit}{1,4}){2,}+(?![^\\s)])");

  /** A name at {@code [from, to)}. */
  record Found(String name, int from, int to) {}

  private Names() {}

  /** Returns the name of the field that begins at a place; empty if a text begins there. */
  static Optional<Found> fieldAt(String text, int from) {
    Matcher matcher = NAME.matcher(text).region(from, text.length());
    if (!matcher.lookingAt()
        || isAt(NO_FIELD, text, matcher.end())
        || isAt(DRIVE, text, from)
        || isAt(SOURCE_LINE, text, from)
        || isAt(ADDRESS, text, from)) {
      return Optional.empty();
    }
    String name = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    return Optional.of(new Found(name, from, matcher.end()));
  }

  private static boolean isAt(Pattern pattern, String text, int from) {
    return from < text.length() && pattern.matcher(text).region(from, text.length()).lookingAt();
  }
}
