package hourglass.ingest.kafka;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of the dead-letter topic of a topic. Immutable.
 *
 * @param template a name, in which {@link #TOPIC} stands for the topic's name; null: no dead-letter
 *     topics
 */
public record DeadLetterName(@Nullable String template) {
  /** The placeholder of the record's topic. */
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

  /** The dead-letter topic of a topic; null if there is none. */
  @Nullable String of(String topic) {
    return template == null ? null : template.replace(TOPIC, topic);
  }

  /** A pattern for all dead-letter topics; empty if there are none. */
  Optional<String> regex() {
    return Optional.ofNullable(template)
        .map(name -> "\\Q" + name.replace(TOPIC, "\\E.+\\Q") + "\\E");
  }
}
