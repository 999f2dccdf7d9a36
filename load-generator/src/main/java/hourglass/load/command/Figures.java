package hourglass.load.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON as figures by name, just made or read. A missing figure is empty. */
public final class Figures {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Figures NONE = new Figures(Map.of());

  private final Map<?, ?> values;

  private Figures(Map<?, ?> values) {
    this.values = values;
  }

  public static Figures of(Map<String, @Nullable Object> values) {
    return new Figures(values);
  }

  /** Reads JSON; anything but an object is empty. */
  public static Figures parse(byte[] json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      return isObject && value(parser) instanceof Map<?, ?> map ? new Figures(map) : NONE;
    }
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        map.put(name, value(parser));
      }
      return map;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> list = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(parser));
      }
      return list;
    }
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    return token.isNumeric() ? (Object) parser.getDoubleValue() : parser.getText();
  }

  public Map<?, ?> values() {
    return values;
  }

  public Set<String> names() {
    Set<String> names = new java.util.LinkedHashSet<>();
    values.keySet().forEach(name -> names.add(String.valueOf(name)));
    return names;
  }

  public Figures object(String name) {
    return values.get(name) instanceof Map<?, ?> map ? new Figures(map) : NONE;
  }

  public List<Figures> objects(String name) {
    List<Figures> objects = new ArrayList<>();
    for (Object each : list(values.get(name))) {
      if (each instanceof Map<?, ?> map) {
        objects.add(new Figures(map));
      }
    }
    return objects;
  }

  /** Not a number if it is not there. */
  public double number(String name) {
    return number(values.get(name));
  }

  public double[] numbers(String name) {
    return numbers(values.get(name));
  }

  /** A list of lists. */
  public List<double[]> tables(String name) {
    List<double[]> table = new ArrayList<>();
    list(values.get(name)).forEach(each -> table.add(numbers(each)));
    return table;
  }

  public String text(String name) {
    Object value = values.get(name);
    return value == null ? "" : value instanceof Double d ? JsonReport.number(d) : value.toString();
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static double[] numbers(@Nullable Object value) {
    return list(value).stream().mapToDouble(Figures::number).toArray();
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}
