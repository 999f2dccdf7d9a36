package hourglass.query.loki;

import hourglass.bytes.JsonText;
import hourglass.query.EventTaker;
import hourglass.query.logql.LabelTest.Unit;
import hourglass.store.Columns;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** The labels that parsers find in lines, and the structured metadata. Not thread-safe. */
public final class DetectedFields implements EventTaker {
  /** The most values of one field that are kept. Its cardinality is not counted beyond them. */
  private static final int VALUES_MAX = 1_000;

  private static final int FIELDS_MAX = 1_000;

  private final LogFilter filter;
  private final BooleanSupplier gone;
  private final LongConsumer reserve;
  private final Map<String, Field> fields = new TreeMap<>();

  /** The values and parsers found under one name. */
  private static final class Field {
    private final TreeSet<String> values = new TreeSet<>();
    private final TreeSet<String> parsers = new TreeSet<>();
    private int lines;
  }

  /**
   * Gathers fields from the lines of a query. The {@code reserve} receives the bytes by which this
   * grows.
   */
  public DetectedFields(LogFilter filter, BooleanSupplier gone, LongConsumer reserve) {
    this.filter = filter;
    this.gone = gone;
    this.reserve = reserve;
  }

  @Override
  public boolean take(String type, Columns columns, int i) {
    return filter.read(type, columns, i, gone, this::add);
  }

  private void add(LogLine line) {
    line.metadata().forEach((name, value) -> add(name, value, ""));
    line.parsed().clear();
    LineParsers.json(line);
    String parser = "json";
    if (line.parsed().containsKey(LogLine.ERROR)) {
      line.parsed().clear();
      LineParsers.logfmt(line);
      parser = "logfmt";
    }
    for (Map.Entry<String, String> label : line.parsed().entrySet()) {
      add(label.getKey(), label.getValue(), parser);
    }
  }

  private void add(String name, String value, String parser) {
    Field field = fields.get(name);
    if (field == null) {
      if (fields.size() == FIELDS_MAX) {
        return;
      }
      reserve.accept(200 + 2L * name.length());
      field = new Field();
      fields.put(name, field);
    }
    field.lines++;
    if (!parser.isEmpty()) {
      field.parsers.add(parser);
    }
    if (field.values.size() < VALUES_MAX && field.values.add(value)) {
      reserve.accept(100 + 2L * value.length());
    }
  }

  /** Writes the fields as elements of an array, those of most lines first. */
  public JsonText write(int limit) {
    JsonText out = new JsonText().raw("[");
    String separator = "";
    List<Map.Entry<String, Field>> first =
        fields.entrySet().stream()
            .sorted(Comparator.comparingInt(field -> -field.getValue().lines))
            .limit(limit)
            .toList();
    for (Map.Entry<String, Field> field : first) {
      out.raw(separator).raw("{\"label\":").string(field.getKey());
      out.raw(",\"type\":\"" + type(field.getValue().values) + "\"");
      out.raw(",\"cardinality\":" + field.getValue().values.size() + ",\"parsers\":");
      out.raw(field.getValue().parsers.isEmpty() ? "null}" : "[\"" + parsers(field) + "\"]}");
      separator = ",";
    }
    return out.raw("]");
  }

  private static String parsers(Map.Entry<String, Field> field) {
    return String.join("\",\"", field.getValue().parsers);
  }

  /** Returns the values of one field, sorted. */
  public List<String> values(String name, int limit) {
    Field field = fields.get(name);
    return field == null ? List.of() : field.values.stream().limit(limit).toList();
  }

  /** Returns the narrowest type that fits all values. */
  private static String type(Set<String> values) {
    Map<String, Boolean> types = new LinkedHashMap<>();
    for (String value : values) {
      types.put(type(value), true);
    }
    if (types.size() == 1) {
      return types.keySet().iterator().next();
    }
    types.keySet().removeAll(List.of("int", "float"));
    return types.isEmpty() ? "float" : "string";
  }

  private static String type(String value) {
    if (Unit.NUMBER.read(value) != null) {
      return value.chars().allMatch(c -> c >= '0' && c <= '9' || c == '-' || c == '+')
          ? "int"
          : "float";
    }
    if (value.equals("true") || value.equals("false")) {
      return "boolean";
    }
    if (Unit.DURATION.read(value) != null) {
      return "duration";
    }
    return Unit.BYTES.read(value) != null ? "bytes" : "string";
  }
}
