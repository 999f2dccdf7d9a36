package hourglass.load.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Reads {@code {"types":[{"type":"checkout","count":n,"bytes":n}]}}. */
public final class TypeCounts {
  private static final JsonFactory JSON = new JsonFactory();

  private TypeCounts() {}

  public static Map<String, Long> parse(String text) {
    Map<String, Long> counts = new TreeMap<>();
    try (JsonParser parser = JSON.createParser(text)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.START_OBJECT
            && parser.getParsingContext().getParent().inArray()) {
          type(parser, counts);
        }
      }
    } catch (IOException e) {
      throw new LoadFailure("counts by type that are not JSON: " + e.getMessage(), e);
    }
    return counts;
  }

  private static void type(JsonParser parser, Map<String, Long> counts) throws IOException {
    String type = "";
    long count = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "type" -> type = parser.getText();
        case "count" -> count = parser.getLongValue();
        default -> parser.skipChildren();
      }
    }
    counts.put(type, count);
  }
}
