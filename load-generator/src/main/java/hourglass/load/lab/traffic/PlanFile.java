package hourglass.load.lab.traffic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import hourglass.load.command.Figures;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a user's scenario, which is JSON in which lines may be comments.
 *
 * <pre>
 *   {"start_second": 3570, "phases": [
 *     // the names of fields are those of {@link Phase.Field}
 *     {"name": "calm", "seconds": 60, "rate": 2000, "types": 20, "skew": 1.0},
 *     {"name": "rush", "seconds": 30, "rate": 20000, "types": 20, "hot_share": 0.9}]}
 * </pre>
 *
 * <p>For one use.
 */
final class PlanFile {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_YAML_COMMENTS)
          .build();

  private final Path file;
  private final JsonParser parser;
  private final List<Phase> phases = new ArrayList<>();
  private double startSecond = TrafficPlan.START_SECOND;

  private PlanFile(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** Reads a plan. A failure names the file, the line and the field. */
  static TrafficPlan read(Path file) throws IOException {
    try (JsonParser parser = JSON.createParser(Files.readAllBytes(file))) {
      return new PlanFile(file, parser).plan();
    } catch (JsonProcessingException e) {
      throw new LoadFailure(
          "%s:%d: %s".formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()));
    }
  }

  private TrafficPlan plan() throws IOException {
    expect(parser.nextToken() == JsonToken.START_OBJECT, "want an object with \"phases\"");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "start_second" -> {
          startSecond = number(name);
          expect(startSecond >= 0 && startSecond < 3_600, "start_second: want 0 to 3600");
        }
        case "phases" -> {
          expect(value == JsonToken.START_ARRAY, "phases: want an array");
          phases();
        }
        default -> throw wrong(name + ": unknown; known are start_second, phases");
      }
    }
    expect(!phases.isEmpty(), "phases: want at least one");
    return new TrafficPlan(startSecond, phases);
  }

  private void phases() throws IOException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser.currentToken() == JsonToken.START_OBJECT, path() + ": want an object");
      phases.add(phase());
    }
  }

  private String path() {
    return "phases[" + phases.size() + "]";
  }

  private Phase phase() throws IOException {
    String name = "phase " + (phases.size() + 1);
    Map<Phase.Field, Double> values = new EnumMap<>(Phase.Field.class);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String label = parser.currentName();
      parser.nextToken();
      Phase.Field field = Phase.Field.of(label);
      if (label.equals("name")) {
        expect(parser.currentToken() == JsonToken.VALUE_STRING, path() + ".name: want a text");
        name = parser.getText();
      } else if (field == null) {
        String known = String.join(", ", Phase.Field.labels());
        throw wrong("%s.%s: unknown; known are name, %s".formatted(path(), label, known));
      } else {
        values.put(field, value(field));
      }
    }
    for (Phase.Field field : Phase.Field.values()) {
      expect(
          !Double.isNaN(field.byDefault) || values.containsKey(field),
          "%s.%s: missing".formatted(path(), field.label()));
    }
    return new Phase(name, values);
  }

  private double value(Phase.Field field) throws IOException {
    String name = path() + "." + field.label();
    double value = number(name);
    expect(
        field.allows(value),
        "%s: %s, want %s".formatted(name, Figures.decimal(value), field.range()));
    return value;
  }

  private double number(String name) throws IOException {
    expect(parser.currentToken().isNumeric(), name + ": want a number");
    return parser.getDoubleValue();
  }

  private void expect(boolean right, String otherwise) {
    if (!right) {
      throw wrong(otherwise);
    }
  }

  private LoadFailure wrong(String problem) {
    return new LoadFailure(
        "%s:%d: %s".formatted(file, parser.currentTokenLocation().getLineNr(), problem));
  }
}
