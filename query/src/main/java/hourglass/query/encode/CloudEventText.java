package hourglass.query.encode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.query.where.TextSearch;
import hourglass.store.Columns;
import java.io.IOException;

/**
 * Tells CloudEvents 1.0 among payloads: objects with {@code specversion} "1.0" and {@code id},
 * {@code source} and {@code type} that are strings and not empty.
 */
final class CloudEventText {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Cheap tests, before anything is parsed: the name that all have, or an escape it may hide in.
   */
  private static final TextSearch SPECVERSION = new TextSearch("\"specversion\"");

  private static final TextSearch ESCAPE = new TextSearch("\\u");

  /** The bits of all that {@link #required} knows. */
  private static final int REQUIRED = 0b1111;

  private CloudEventText() {}

  static boolean isOne(Columns columns, int i) {
    return (SPECVERSION.isIn(columns, i) || ESCAPE.isIn(columns, i))
        && isOne(columns.bytes(), columns.offset(i), columns.length(i));
  }

  private static boolean isOne(byte[] bytes, int from, int length) {
    try (JsonParser json = JSON.createParser(bytes, from, length)) {
      int found = 0;
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          found |= required(json);
          json.skipChildren();
        }
      }
      return found == REQUIRED;
    } catch (IOException e) {
      return false; // deeper, or longer in a number, than the parser goes: none that was checked
    }
  }

  /** The bit of a field that it needs, if it is as it should be; goes on to its value. */
  private static int required(JsonParser json) throws IOException {
    String name = json.currentName();
    boolean isText = json.nextToken() == JsonToken.VALUE_STRING && json.getTextLength() > 0;
    return switch (name) {
      case "specversion" -> isText && json.getText().equals("1.0") ? 1 : 0;
      case "id" -> isText ? 2 : 0;
      case "source" -> isText ? 4 : 0;
      case "type" -> isText ? 8 : 0;
      default -> 0;
    };
  }
}
