package hourglass.query.encode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.query.where.TextSearch;
import hourglass.store.Columns;
import java.io.IOException;

/**
 * Recognizes CloudEvents 1.0: objects with {@code specversion} "1.0", and {@code id}, {@code
 * source} and {@code type} as strings that are not empty.
 */
final class CloudEventText {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Cheap tests before parsing: the name that each CloudEvent has, or an escape that may hide it.
   */
  private static final TextSearch SPECVERSION = new TextSearch("\"specversion\"");

  private static final TextSearch ESCAPE = new TextSearch("\\u");

  /** All bits of {@link #required}. */
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
      return false; // exceeds a limit of the parser, so it was not accepted as JSON
    }
  }

  /** The bit of a required field if its value is valid, else 0. Advances to the value. */
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
