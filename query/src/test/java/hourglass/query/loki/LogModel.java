package hourglass.query.loki;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Ticks;
import hourglass.query.line.LevelModel;
import hourglass.query.logql.LabelTest;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Matcher;
import hourglass.query.logql.Metric;
import hourglass.query.logql.Stage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LogQL in a plain way: the whole of each event, one event after the other. */
public final class LogModel {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** An event as it is stored. */
  public record Event(String type, long ticks, String payload) {}

  /** An event as a line. */
  public static final class Line {
    public final long nanos;
    public String text;
    public final TreeMap<String, String> stream = new TreeMap<>();
    public final TreeMap<String, String> metadata = new TreeMap<>();
    public final TreeMap<String, String> parsed = new TreeMap<>();

    Line(Event event, String text) {
      this.nanos = 100 * (event.ticks() - Ticks.UNIX_EPOCH);
      this.text = text;
    }

    public TreeMap<String, String> labels() {
      TreeMap<String, String> all = new TreeMap<>(stream);
      all.putAll(metadata);
      all.putAll(parsed);
      return all;
    }

    String label(String name) {
      return labels().getOrDefault(name, "");
    }
  }

  private final List<Event> events;
  private final Map<String, String> configured;

  /** Makes a model with configured fields by the names of their labels. */
  public LogModel(List<Event> events, Map<String, String> configured) {
    this.events = events;
    this.configured = configured;
  }

  /** The lines of a query in {@code [from, to)}, in the order of the events. */
  public List<Line> lines(LogSelector query, long fromTicks, long toTicks) {
    List<Line> lines = new ArrayList<>();
    for (Event event : events) {
      if (event.ticks() >= fromTicks && event.ticks() < toTicks) {
        Line line = run(query, event);
        if (line != null) {
          lines.add(line);
        }
      }
    }
    return lines;
  }

  private @Nullable Line run(LogSelector query, Event event) {
    Line line = line(event);
    for (Matcher matcher : query.matchers()) {
      if (!holds(matcher, line)) {
        return null;
      }
    }
    for (Stage stage : query.stages()) {
      if (!run(stage, line)) {
        return null;
      }
    }
    return line;
  }

  private Line line(Event event) {
    JsonNode root = parse(event.payload());
    if (root == null) {
      throw new AssertionError(event.payload());
    }
    JsonNode ours = root.path("_loki");
    boolean isObject = ours.path("labels").isObject();
    boolean hasMessage = root.path("message").isTextual();
    boolean isOfLoki = root.path("labels").isObject();
    boolean isOfSyslog = root.path("severity").isTextual() && root.path("facility").isTextual();
    String text =
        isObject
            ? without(event.payload())
            : hasMessage && (isOfLoki || isOfSyslog)
                ? root.get("message").textValue()
                : event.payload().replace('\n', ' ');
    Line line = new Line(event, text);
    String own = isObject ? "" : first(root, "level", "severity");
    if (!own.isEmpty()) {
      line.stream.put("level", own);
    }
    configured.forEach(
        (name, field) -> {
          String value = scalar(at(root, field));
          if (!value.isEmpty()) {
            line.stream.putIfAbsent(name, value);
          }
        });
    putMembers(isObject ? ours : root, "metadata", line.metadata);
    putMembers(isObject ? ours : root, "labels", line.stream);
    line.stream.put("service_name", event.type());
    String level =
        LevelModel.level(
            line.stream,
            line.metadata,
            line.text,
            isObject ? "" : scalar(root.path("severity_number")));
    line.metadata.put("detected_level", level);
    line.metadata.keySet().removeAll(line.stream.keySet());
    return line;
  }

  /** Cuts out our member; white space between the bracket and it stood before the line. */
  private static String without(String payload) {
    java.util.regex.Matcher first = Pattern.compile("^\\{(\\s*)\"_loki\":\\{").matcher(payload);
    boolean isFirst = first.find();
    int from = isFirst ? first.end(1) : payload.lastIndexOf(", \"_loki\":{");
    int to = payload.indexOf('{', from);
    for (int depth = 1; depth > 0; ) {
      char c = payload.charAt(++to);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0; // no label has brackets
    }
    to += payload.charAt(to + 1) == ',' ? 2 : 1;
    return isFirst
        ? first.group(1) + "{" + payload.substring(to)
        : payload.substring(0, from) + payload.substring(to);
  }

  private static String first(JsonNode root, String... fields) {
    for (String field : fields) {
      String value = scalar(root.path(field));
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "";
  }

  private static JsonNode at(JsonNode root, String field) {
    return root.has(field) ? root.get(field) : root.at("/" + field.replace('.', '/'));
  }

  private static void putMembers(JsonNode root, String object, Map<String, String> labels) {
    Map<String, String> all = new HashMap<>();
    root.path(object)
        .fields()
        .forEachRemaining(one -> all.put(one.getKey(), scalar(one.getValue())));
    root.fields()
        .forEachRemaining(
            one -> {
              if (one.getKey().startsWith(object + ".")) {
                all.put(one.getKey().substring(object.length() + 1), scalar(one.getValue()));
              }
            });
    all.values().removeIf(String::isEmpty);
    labels.putAll(all);
  }

  private static String scalar(JsonNode value) {
    return value.isValueNode() && !value.isNull() ? value.asText() : "";
  }

  private static @Nullable JsonNode parse(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return node != null && node.isObject() ? node : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static boolean holds(Matcher matcher, Line line) {
    String text = line.label(matcher.name());
    boolean is =
        matcher.operator().isRegex()
            ? Pattern.compile(matcher.value(), Pattern.DOTALL).matcher(text).matches()
            : text.equals(matcher.value());
    return is != matcher.operator().isNegative();
  }

  private static boolean run(Stage stage, Line line) {
    if (stage instanceof Stage.LineFilter filter) {
      boolean has =
          filter.texts().stream()
              .anyMatch(
                  text ->
                      filter.operator().isRegex()
                          ? Pattern.compile(text).matcher(line.text).find()
                          : line.text.contains(text));
      return has != filter.operator().isNegative();
    }
    if (stage instanceof Stage.LabelFilter filter) {
      return holds(filter.test(), line);
    }
    if (stage instanceof Stage.Json) {
      JsonNode root = parse(line.text);
      if (root == null) {
        line.parsed.put("__error__", "JSONParserErr");
      } else {
        flatten(root, "", line);
      }
    } else if (stage instanceof Stage.Logfmt) {
      java.util.regex.Matcher pair =
          Pattern.compile("([^\\s=]+)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"?|(\\S*))").matcher(line.text);
      while (pair.find()) {
        String quoted = pair.group(2);
        put(
            line,
            pair.group(1),
            quoted == null ? pair.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
      }
    } else if (stage instanceof Stage.LineFormat format) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < format.parts().size(); i++) {
        text.append(i % 2 == 0 ? format.parts().get(i) : line.label(format.parts().get(i)));
      }
      line.text = text.toString();
    } else if (stage instanceof Stage.Select select) {
      for (Map<String, String> labels : List.of(line.stream, line.metadata, line.parsed)) {
        labels.keySet().removeIf(name -> select.names().contains(name) != select.keeps());
      }
    }
    return true;
  }

  private static void flatten(JsonNode object, String prefix, Line line) {
    for (Iterator<Map.Entry<String, JsonNode>> all = object.fields(); all.hasNext(); ) {
      Map.Entry<String, JsonNode> one = all.next();
      String name = prefix + one.getKey().replaceAll("[^a-zA-Z0-9_]", "_");
      if (one.getValue().isObject()) {
        flatten(one.getValue(), name + "_", line);
      } else if (one.getValue().isValueNode() && !one.getValue().isNull()) {
        put(line, name, one.getValue().asText());
      }
    }
  }

  private static void put(Line line, String key, String value) {
    String name = key.replaceAll("[^a-zA-Z0-9_]", "_");
    boolean isTaken = line.stream.containsKey(name) || line.metadata.containsKey(name);
    String free = isTaken ? name + "_extracted" : name;
    line.parsed.put(free, value);
    line.parsed.values().removeIf(String::isEmpty);
  }

  private static boolean holds(LabelTest test, Line line) {
    if (test instanceof LabelTest.And and) {
      return holds(and.a(), line) && holds(and.b(), line);
    }
    if (test instanceof LabelTest.Or or) {
      return holds(or.a(), line) || holds(or.b(), line);
    }
    if (test instanceof LabelTest.OfText text) {
      return holds(text.matcher(), line);
    }
    LabelTest.OfNumber number = (LabelTest.OfNumber) test;
    Double value = number(line.label(number.name()), number.unit());
    return value != null && number.comparison().holds(value, number.value());
  }

  /** Reads the few forms of numbers that the random events contain. */
  private static @Nullable Double number(String text, LabelTest.Unit unit) {
    String of =
        switch (unit) {
          case NUMBER -> "-?\\d+(\\.\\d+)?";
          case DURATION -> "-?\\d+(\\.\\d+)?(ms|s)";
          case BYTES -> "\\d+(\\.\\d+)?(KB)?";
        };
    if (!text.matches(of)) {
      return null;
    }
    double factor =
        text.endsWith("KB") ? 1_000 : text.endsWith("ms") ? 1e6 : text.endsWith("s") ? 1e9 : 1;
    return Double.parseDouble(text.replaceAll("[a-zA-Z]+", "")) * factor;
  }

  /** The samples of a query at a time, by labels. Its ranges end there, with it. */
  public Map<Map<String, String>, Double> samples(Metric query, long ticks) {
    if (query instanceof Metric.Range range) {
      return range(range, ticks);
    }
    if (query instanceof Metric.Binary binary) {
      Map<Map<String, String>, Double> all = new HashMap<>();
      if (binary.a() instanceof Metric.Constant constant) {
        samples(binary.b(), ticks)
            .forEach(
                (labels, value) -> all.put(labels, binary.operator().of(constant.value(), value)));
      } else {
        double b = ((Metric.Constant) binary.b()).value();
        samples(binary.a(), ticks)
            .forEach((labels, value) -> all.put(labels, binary.operator().of(value, b)));
      }
      return all;
    }
    Metric.Aggregate aggregate = (Metric.Aggregate) query;
    Map<Map<String, String>, List<Double>> groups = new HashMap<>();
    samples(aggregate.of(), ticks)
        .forEach(
            (labels, value) -> {
              Metric.Grouping by = aggregate.grouping();
              Map<String, String> group =
                  group(labels, by == null ? new Metric.Grouping(false, List.of()) : by);
              groups.computeIfAbsent(group, absent -> new ArrayList<>()).add(value);
            });
    Map<Map<String, String>, Double> all = new HashMap<>();
    groups.forEach((labels, values) -> all.put(labels, aggregate(aggregate.aggregation(), values)));
    return all;
  }

  private static double aggregate(Metric.Aggregation aggregation, List<Double> values) {
    double sum = values.stream().mapToDouble(value -> value).sum();
    return switch (aggregation) {
      case SUM -> sum;
      case AVG -> sum / values.size();
      case MIN -> values.stream().mapToDouble(value -> value).min().orElseThrow();
      case MAX -> values.stream().mapToDouble(value -> value).max().orElseThrow();
      case COUNT -> values.size();
      case TOPK, BOTTOMK -> throw new AssertionError("a ranking has no value");
    };
  }

  private static Map<String, String> group(
      Map<String, String> labels, Metric.@Nullable Grouping by) {
    TreeMap<String, String> group = new TreeMap<>(labels);
    if (by != null) {
      group.keySet().removeIf(name -> by.names().contains(name) == by.without());
    }
    return group;
  }

  private Map<Map<String, String>, Double> range(Metric.Range range, long ticks) {
    long rangeTicks = range.rangeNanos() / 100;
    Map<Map<String, String>, List<Double>> groups = new HashMap<>();
    for (Line line : lines(range.lines(), ticks - rangeTicks + 1, ticks + 1)) {
      double number = 1;
      TreeMap<String, String> labels = line.labels();
      Metric.Unwrap unwrap = range.unwrap();
      if (unwrap != null) {
        Double unwrapped = number(line.label(unwrap.name()), unwrap.unit());
        if (unwrapped == null) {
          continue;
        }
        number = unwrap.unit() == LabelTest.Unit.DURATION ? unwrapped / 1e9 : unwrapped;
        labels.remove(unwrap.name());
      } else if (range.function().name().startsWith("BYTES")) {
        number = line.text.getBytes(StandardCharsets.UTF_8).length;
      }
      groups
          .computeIfAbsent(group(labels, range.grouping()), absent -> new ArrayList<>())
          .add(number);
    }
    Map<Map<String, String>, Double> all = new HashMap<>();
    groups.forEach((labels, numbers) -> all.put(labels, figure(range, numbers)));
    return all;
  }

  private static double figure(Metric.Range range, List<Double> numbers) {
    double sum = numbers.stream().mapToDouble(value -> value).sum();
    double seconds = range.rangeNanos() / 1e9;
    List<Double> sorted = numbers.stream().sorted().toList();
    return switch (range.function()) {
      case COUNT_OVER_TIME, BYTES_OVER_TIME, SUM_OVER_TIME -> sum;
      case RATE, BYTES_RATE -> sum / seconds;
      case AVG_OVER_TIME -> sum / numbers.size();
      case MIN_OVER_TIME -> sorted.get(0);
      case MAX_OVER_TIME -> sorted.get(sorted.size() - 1);
      case QUANTILE_OVER_TIME -> interpolated(sorted, range.quantile());
    };
  }

  private static double interpolated(List<Double> sorted, double quantile) {
    double rank = quantile * (sorted.size() - 1);
    double below = sorted.get((int) Math.floor(rank));
    double above = sorted.get((int) Math.ceil(rank));
    return below + (above - below) * (rank - Math.floor(rank));
  }
}
