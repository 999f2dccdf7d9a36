package hourglass.ingest.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Topics by name or by pattern. Immutable. */
public final class TopicSelection {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private final List<String> texts;
  private final List<String> names = new ArrayList<>();
  private final List<Pattern> patterns = new ArrayList<>();

  private TopicSelection(List<String> texts) {
    this.texts = List.copyOf(texts);
    for (String text : texts) {
      if (text.length() > 2 && text.startsWith("/") && text.endsWith("/")) {
        patterns.add(Pattern.compile(text.substring(1, text.length() - 1)));
      } else if (NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..")) {
        names.add(text);
      } else {
        throw new IllegalArgumentException(
            "\"" + text + "\": want the name of a topic, or a regular expression between slashes");
      }
    }
  }

  /**
   * Parses topic names, and regular expressions between slashes that must match a whole name.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static TopicSelection of(List<String> texts) {
    try {
      return new TopicSelection(texts);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "\"" + e.getPattern() + "\": not a regular expression: " + e.getDescription(), e);
    }
  }

  /** The texts as configured. */
  public List<String> texts() {
    return texts;
  }

  List<String> names() {
    return names;
  }

  boolean hasPatterns() {
    return !patterns.isEmpty();
  }

  /** A pattern for all topics; patterns of topics do not match dead-letter topics. */
  Pattern pattern(DeadLetterName deadLetters) {
    List<String> parts = new ArrayList<>();
    names.forEach(name -> parts.add(Pattern.quote(name)));
    String none = deadLetters.regex().map(regex -> "(?!" + regex + "$)").orElse("");
    patterns.forEach(pattern -> parts.add(none + "(?:" + pattern.pattern() + ")"));
    return Pattern.compile(String.join("|", parts));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicSelection that && that.texts.equals(texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return texts.toString();
  }
}
