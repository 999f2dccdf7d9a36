package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The name of a field in JSON, which is in camel case or as in the schema. Immutable. */
final class JsonFieldName {
  private final String text;
  private final byte[] camel;
  private final byte[] snake;

  private JsonFieldName(String camel) {
    this.text = camel;
    this.camel = camel.getBytes(StandardCharsets.UTF_8);
    this.snake = snake(camel).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the name that is {@code camel} in camel case, such as {@code timeUnixNano}. */
  static JsonFieldName of(String camel) {
    return new JsonFieldName(camel);
  }

  /** Returns a name as in the schema, such as {@code time_unix_nano}. */
  static String snake(String camel) {
    return camel.replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  /** Returns whether the member that was read last has this name. */
  boolean isRead(JsonReader json) {
    return json.isName(camel) || json.isName(snake);
  }

  /** Returns the name in camel case. */
  @Override
  public String toString() {
    return text;
  }
}
