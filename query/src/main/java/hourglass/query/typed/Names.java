package hourglass.query.typed;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of fields as they are typed, told apart from addresses, times and places in code. */
final class Names {
  /** A name with dots, or any name in backticks. */
  private static final Pattern NAME =
      Pattern.compile(
          "`([^`\\r\\n]+)`"
              + "|([\\p{L}_@$](?:[\\p{L}\\p{M}\\p{N}_@$-]*[\\p{L}\\p{M}\\p{N}_@$])?"
              + "(?:\\.[\\p{L}\\p{M}\\p{N}_@$](?:[\\p{L}\\p{M}\\p{N}_@$-]*[\\p{L}\\p{M}\\p{N}_@$])?)*+)");

  /** {@code http://}, {@code std::vector}. */
  private static final Pattern NO_FIELD = Pattern.compile("://|::");

  /** {@code C:\temp} */
  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:\\\\");

  /**
   * {@code com.shop.Basket:12}, {@code main.go:12:3}: a line of source code. What begins with
   * {@code data.} is a field, also {@code data.c:12}.
   */
  private static final Pattern SOURCE_LINE =
      Pattern.compile(
          "(?!data\\.)[\\p{L}_$][\\w$.-]*\\.(?:\\p{Lu}[\\w$]*|c|cc|cpp|cs|go|h|java|js|jsx|kt|m|php|pl|py|rb|rs|scala"
              + "|sh|sql|swift|ts|tsx):\\d[\\d:]*(?![^\\s)])");

  /** {@code a4:b1:c1:d1:e1:f1}, {@code fe80:0:0:1}: an address. */
  private static final Pattern ADDRESS =
      Pattern.compile("\\p{XDigit}{1,4}(?::\\p{XDigit}{1,4}){2,}+(?![^\\s)])");

  /** A name at {@code [from, to)}. */
  record Found(String name, int from, int to) {}

  private Names() {}

  /** The name of a field that begins at a place; empty if a text begins there. */
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
