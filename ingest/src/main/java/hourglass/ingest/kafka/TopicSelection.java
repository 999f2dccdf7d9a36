package hourglass.ingest.kafka;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * Selects topics by name, or by a regular expression between slashes for the whole name. Immutable.
 */
public record TopicSelection(List<String> texts) {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /**
   * Throws {@link IllegalArgumentException} for a text that is neither a name nor an expression.
   */
  public TopicSelection {
    texts = List.copyOf(texts);
    for (String text : texts) {
      if (isPattern(text)) {
        check(inner(text));
      } else if (!NAME.matcher(text).matches() || text.equals(".") || text.equals("..")) {
        throw new IllegalArgumentException(
            "\"" + text + "\": want the name of a topic, or a regular expression between slashes");
      }
    }
  }

  private static void check(String regex) {
    try {
      Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "\"" + e.getPattern() + "\": not a regular expression: " + e.getDescription(), e);
    }
  }

  private static boolean isPattern(String text) {
    return text.length() > 2 && text.startsWith("/") && text.endsWith("/");
  }

  private static String inner(String pattern) {
    return pattern.substring(1, pattern.length() - 1);
  }

  List<String> names() {
    return texts.stream().filter(text -> !isPattern(text)).toList();
  }

  boolean hasPatterns() {
    return texts.stream().anyMatch(TopicSelection::isPattern);
  }

  /**
   * Returns an expression for all topics. A pattern of topics does not match dead-letter topics.
   */
  Pattern pattern(DeadLetterName deadLetters) {
    String none = deadLetters.regex().map(regex -> "(?!" + regex + "$)").orElse("");
    return Pattern.compile(
        texts.stream()
            .map(text -> isPattern(text) ? none + "(?:" + inner(text) + ")" : Pattern.quote(text))
            .collect(Collectors.joining("|")));
  }

  @Override
  public String toString() {
    return texts.toString();
  }
}
