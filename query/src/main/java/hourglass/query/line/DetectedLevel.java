package hourglass.query.line;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The label {@code detected_level} of an event, which need not be in the event itself. Loki derives
 * it on arrival of a line and keeps it as structured metadata; here it is derived when a query
 * needs it.
 *
 * <p>The first of these decides: a label or metadata of this name; a label with one of the {@link
 * LevelNames}; metadata with one; the number of a severity; the line. Levels are normalized to one
 * spelling, but those that Loki does not know stay as they are.
 */
public final class DetectedLevel {
  // Places besides those of the names.
  private static final int DETECTED_AT = LevelNames.OF_LABELS.size();
  private static final int NUMBER_AT = DETECTED_AT + 1;
  private static final int PLACES = NUMBER_AT + 1;

  /** The names of labels, by their places. */
  private static final List<byte[]> NAMES =
      Stream.concat(
              LevelNames.OF_LABELS.stream(),
              Stream.of(StreamLabels.DETECTED_LEVEL, StreamLabels.SEVERITY_NUMBER))
          .map(name -> name.getBytes(StandardCharsets.US_ASCII))
          .toList();

  private DetectedLevel() {}

  /**
   * Derives the level, which is never empty. The work is at most one look at each byte of the line.
   */
  public static String of(LineParts parts, StreamLabels rules, String type) {
    @Nullable String[] stream = new String[PLACES];
    @Nullable String[] metadata = new String[PLACES];
    LabelPlaces places = parts.places();
    if (places.areOdd()) {
      LineLabels labels = LineLabels.of(parts, rules, type);
      read(labels.stream(), stream);
      read(labels.metadata(), metadata);
    } else {
      read(parts, places.labels(), stream);
      read(parts, places.metadata(), metadata);
      putLevel(parts.scalar(places.level()), 0, stream);
      putLevel(parts.scalar(places.severity()), 0, stream);
      for (Map.Entry<String, String> field : rules.fields().entrySet()) {
        int at = place(field.getKey());
        if (at >= 0) {
          putLevel(LineLabels.field(parts, field.getValue()), at, stream);
        }
      }
    }
    return of(parts, stream, metadata);
  }

  private static String of(
      LineParts parts, @Nullable String[] stream, @Nullable String[] metadata) {
    String label = stream[DETECTED_AT];
    if (label != null) {
      return label; // as it was sent
    }
    String detected = metadata[DETECTED_AT];
    String level = detected == null ? first(stream) : detected;
    level = level == null ? first(metadata) : level;
    if (level != null) {
      return LevelNames.normal(level);
    }
    String number = metadata[NUMBER_AT];
    if (number == null) {
      number = parts.scalar(parts.places().severityNumber());
    }
    return number.isEmpty() ? ofLine(parts) : LevelNames.ofSeverityNumber(number);
  }

  private static @Nullable String first(@Nullable String[] labels) {
    for (int i = 0; i < DETECTED_AT; i++) {
      if (labels[i] != null) {
        return labels[i];
      }
    }
    return null;
  }

  private static String ofLine(LineParts parts) {
    if (parts.isPlain()) {
      return LevelOfLine.of(parts.lineBytes(), parts.lineFrom(), parts.lineTo());
    }
    byte[] line = parts.text().getBytes(StandardCharsets.UTF_8);
    return LevelOfLine.of(line, 0, line.length);
  }

  private static void read(Map<String, String> labels, @Nullable String[] into) {
    labels.forEach(
        (name, value) -> {
          int at = place(name);
          if (at >= 0) {
            into[at] = value;
          }
        });
  }

  private static int place(String name) {
    if (name.equals(StreamLabels.DETECTED_LEVEL)) {
      return DETECTED_AT;
    }
    return name.equals(StreamLabels.SEVERITY_NUMBER)
        ? NUMBER_AT
        : LevelNames.OF_LABELS.indexOf(name);
  }

  /**
   * Reads the members of an object, if {@code open} is not 0. If keys are equal, the last one
   * counts.
   */
  private static void read(LineParts parts, int open, @Nullable String[] into) {
    if (open == 0) {
      return;
    }
    byte[] json = parts.bytes();
    int to = parts.to();
    int at = JsonScan.skipSpace(json, open + 1, to);
    while (at < to && json[at] == '"') {
      int keyEnd = JsonScan.skipString(json, at, to);
      int value = JsonScan.valueAfter(json, keyEnd, to);
      int end = JsonScan.skipValue(json, value, to);
      int place = place(json, at + 1, keyEnd - 1);
      if (place >= 0) {
        String text = LineParts.scalar(json, value, end);
        into[place] = text.isEmpty() ? null : text;
      }
      at = JsonScan.next(json, end, to);
    }
  }

  private static int place(byte[] json, int from, int to) {
    if (JsonScan.hasEscape(json, from, to)) {
      return place(JsonString.decode(json, from, to));
    }
    for (int i = 0; i < NAMES.size(); i++) {
      byte[] name = NAMES.get(i);
      if (name.length == to - from && Arrays.equals(json, from, to, name, 0, name.length)) {
        return i;
      }
    }
    return LevelNames.NONE;
  }

  private static void putLevel(String text, int at, @Nullable String[] into) {
    if (into[at] == null && !text.isEmpty()) {
      into[at] = text;
    }
  }
}
