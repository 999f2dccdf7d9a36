package hourglass.ingest.kafka;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the dead-letter topic of a topic is called. Immutable.
 *
 * @param template with {@link #TOPIC} where the topic's name stands, or a name for all; null: there
 *     is none
 */
public record DeadLetterName(@Nullable String template) {
  /** Stands for the name of the topic that a record came from. */
  public static final String TOPIC = "{topic}";

  /** {@code orders.rejected} for {@code orders}. */
  public static final DeadLetterName DEFAULT = new DeadLetterName(TOPIC + ".rejected");

  /** No dead-letter topics. */
  public static final DeadLetterName OFF = new DeadLetterName(null);

  public DeadLetterName {
    if (template != null && !template.replace(TOPIC, "").matches("[a-zA-Z0-9._-]*")
        || TOPIC.equals(template)
        || "".equals(template)) {
      throw new IllegalArgumentException(
          "\"" + template + "\": want a topic's name, in which {topic} stands for another's");
    }
  }

  /** Where the records of a topic go; null: nowhere. */
  @Nullable String of(String topic) {
    return template == null ? null : template.replace(TOPIC, topic);
  }

  /** Matches all of these; nothing if there are none. */
  Optional<String> regex() {
    return Optional.ofNullable(template)
        .map(name -> "\\Q" + name.replace(TOPIC, "\\E.+\\Q") + "\\E");
  }
}
