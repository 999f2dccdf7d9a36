package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of an answer, read by name. A member that is absent, or of another kind, counts as
 * empty or zero.
 */
record JsonTree(Map<String, Object> members) {
  /** The value that stands for JSON's null, which is different from an absent member. */
  static final Object NULL = new Object();

  static JsonTree read(byte[] object) throws BrokenAnswerException {
    try (JsonParser parser = Json.parser(object)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        return new JsonTree(members(parser));
      }
      throw new BrokenAnswerException("the answer is no JSON object");
    } catch (JsonProcessingException e) {
      throw new BrokenAnswerException("the answer is broken JSON: " + e.getOriginalMessage());
    } catch (BrokenAnswerException e) {
      throw e;
    } catch (IOException e) {
      throw new BrokenAnswerException("the answer is broken: " + e.getMessage());
    }
  }

  /** Reads a small object. Returns an empty one if the text is not an object. */
  static JsonTree orEmpty(String text) {
    try {
      return read(text.getBytes(StandardCharsets.UTF_8));
    } catch (BrokenAnswerException e) {
      return new JsonTree(Map.of());
    }
  }

  private static Map<String, Object> members(JsonParser parser) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      members.put(name, value(parser, parser.nextToken()));
    }
    return members;
  }

  private static Object value(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> new JsonTree(members(parser));
      case START_ARRAY -> list(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> NULL;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> decimal(parser.getText());
      default -> parser.getText();
    };
  }

  /** Returns the number, or the text itself if the exponent exceeds 31 bits. */
  private static Object decimal(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private static List<Object> list(JsonParser parser) throws IOException {
    List<Object> values = new ArrayList<>();
    JsonToken token = parser.nextToken();
    for (; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      values.add(value(parser, token));
    }
    return values;
  }

  @Nullable Object get(String name) {
    return members.get(name);
  }

  boolean isTrue(String name) {
    return Boolean.TRUE.equals(get(name));
  }

  boolean isFalse(String name) {
    return Boolean.FALSE.equals(get(name));
  }

  long number(String name) {
    return get(name) instanceof BigDecimal number ? number.longValue() : 0;
  }

  String text(String name) {
    return get(name) instanceof String text ? text : "";
  }

  List<?> list(String name) {
    return get(name) instanceof List<?> list ? list : List.of();
  }

  JsonTree object(String name) {
    return get(name) instanceof JsonTree object ? object : new JsonTree(Map.of());
  }

  List<JsonTree> objects(String name) {
    return list(name).stream()
        .filter(JsonTree.class::isInstance)
        .map(JsonTree.class::cast)
        .toList();
  }
}
