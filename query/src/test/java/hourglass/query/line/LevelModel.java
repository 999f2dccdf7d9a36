package hourglass.query.line;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The detected level in a plain way: trees for JSON, regular expressions for all else. */
public final class LevelModel {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> NAMES =
      List.of(
          ("level LEVEL Level log.level severity SEVERITY Severity SeverityText lvl LVL Lvl"
                  + " severity_text Severity_Text SEVERITY_TEXT")
              .split(" "));

  /** The levels, each with its spellings. */
  private static final Map<String, Pattern> LEVELS =
      Map.of(
          "trace", spelling("trace[2-4]?|trc"),
          "debug", spelling("debug[2-4]?|dbg"),
          "info", spelling("info[2-4]?|inf|information"),
          "warn", spelling("warn[2-4]?|wrn|warning"),
          "error", spelling("error[2-4]?|err"),
          "critical", spelling("critical"),
          "fatal", spelling("fatal[2-4]?"));

  private static final Pattern WORD =
      Pattern.compile(
          "(?<![^ \t\n\\[({\"'=|])(trace|debug|fatal|critical|error|err|warning|warn|info)"
              + "(?![^ \t\n\\[\\](){}:,!\"'=|])",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern PAIR =
      Pattern.compile(
          "\\s*(?:([^=\"\\s]+)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^=\"\\s]*)(?=\\s|$))|[^=\"\\s]+(?=\\s|$))");

  private LevelModel() {}

  private static Pattern spelling(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
  }

  /** The level of an event with these labels, metadata and line, by the order of Loki. */
  public static String level(
      Map<String, String> stream,
      Map<String, String> metadata,
      String line,
      String severityNumber) {
    String own = metadata.get("detected_level");
    Optional<String> level =
        Stream.concat(
                Stream.ofNullable(own),
                Stream.of(stream, metadata)
                    .flatMap(labels -> ofLabels().map(labels::get).filter(Objects::nonNull)))
            .findFirst();
    if (level.isPresent()) {
      String known = known(level.get());
      return known == null ? level.get() : known;
    }
    String number = metadata.getOrDefault("severity_number", severityNumber);
    return number.isEmpty() ? ofLine(line) : ofNumber(number);
  }

  private static Stream<String> ofLabels() {
    return NAMES.stream().filter(name -> !name.contains("."));
  }

  private static String ofNumber(String number) {
    if (!number.matches("-?\\d{1,9}")) {
      return "info";
    }
    int of = Integer.parseInt(number);
    String[] levels = {"trace", "debug", "info", "warn", "error", "fatal"};
    return of == 0 || of > 24 ? "unknown" : levels[of < 0 ? 0 : (of - 1) / 4];
  }

  private static @Nullable String known(@Nullable String text) {
    for (Map.Entry<String, Pattern> level : LEVELS.entrySet()) {
      if (text != null && level.getValue().matcher(text).matches()) {
        return level.getKey();
      }
    }
    return null;
  }

  static String ofLine(String line) {
    String trimmed = line.trim();
    String text = null;
    if (trimmed.startsWith("{") && trimmed.endsWith("}")) {
      text = ofJson(line);
    } else if (line.contains("=")) {
      text = ofPairs(line);
    }
    String level = known(text);
    if (level != null) {
      return level;
    }
    Matcher word = WORD.matcher(line);
    return word.find() ? String.valueOf(known(word.group(1))) : "unknown";
  }

  private static @Nullable String ofJson(String line) {
    try {
      return ofJson(JSON.readTree(line), 2);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static @Nullable String ofJson(JsonNode object, int levels) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getValue().isTextual() && NAMES.contains(member.getKey())) {
        return member.getValue().textValue();
      }
      String inner =
          member.getValue().isObject() && levels > 1 ? ofJson(member.getValue(), levels - 1) : null;
      if (inner != null) {
        return inner;
      }
    }
    return null;
  }

  private static @Nullable String ofPairs(String line) {
    int best = NAMES.size();
    String value = null;
    Matcher pair = PAIR.matcher(line);
    for (int at = 0;
        pair.region(at, line.length()).lookingAt() && pair.end() > at;
        at = pair.end()) {
      for (int i = 0; i < best && pair.group(1) != null; i++) {
        if (NAMES.get(i).equalsIgnoreCase(pair.group(1))) {
          best = i;
          value = pair.group(2) == null ? pair.group(3) : pair.group(2);
        }
      }
    }
    return value;
  }
}
