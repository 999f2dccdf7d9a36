package hourglass.query.loki;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonText;
import hourglass.bytes.LineBreaks;
import hourglass.query.filter.Effort;
import hourglass.query.line.DetectedLevel;
import hourglass.query.line.LabelPlaces;
import hourglass.query.line.LineLabels;
import hourglass.query.line.LineParts;
import hourglass.query.line.StreamLabels;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An event as a line of a log, with its labels, on its way through a pipeline. Not thread-safe.
 *
 * <p>The line is the {@code message} of an event with the labels of a push to Loki, or with the
 * severity and facility of syslog. If it was pushed as an object, it is the payload without the
 * member that a push adds. For any other event it is the payload, with the line breaks between its
 * tokens replaced by spaces.
 */
final class LogLine {
  static final String ERROR = "__error__";

  /** The separator between parts of a key. No JSON value contains it. */
  private static final byte[] KEY_PART = {0};

  private final StreamLabels rules;
  private final String type;
  private final LineParts parts;

  /** The text of the line; null if it is neither replaced nor decoded. */
  private @Nullable String text;

  private boolean isReplaced;

  /** The labels of the stream; null until they are needed. */
  private @Nullable SortedMap<String, String> stream;

  /** The metadata without the labels of the stream; empty until it is needed. */
  private final TreeMap<String, String> metadata = new TreeMap<>();

  /** The detected level; null until it is needed. */
  private @Nullable String level;

  /** Whether the detected level is already among the metadata, or must not be added later. */
  private boolean isLevelPut;

  private final TreeMap<String, String> parsed = new TreeMap<>();

  LogLine(StreamLabels rules, String type, Columns columns, int i) {
    this(rules, type, columns.bytes(), columns.offset(i), columns.offset(i) + columns.length(i));
  }

  LogLine(StreamLabels rules, String type, byte[] payload, int from, int to) {
    this.rules = rules;
    this.type = type;
    parts = new LineParts(payload, from, to);
  }

  // The line.

  /** Whether the line is the payload itself. */
  boolean isPayload() {
    return parts.isPayload() && !isReplaced;
  }

  /** Whether the line is JSON that was checked when it was stored. */
  boolean isJson() {
    return !isReplaced && (parts.isPayload() || parts.isObject());
  }

  /** Whether the line consists of {@link #bytes}. */
  boolean isPlain() {
    return !isReplaced && parts.isPlain();
  }

  /** Whether the payload contains line breaks where its line contains blanks. */
  boolean hasBreaks() {
    byte[] bytes = parts.bytes();
    for (int i = parts.from(); isPayload() && i < parts.to(); i++) {
      if (LineBreaks.isBreak(bytes[i])) {
        return true;
      }
    }
    return false;
  }

  byte[] bytes() {
    return parts.lineBytes();
  }

  /** The position in {@link #bytes} at which a plain line begins. */
  int plainFrom() {
    return parts.lineFrom();
  }

  int plainTo() {
    return parts.lineTo();
  }

  /**
   * The approximate length, to count work in advance: bytes, or characters once the line is
   * decoded.
   */
  int size() {
    String known = text;
    return known == null ? plainTo() - plainFrom() : known.length();
  }

  /** Returns the text. Its decoding counts as work. */
  String text() {
    String known = text;
    if (known == null) {
      Effort.current().spend(size());
      known = parts.isPayload() ? payload() : parts.text();
      text = known;
    }
    return known;
  }

  private String payload() {
    byte[] line = Arrays.copyOfRange(parts.bytes(), parts.from(), parts.to());
    LineBreaks.toSpaces(line, 0, line.length);
    return new String(line, StandardCharsets.UTF_8);
  }

  /** The length in bytes of UTF-8. */
  int length() {
    return isPlain() ? plainTo() - plainFrom() : text().getBytes(StandardCharsets.UTF_8).length;
  }

  void replace(String line) {
    text = line;
    isReplaced = true;
  }

  /** Appends the line as a JSON string. */
  void write(JsonText out) {
    if (isReplaced) {
      out.string(text());
    } else if (parts.isPayload()) {
      out.quoted(parts.bytes(), parts.from(), parts.to());
    } else if (parts.isObject()) {
      out.text(parts.lineBytes(), parts.lineFrom(), parts.lineTo());
    } else {
      out.raw(parts.bytes(), parts.messageFrom(), parts.messageTo());
    }
  }

  // The labels.

  String type() {
    return type;
  }

  /**
   * Appends the values from which the labels are derived, besides the type. Returns false if there
   * are others, or if the labels were read already; the appended bytes then mean nothing.
   */
  boolean writeKey(JsonText out) {
    LabelPlaces places = parts.places();
    boolean isMore = places.areOdd() || places.metadata() > 0 || !rules.fields().isEmpty();
    if (isMore || stream != null || !parsed.isEmpty()) {
      return false;
    }
    writeKey(places.labels(), out);
    writeKey(places.level(), out);
    writeKey(places.severity(), out);
    out.string(detectedLevel());
    return true;
  }

  private void writeKey(int value, JsonText out) {
    if (value > 0) {
      out.raw(parts.bytes(), value, JsonScan.skipValue(parts.bytes(), value, parts.to()));
    }
    out.raw(KEY_PART, 0, KEY_PART.length);
  }

  /** Returns a label; null if it is absent or empty. */
  @Nullable String label(String name) {
    boolean isDetected = name.equals(StreamLabels.DETECTED_LEVEL) && !isLevelPut;
    if (stream == null) {
      if (name.equals(StreamLabels.SERVICE)) {
        return type;
      }
      if (isDetected) {
        return detectedLevel();
      }
    }
    String ofParser = parsed.get(name);
    if (ofParser != null) {
      return ofParser;
    }
    String ofStream = stream().get(name);
    return ofStream != null ? ofStream : isDetected ? detectedLevel() : metadata.get(name);
  }

  private String detectedLevel() {
    String known = level;
    if (known == null) {
      Effort.current().spend(parts.lineTo() - parts.lineFrom());
      known = DetectedLevel.of(parts, rules, type);
      level = known;
    }
    return known;
  }

  /** Returns the labels of the stream that are not empty. The caller may change them. */
  private SortedMap<String, String> streamLabels() {
    SortedMap<String, String> known = stream;
    return known == null ? read() : known;
  }

  Map<String, String> stream() {
    return streamLabels();
  }

  boolean hasMetadata() {
    return !metadata().isEmpty();
  }

  /**
   * Returns the metadata. It includes the detected level, unless that is a label of the stream, or
   * was removed.
   */
  Map<String, String> metadata() {
    Map<String, String> ofStream = stream();
    if (!isLevelPut) {
      isLevelPut = true;
      if (!ofStream.containsKey(StreamLabels.DETECTED_LEVEL)) {
        metadata.put(StreamLabels.DETECTED_LEVEL, detectedLevel());
      }
    }
    return metadata;
  }

  Map<String, String> parsed() {
    return parsed;
  }

  /** Returns all labels together. The caller must not change them. */
  SortedMap<String, String> labels() {
    SortedMap<String, String> ofStream = streamLabels();
    if (metadata().isEmpty() && parsed.isEmpty()) {
      return ofStream;
    }
    TreeMap<String, String> all = new TreeMap<>(parsed);
    metadata.forEach(all::putIfAbsent);
    ofStream.forEach(all::putIfAbsent);
    return all;
  }

  /**
   * Adds a label that a stage has parsed. If the event already has a label of this name, the new
   * one receives a suffix.
   */
  void parse(String name, String value) {
    boolean isDetected = name.equals(StreamLabels.DETECTED_LEVEL) && !isLevelPut;
    boolean isTaken = isDetected || stream().containsKey(name) || metadata.containsKey(name);
    String free = isTaken ? name + "_extracted" : name;
    if (value.isEmpty()) {
      parsed.remove(free);
    } else {
      parsed.put(free, value);
    }
  }

  void fail(String error) {
    parsed.put(ERROR, error);
  }

  /** Removes some labels, or all others if {@code keeps}. */
  void select(boolean keeps, Set<String> names) {
    isLevelPut |= names.contains(StreamLabels.DETECTED_LEVEL) != keeps; // it is never put again
    for (Map<String, String> labels : List.of(stream(), metadata, parsed)) {
      labels.keySet().removeIf(name -> names.contains(name) != keeps);
    }
  }

  private SortedMap<String, String> read() {
    LineLabels labels = LineLabels.of(parts, rules, type);
    metadata.putAll(labels.metadata());
    stream = labels.stream();
    return labels.stream();
  }
}
