package hourglass.load.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The figures of a report, just made or read from its JSON. A missing figure is empty. */
final class Figures {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Figures NONE = new Figures(Map.of());

  private final Map<?, ?> values;

  private Figures(Map<?, ?> values) {
    this.values = values;
  }

  static Figures of(Map<String, @Nullable Object> values) {
    return new Figures(values);
  }

  /**
   * Reads the JSON of a report.
   *
   * @throws LoadFailure naming the file, if it is none
   */
  static Figures read(Path file) throws IOException {
    try (JsonParser parser = JSON.createParser(Files.readAllBytes(file))) {
      parser.nextToken();
      Figures read = value(parser) instanceof Map<?, ?> map ? new Figures(map) : NONE;
      if (read.object("layouts").names().isEmpty()) {
        throw new LoadFailure(file + ": is not the --json of load compare");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw new LoadFailure(file + ": " + e.getOriginalMessage());
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

  Map<?, ?> values() {
    return values;
  }

  Set<String> names() {
    Set<String> names = new java.util.LinkedHashSet<>();
    values.keySet().forEach(name -> names.add(String.valueOf(name)));
    return names;
  }

  Figures object(String name) {
    return values.get(name) instanceof Map<?, ?> map ? new Figures(map) : NONE;
  }

  List<Figures> objects(String name) {
    List<Figures> objects = new ArrayList<>();
    for (Object each : list(values.get(name))) {
      if (each instanceof Map<?, ?> map) {
        objects.add(new Figures(map));
      }
    }
    return objects;
  }

  /** Not a number if it is not there. */
  double number(String name) {
    return number(values.get(name));
  }

  double[] numbers(String name) {
    return numbers(values.get(name));
  }

  /** A list of lists. */
  List<double[]> tables(String name) {
    List<double[]> table = new ArrayList<>();
    list(values.get(name)).forEach(each -> table.add(numbers(each)));
    return table;
  }

  String text(String name) {
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
