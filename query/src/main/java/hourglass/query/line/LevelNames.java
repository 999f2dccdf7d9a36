package hourglass.query.line;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names that a level may have in labels, metadata and lines, and the spellings of the levels.
 *
 * <p>Source: the default of {@code log_level_fields} in Loki's configuration, the values of {@code
 * detected_level}, and the short names of severities in the data model of OpenTelemetry's logs.
 */
final class LevelNames {
  static final String UNKNOWN = "unknown";

  /** The names, in the order in which they count. */
  static final List<String> NAMES =
      List.of(
          StreamLabels.LEVEL,
          "LEVEL",
          "Level",
          "log.level",
          StreamLabels.SEVERITY,
          "SEVERITY",
          "Severity",
          "SeverityText",
          "lvl",
          "LVL",
          "Lvl",
          "severity_text",
          "Severity_Text",
          "SEVERITY_TEXT");

  /** The names without a dot, since labels and metadata have no dots in Loki. */
  static final List<String> OF_LABELS =
      NAMES.stream().filter(name -> name.indexOf('.') < 0).toList();

  /** The index of a key that is not one of the names. */
  static final int NONE = -1;

  /** The levels of OpenTelemetry, from severity 1 on, each with {@link #GRADES} grades. */
  private static final List<String> GRADED =
      List.of("trace", "debug", "info", "warn", "error", "fatal");

  private static final int GRADES = 4;

  private static final List<byte[]> BYTES =
      NAMES.stream().map(name -> name.getBytes(StandardCharsets.US_ASCII)).toList();
  private static final int NAME_MIN = 3;

  /** The levels by their spellings in small letters. */
  private static final Map<String, String> SPELLINGS = spellings();

  private static final int SPELLING_MAX = "information".length();

  private LevelNames() {}

  private static Map<String, String> spellings() {
    Map<String, String> all = new HashMap<>();
    all.put("trc", "trace");
    all.put("dbg", "debug");
    all.put("inf", "info");
    all.put("information", "info");
    all.put("wrn", "warn");
    all.put("warning", "warn");
    all.put("err", "error");
    all.put("critical", "critical");
    for (String level : GRADED) {
      all.put(level, level);
      for (int grade = 2; grade <= GRADES; grade++) {
        all.put(level + grade, level); // OpenTelemetry's WARN2
      }
    }
    return Map.copyOf(all);
  }

  /** Returns the level that a text spells, in any case; null if it spells none. */
  static @Nullable String level(String text) {
    return text.length() > SPELLING_MAX ? null : SPELLINGS.get(text.toLowerCase(Locale.ROOT));
  }

  /** Returns the level that the bytes in {@code [from, to)} spell; null if they spell none. */
  static @Nullable String level(byte[] text, int from, int to) {
    return to - from > SPELLING_MAX
        ? null
        : level(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
  }

  /**
   * Returns the level that a text spells, or the text itself: other levels stay as they are
   * written.
   */
  static String normal(String text) {
    String level = level(text);
    return level == null ? text : level;
  }

  /** Returns the place of a key of JSON in {@link #NAMES}, or {@link #NONE}. */
  static int index(byte[] json, int from, int to) {
    if (to - from < NAME_MIN || !mayBegin(json[from])) {
      return NONE;
    }
    if (JsonScan.hasEscape(json, from, to)) {
      return NAMES.indexOf(JsonString.decode(json, from, to));
    }
    for (int i = 0; i < BYTES.size(); i++) {
      byte[] name = BYTES.get(i);
      if (name.length == to - from && Arrays.equals(name, 0, name.length, json, from, to)) {
        return i;
      }
    }
    return NONE;
  }

  /** Returns the place of a key in {@link #NAMES}, in any case, or {@link #NONE}. */
  static int indexInAnyCase(byte[] key, int from, int to) {
    if (to - from < NAME_MIN || !mayBegin(key[from])) {
      return NONE;
    }
    String text = new String(key, from, to - from, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < NAMES.size(); i++) {
      if (NAMES.get(i).equalsIgnoreCase(text)) {
        return i;
      }
    }
    return NONE;
  }

  private static boolean mayBegin(byte first) {
    return first == 'l' || first == 'L' || first == 's' || first == 'S' || first == '\\';
  }

  /** Returns the level of a number of OpenTelemetry's severities. */
  static String ofSeverityNumber(String text) {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return "info";
    }
    boolean isOne = number != 0 && number <= GRADES * GRADED.size();
    return isOne ? GRADED.get(Math.max(0, number - 1) / GRADES) : UNKNOWN;
  }
}
