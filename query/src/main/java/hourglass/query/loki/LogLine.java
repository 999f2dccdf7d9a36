package hourglass.query.loki;

import static hourglass.query.encode.EventText.ascii;

import hourglass.query.encode.LineBreaks;
import hourglass.query.where.json.Effort;
import hourglass.query.where.json.FieldPath;
import hourglass.query.where.json.JsonScan;
import hourglass.query.where.json.JsonString;
import hourglass.query.where.json.JsonText;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
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
 * severity and facility of syslog. Of any other event it is the payload, with line breaks between
 * its tokens as spaces.
 */
final class LogLine {
  static final String ERROR = "__error__";

  private static final byte[] MESSAGE = ascii("message");
  private static final byte[] LEVEL = ascii(StreamLabels.LEVEL);
  private static final byte[] METADATA = ascii(StreamLabels.METADATA);
  private static final byte[] LABELS = ascii(StreamLabels.LABELS);
  private static final byte[] FACILITY = ascii("facility");
  private static final byte[] SEVERITY = ascii(StreamLabels.SEVERITY);

  /** Between parts of a key; no JSON value has it. */
  private static final byte[] KEY_PART = {0};

  private final StreamLabels rules;
  private final String type;
  private final byte[] bytes;
  private final int from;
  private final int to;

  // Of the message, with its quotes, if that is the line; else 0.
  private int messageFrom;
  private int messageTo;

  // Where values of the payload begin; 0: not there.
  private int labels;
  private int metadataObject;
  private int level;
  private int severity;

  /** Whether another walk has to find what is there. */
  private boolean isOdd;

  /** Null: not replaced, and not decoded. */
  private @Nullable String text;

  private boolean isReplaced;

  /** Null until it is needed. */
  private @Nullable SortedMap<String, String> stream;

  /** Without those of the stream; empty until they are needed. */
  private final TreeMap<String, String> metadata = new TreeMap<>();

  private final TreeMap<String, String> parsed = new TreeMap<>();

  LogLine(StreamLabels rules, String type, Columns columns, int i) {
    this(rules, type, columns.bytes(), columns.offset(i), columns.offset(i) + columns.length(i));
  }

  LogLine(StreamLabels rules, String type, byte[] payload, int from, int to) {
    this.rules = rules;
    this.type = type;
    this.bytes = payload;
    this.from = JsonScan.skipSpace(payload, from, to);
    this.to = to;
    walk();
    if (isOdd) {
      findMessage();
    }
  }

  /**
   * Finds what the line is made of. Of equal keys, the last counts, as everywhere; some payloads
   * are left to another walk.
   */
  private void walk() {
    int message = 0;
    int messageEnd = 0;
    boolean hasFacility = false;
    int at = isObject() ? JsonScan.skipSpace(bytes, from + 1, to) : to;
    while (at < to && bytes[at] == '"') {
      int keyEnd = JsonScan.skipString(bytes, at, to);
      int value = JsonScan.valueAfter(bytes, keyEnd, to);
      int end = JsonScan.skipValue(bytes, value, to);
      switch (bytes[at + 1]) {
        case 'm' -> {
          if (isKey(MESSAGE, at, keyEnd)) {
            boolean isText = bytes[value] == '"';
            message = isText ? value : 0;
            messageEnd = isText ? end : 0;
          } else {
            find(METADATA, at, keyEnd, value);
          }
        }
        case 'l' -> {
          if (isKey(LEVEL, at, keyEnd)) {
            level = value;
          } else {
            find(LABELS, at, keyEnd, value);
          }
        }
        case 's' -> {
          if (isKey(SEVERITY, at, keyEnd)) {
            severity = value;
          }
        }
        case 'f' -> hasFacility |= isKey(FACILITY, at, keyEnd) && bytes[value] == '"';
        default -> {}
      }
      isOdd |= JsonScan.hasEscape(bytes, at + 1, keyEnd - 1);
      at = JsonScan.next(bytes, end, to);
    }
    if (labels > 0 || hasFacility && severity > 0 && bytes[severity] == '"') {
      messageFrom = message;
      messageTo = messageEnd;
    }
  }

  /** Finds the labels or the metadata. */
  private void find(byte[] name, int at, int keyEnd, int value) {
    boolean isLabels = name == LABELS;
    if (isKey(name, at, keyEnd)) {
      isOdd |= (isLabels ? labels : metadataObject) > 0 || bytes[value] != '{';
      if (isLabels) {
        labels = bytes[value] == '{' ? value : 0;
      } else {
        metadataObject = value;
      }
    } else if (keyEnd - at - 2 > name.length && bytes[at + 1 + name.length] == '.') {
      isOdd = true; // perhaps a key with a dot, such as labels.env
    }
  }

  private boolean isObject() {
    return from < to && bytes[from] == '{';
  }

  /** As above, of a payload whose keys have escapes, or stand there twice. */
  private void findMessage() {
    Map<String, Integer> values = new HashMap<>();
    if (isObject()) {
      forEachMember(from, to, (key, value, end) -> values.put(key, value));
    }
    boolean hasLabels = begins(values, StreamLabels.LABELS, '{');
    boolean isOfSyslog =
        begins(values, "facility", '"') && begins(values, StreamLabels.SEVERITY, '"');
    boolean isMessage = begins(values, "message", '"') && (hasLabels || isOfSyslog);
    messageFrom = isMessage ? values.getOrDefault("message", 0) : 0;
    messageTo = isMessage ? JsonScan.skipValue(bytes, messageFrom, to) : 0;
  }

  private boolean begins(Map<String, Integer> values, String key, char first) {
    int value = values.getOrDefault(key, 0);
    return value > 0 && bytes[value] == first;
  }

  /** Whether the string in {@code [at, end)} is this key, without escapes. */
  private boolean isKey(byte[] key, int at, int end) {
    return Arrays.equals(bytes, at + 1, end - 1, key, 0, key.length);
  }

  // The line.

  /** Whether the line is the payload itself. */
  boolean isPayload() {
    return messageTo == 0 && !isReplaced;
  }

  /** Whether the bytes of the line stand in the payload as they are. */
  boolean isPlain() {
    return !isReplaced
        && (messageTo == 0 || !JsonScan.hasEscape(bytes, messageFrom + 1, messageTo - 1));
  }

  /** Whether the payload has line breaks where its line has blanks. */
  boolean hasBreaks() {
    for (int i = from; isPayload() && i < to; i++) {
      if (bytes[i] == '\n' || bytes[i] == '\r') {
        return true;
      }
    }
    return false;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where a plain line begins in {@link #bytes}. */
  int plainFrom() {
    return messageTo == 0 ? from : messageFrom + 1;
  }

  int plainTo() {
    return messageTo == 0 ? to : messageTo - 1;
  }

  /** About its length, to count work in advance: bytes, or characters once it is decoded. */
  int size() {
    String known = text;
    return known == null ? plainTo() - plainFrom() : known.length();
  }

  /** Decoding it counts as work. */
  String text() {
    String known = text;
    if (known == null) {
      Effort.current().spend(size());
      known = messageTo == 0 ? payload() : JsonString.decode(bytes, messageFrom + 1, messageTo - 1);
      text = known;
    }
    return known;
  }

  private String payload() {
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    LineBreaks.toSpaces(line, 0, line.length);
    return new String(line, StandardCharsets.UTF_8);
  }

  /** In UTF-8. */
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
    } else if (messageTo > 0) {
      out.raw(bytes, messageFrom, messageTo);
    } else {
      out.quoted(bytes, from, to);
    }
  }

  // The labels.

  String type() {
    return type;
  }

  /**
   * Appends what the labels are made of beside the type. False, and perhaps something appended, if
   * that is more, or if they were read already.
   */
  boolean writeKey(JsonText out) {
    boolean isMore = isOdd || metadataObject > 0 || !rules.fields().isEmpty();
    if (isMore || stream != null || !parsed.isEmpty()) {
      return false;
    }
    writeKey(labels, out);
    writeKey(level, out);
    writeKey(severity, out);
    return true;
  }

  private void writeKey(int value, JsonText out) {
    if (value > 0) {
      out.raw(bytes, value, JsonScan.skipValue(bytes, value, to));
    }
    out.raw(KEY_PART, 0, KEY_PART.length);
  }

  /** Null if it is absent or empty. */
  @Nullable String label(String name) {
    if (stream == null && name.equals(StreamLabels.SERVICE)) {
      return type;
    }
    String ofParser = parsed.get(name);
    if (ofParser != null) {
      return ofParser;
    }
    String ofStream = stream().get(name);
    String own = ofStream != null ? ofStream : metadata().get(name);
    return own == null && name.equals(StreamLabels.DETECTED_LEVEL)
        ? label(StreamLabels.LEVEL)
        : own;
  }

  /** Without empty ones; may be changed by its user. */
  private SortedMap<String, String> streamLabels() {
    SortedMap<String, String> known = stream;
    return known == null ? read() : known;
  }

  Map<String, String> stream() {
    return streamLabels();
  }

  boolean hasMetadata() {
    return (isOdd || metadataObject > 0) && !metadata().isEmpty();
  }

  Map<String, String> metadata() {
    stream();
    return metadata;
  }

  Map<String, String> parsed() {
    return parsed;
  }

  /** All of them together; not to be changed. */
  SortedMap<String, String> labels() {
    SortedMap<String, String> ofStream = streamLabels();
    if (metadata.isEmpty() && parsed.isEmpty()) {
      return ofStream;
    }
    TreeMap<String, String> all = new TreeMap<>(parsed);
    metadata.forEach(all::putIfAbsent);
    ofStream.forEach(all::putIfAbsent);
    return all;
  }

  /** A label of a stage. A name that the event has itself gets a suffix. */
  void parse(String name, String value) {
    String free =
        stream().containsKey(name) || metadata().containsKey(name) ? name + "_extracted" : name;
    if (value.isEmpty()) {
      parsed.remove(free);
    } else {
      parsed.put(free, value);
    }
  }

  void fail(String error) {
    parsed.put(ERROR, error);
  }

  /** Removes labels, or with {@code keeps} all others. */
  void select(boolean keeps, Set<String> names) {
    for (Map<String, String> labels : List.of(stream(), metadata(), parsed)) {
      labels.keySet().removeIf(name -> names.contains(name) != keeps);
    }
  }

  private SortedMap<String, String> read() {
    SortedMap<String, String> ofStream = new TreeMap<>();
    Map<String, String> ofMetadata = metadata;
    if (isOdd) {
      readOdd(ofStream, ofMetadata);
    } else {
      if (labels > 0) {
        members(labels, to, ofStream);
      }
      if (metadataObject > 0) {
        members(metadataObject, to, ofMetadata);
      }
      removeEmpty(ofStream);
      removeEmpty(ofMetadata);
      putIfAbsent(StreamLabels.LEVEL, scalar(level), ofStream);
      putIfAbsent(StreamLabels.LEVEL, scalar(severity), ofStream);
    }
    rules
        .fields()
        .forEach(
            (name, path) -> {
              FieldPath field = new FieldPath(path, () -> false);
              if (field.find(bytes, from, to)) {
                putIfAbsent(name, scalar(field.from(), field.to()), ofStream);
              }
            });
    ofStream.put(StreamLabels.SERVICE, type);
    if (!ofMetadata.isEmpty()) {
      ofMetadata.keySet().removeAll(ofStream.keySet());
    }
    stream = ofStream;
    return ofStream;
  }

  private void readOdd(Map<String, String> ofStream, Map<String, String> ofMetadata) {
    // A key with the dot in it wins, as in every path.
    Map<String, String> dotted = new TreeMap<>();
    if (isObject()) {
      forEachMember(
          from,
          to,
          (key, value, end) -> {
            if (key.equals(StreamLabels.LABELS)) {
              onlyMembers(value, end, ofStream);
            } else if (key.equals(StreamLabels.METADATA)) {
              onlyMembers(value, end, ofMetadata);
            } else if (isDotted(key)) {
              dotted.put(key, scalar(value, end));
            }
          });
    }
    dotted.forEach(
        (key, value) -> {
          putDotted(key, StreamLabels.LABELS, value, ofStream);
          putDotted(key, StreamLabels.METADATA, value, ofMetadata);
        });
    removeEmpty(ofStream);
    removeEmpty(ofMetadata);
    putIfAbsent(StreamLabels.LEVEL, dotted.getOrDefault(StreamLabels.LEVEL, ""), ofStream);
    putIfAbsent(StreamLabels.LEVEL, dotted.getOrDefault(StreamLabels.SEVERITY, ""), ofStream);
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

  /** In place of those of an equal key before; none, unless the value is an object. */
  private void onlyMembers(int value, int end, Map<String, String> into) {
    into.clear();
    if (bytes[value] == '{') {
      members(value, end, into);
    }
  }

  private void members(int open, int close, Map<String, String> labels) {
    forEachMember(open, close, (key, value, end) -> labels.put(key, scalar(value, end)));
  }

  /** A member of an object: its key, and where its value begins and ends. */
  private interface Member {
    void accept(String key, int value, int end);
  }

  private void forEachMember(int open, int close, Member member) {
    int at = JsonScan.skipSpace(bytes, open + 1, close);
    while (at < close && bytes[at] == '"') {
      int keyEnd = JsonScan.skipString(bytes, at, close);
      int value = JsonScan.valueAfter(bytes, keyEnd, close);
      int end = JsonScan.skipValue(bytes, value, close);
      member.accept(JsonString.decode(bytes, at + 1, keyEnd - 1), value, end);
      at = JsonScan.next(bytes, end, close);
    }
  }

  /** Of the value that begins there; empty at 0. */
  private String scalar(int at) {
    return at == 0 ? "" : scalar(at, JsonScan.skipValue(bytes, at, to));
  }

  private String scalar(int valueFrom, int valueTo) {
    return scalar(bytes, valueFrom, valueTo);
  }

  /** The text of a JSON value; empty if it is no label. */
  static String scalar(byte[] json, int from, int to) {
    if (!isLabel(json, from, to)) {
      return "";
    }
    return json[from] == '"'
        ? JsonString.decode(json, from + 1, to - 1)
        : new String(json, from, to - from, StandardCharsets.UTF_8);
  }

  /** Null, an object, a list and an empty text are none. */
  static boolean isLabel(byte[] json, int from, int to) {
    return switch (json[from]) {
      case 'n', '{', '[' -> false;
      case '"' -> to - from > 2;
      default -> true;
    };
  }
}
