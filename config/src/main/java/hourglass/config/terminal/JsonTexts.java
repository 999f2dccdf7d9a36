package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The texts of a small object in JSON by their names; empty if it is none. */
final class JsonTexts {
  private JsonTexts() {}

  static Map<String, String> of(String object) {
    Map<String, String> texts = new HashMap<>();
    try (JsonParser parser = Json.parser(object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Map.of();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.VALUE_STRING) {
          texts.put(name, parser.getText());
        }
        parser.skipChildren();
      }
      return texts;
    } catch (IOException notJson) {
      return Map.of();
    }
  }
}
