package hourglass.query.line;

import hourglass.bytes.JsonPath;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels in an event itself: those of its stream, and its structured metadata. */
public record LineLabels(SortedMap<String, String> stream, SortedMap<String, String> metadata) {

  /** Reads the labels that are not empty. The caller may change the maps. */
  public static LineLabels of(LineParts parts, StreamLabels rules, String type) {
    SortedMap<String, String> stream = new TreeMap<>();
    SortedMap<String, String> metadata = new TreeMap<>();
    LabelPlaces places = parts.places();
    if (places.areOdd()) {
      readOdd(parts, stream, metadata);
    } else {
      members(parts, places.labels(), parts.to(), stream);
      members(parts, places.metadata(), parts.to(), metadata);
      removeEmpty(stream);
      removeEmpty(metadata);
      putIfAbsent(StreamLabels.LEVEL, parts.scalar(places.level()), stream);
      putIfAbsent(StreamLabels.LEVEL, parts.scalar(places.severity()), stream);
    }
    rules.fields().forEach((name, path) -> putIfAbsent(name, field(parts, path), stream));
    stream.put(StreamLabels.SERVICE, type);
    if (!metadata.isEmpty()) {
      metadata.keySet().removeAll(stream.keySet());
    }
    return new LineLabels(stream, metadata);
  }

  /** Returns the text of a field; empty if it is absent. */
  static String field(LineParts parts, String path) {
    JsonPath field = new JsonPath(path, () -> false);
    return field.find(parts.bytes(), parts.from(), parts.to())
        ? LineParts.scalar(parts.bytes(), field.from(), field.to())
        : "";
  }

  private static void readOdd(
      LineParts parts, Map<String, String> stream, Map<String, String> metadata) {
    // A key that contains the dot wins, as in every path.
    Map<String, String> dotted = new TreeMap<>();
    byte[] bytes = parts.bytes();
    if (parts.from() < parts.to() && bytes[parts.from()] == '{') {
      LineParts.forEachMember(
          bytes,
          parts.places().open(),
          parts.to(),
          (key, value, end) -> {
            if (key.equals(StreamLabels.LABELS)) {
              onlyMembers(parts, value, end, stream);
            } else if (key.equals(StreamLabels.METADATA)) {
              onlyMembers(parts, value, end, metadata);
            } else if (isDotted(key)) {
              dotted.put(key, LineParts.scalar(bytes, value, end));
            }
          });
    }
    dotted.forEach(
        (key, value) -> {
          putDotted(key, StreamLabels.LABELS, value, stream);
          putDotted(key, StreamLabels.METADATA, value, metadata);
        });
    removeEmpty(stream);
    removeEmpty(metadata);
    if (!parts.isObject()) {
      putIfAbsent(StreamLabels.LEVEL, dotted.getOrDefault(StreamLabels.LEVEL, ""), stream);
      putIfAbsent(StreamLabels.LEVEL, dotted.getOrDefault(StreamLabels.SEVERITY, ""), stream);
    }
  }

  private static void removeEmpty(Map<String, String> labels) {
    if (!labels.isEmpty()) {
      labels.values().removeIf(String::isEmpty);
    }
  }

  private static void putIfAbsent(String name, String value, Map<String, String> labels) {
    if (!value.isEmpty()) {
      labels.putIfAbsent(name, value);
    }
  }

  private static boolean isDotted(String key) {
    return key.equals(StreamLabels.LEVEL)
        || key.equals(StreamLabels.SEVERITY)
        || key.startsWith(StreamLabels.LABELS + ".")
        || key.startsWith(StreamLabels.METADATA + ".");
  }

  private static void putDotted(
      String key, String object, String value, Map<String, String> labels) {
    if (key.startsWith(object + ".")) {
      labels.put(key.substring(object.length() + 1), value);
    }
  }

  /** Replaces the labels of an equal key before. There are none, unless the value is an object. */
  private static void onlyMembers(LineParts parts, int value, int end, Map<String, String> into) {
    into.clear();
    if (parts.bytes()[value] == '{') {
      members(parts, value, end, into);
    }
  }

  private static void members(LineParts parts, int open, int close, Map<String, String> labels) {
    if (open > 0) {
      byte[] bytes = parts.bytes();
      LineParts.forEachMember(
          bytes,
          open,
          close,
          (key, value, end) -> labels.put(key, LineParts.scalar(bytes, value, end)));
    }
  }
}
