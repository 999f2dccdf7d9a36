package hourglass.ingest.kafka;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of a topic's dead-letter topic. Immutable.
 *
 * @param template the name, with {@link #TOPIC} in place of the topic's name; null if there are no
 *     dead-letter topics
 */
public record DeadLetterName(@Nullable String template) {
  public static final String TOPIC = "{topic}";

  /** The default name, such as {@code orders.rejected} for {@code orders}. */
  public static final DeadLetterName DEFAULT = new DeadLetterName(TOPIC + ".rejected");

  public static final DeadLetterName OFF = new DeadLetterName(null);

  public DeadLetterName {
    if (template != null && !template.replace(TOPIC, "").matches("[a-zA-Z0-9._-]*")
        || TOPIC.equals(template)
        || "".equals(template)) {
      throw new IllegalArgumentException(
          "\"" + template + "\": not a topic's name, in which {topic} stands for another's");
    }
  }

  /**
   * Returns the name for a template, or {@link #OFF} for the word off. Throws {@link
   * IllegalArgumentException} for a text that is neither.
   */
  public static DeadLetterName parse(String text) {
    return text.equals("off") ? OFF : new DeadLetterName(text);
  }

  @Nullable String of(String topic) {
    return template == null ? null : template.replace(TOPIC, topic);
  }

  /** Returns an expression that matches all dead-letter topics; empty if there are none. */
  Optional<String> regex() {
    return Optional.ofNullable(template)
        .map(name -> "\\Q" + name.replace(TOPIC, "\\E.+\\Q") + "\\E");
  }
}
