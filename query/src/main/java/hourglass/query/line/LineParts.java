package hourglass.query.line;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The line of an event and the {@link LabelPlaces}, found in one pass over its payload. Not
 * thread-safe.
 *
 * <pre>
 * {"message":"a line","labels":{"app":"shop"},"metadata":{"trace":"t1"},"level":"info"}
 *            |message|         |labels              |metadata              |level
 *
 * {"_loki":{"labels":{"app":"shop"},"metadata":{"trace":"t1"}},"user":7}
 *  |cut              |labels                   |metadata      |cutTo
 * </pre>
 *
 * The line of the second payload is {@code {"user":7}}, as it was sent. White space between the
 * bracket and the member that is cut out was before the line's bracket.
 */
public final class LineParts {
  private static final byte[] MESSAGE = LabelPlaces.ascii("message");
  private static final byte[] LOKI = LabelPlaces.ascii(StreamLabels.LOKI);

  private final byte[] bytes;
  private final int from;
  private final int to;

  // The message, with its quotes, if that is the line; else 0.
  private int messageFrom;
  private int messageTo;

  // The range that is cut out of the payload to make the line, if there is such a member; else 0.
  private int cut;
  private int cutTo;

  /** The line that remains after the cut; null until it is needed. */
  private byte @Nullable [] line;

  private LabelPlaces places;

  /** Walks the payload in {@code [from, to)}, which is known to be JSON since it was stored. */
  public LineParts(byte[] payload, int from, int to) {
    this.bytes = payload;
    this.from = JsonScan.skipSpace(payload, from, to);
    this.to = to;
    places = new LabelPlaces(payload, this.from);
    walk();
    if (places.areOdd() && !isObject()) {
      findMessage();
    }
  }

  /** Finds the line and the labels. Some payloads are left to another walk. */
  private void walk() {
    int message = 0;
    int messageEnd = 0;
    int previousEnd = 0;
    int at = opens() ? JsonScan.skipSpace(bytes, from + 1, to) : to;
    while (at < to && bytes[at] == '"') {
      int keyEnd = JsonScan.skipString(bytes, at, to);
      int value = JsonScan.valueAfter(bytes, keyEnd, to);
      int end = JsonScan.skipValue(bytes, value, to);
      if (LabelPlaces.isKey(LOKI, bytes, at, keyEnd)
          && bytes[value] == '{'
          && findLabels(value, end)) {
        cut(at, end, previousEnd);
        return;
      }
      if (LabelPlaces.isKey(MESSAGE, bytes, at, keyEnd)) {
        boolean isText = bytes[value] == '"';
        message = isText ? value : 0;
        messageEnd = isText ? end : 0;
      } else {
        places.add(at, keyEnd, value);
      }
      previousEnd = end;
      at = JsonScan.next(bytes, end, to);
    }
    if (places.labels() > 0 || places.areOfSyslog()) {
      messageFrom = message;
      messageTo = messageEnd;
    }
  }

  /** Whether the object that opens there contains labels, which then are those of the event. */
  private boolean findLabels(int open, int close) {
    LabelPlaces member = LabelPlaces.ofMember(bytes, open, close);
    boolean isFound = member.labels() > 0;
    if (isFound) {
      places = member;
    }
    return isFound;
  }

  /** Cuts out a member, with the comma after it, or before it if it is the last one. */
  private void cut(int key, int end, int previousEnd) {
    int next = JsonScan.skipSpace(bytes, end, to);
    boolean isLast = next == to || bytes[next] != ',';
    cut = isLast && previousEnd > 0 ? previousEnd : key;
    cutTo = isLast ? end : next + 1;
  }

  private boolean opens() {
    return from < to && bytes[from] == '{';
  }

  /** Finds the message in a payload whose keys contain escapes, or occur twice. */
  private void findMessage() {
    Map<String, Integer> values = new HashMap<>();
    if (opens()) {
      forEachMember(bytes, from, to, (key, value, end) -> values.put(key, value));
    }
    boolean hasLabels = begins(values, StreamLabels.LABELS, '{');
    boolean isOfSyslog =
        begins(values, StreamLabels.FACILITY, '"') && begins(values, StreamLabels.SEVERITY, '"');
    boolean isMessage = begins(values, "message", '"') && (hasLabels || isOfSyslog);
    messageFrom = isMessage ? values.getOrDefault("message", 0) : 0;
    messageTo = isMessage ? JsonScan.skipValue(bytes, messageFrom, to) : 0;
  }

  private boolean begins(Map<String, Integer> values, String key, char first) {
    int value = values.getOrDefault(key, 0);
    return value > 0 && bytes[value] == first;
  }

  /** The bytes that contain the payload. */
  public byte[] bytes() {
    return bytes;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Whether the line is the payload itself. */
  public boolean isPayload() {
    return messageTo == 0 && !isObject();
  }

  /** Whether the line is the payload without a member, byte for byte as it was sent. */
  public boolean isObject() {
    return cutTo > 0;
  }

  /** The place at which the message begins, with its quotes, if it is the line. */
  public int messageFrom() {
    return messageFrom;
  }

  public int messageTo() {
    return messageTo;
  }

  /** Whether the bytes of the line are those of {@link #lineBytes}, without escapes. */
  public boolean isPlain() {
    return messageTo == 0 || !JsonScan.hasEscape(bytes, messageFrom + 1, messageTo - 1);
  }

  /**
   * Returns the bytes that contain a plain line: those of the payload, or of a line that is put
   * together.
   */
  public byte[] lineBytes() {
    if (!isObject()) {
      return bytes;
    }
    byte[] known = line;
    if (known == null) {
      known = whole();
      line = known;
    }
    return known;
  }

  private byte[] whole() {
    int first = JsonScan.skipSpace(bytes, from + 1, to);
    int space = cut == first ? first - from - 1 : 0;
    byte[] whole = new byte[lineTo()];
    System.arraycopy(bytes, from + 1, whole, 0, space);
    whole[space] = '{';
    System.arraycopy(bytes, from + 1 + space, whole, space + 1, cut - from - 1 - space);
    System.arraycopy(bytes, cutTo, whole, cut - from, to - cutTo);
    return whole;
  }

  /** The place in {@link #lineBytes} at which a plain line begins. */
  public int lineFrom() {
    return isObject() ? 0 : messageTo == 0 ? from : messageFrom + 1;
  }

  public int lineTo() {
    return isObject() ? to - from - (cutTo - cut) : messageTo == 0 ? to : messageTo - 1;
  }

  /** Returns the line, unless it is the payload itself. */
  public String text() {
    return isObject()
        ? new String(lineBytes(), StandardCharsets.UTF_8)
        : JsonString.decode(bytes, messageFrom + 1, messageTo - 1);
  }

  /** The places of the labels. */
  public LabelPlaces places() {
    return places;
  }

  /** Returns the text of the value that begins there; empty at 0, or if it is not a label. */
  String scalar(int at) {
    return at == 0 ? "" : scalar(bytes, at, JsonScan.skipValue(bytes, at, to));
  }

  /** Receives a member of an object: its key, and the places at which its value begins and ends. */
  interface Member {
    void accept(String key, int value, int end);
  }

  /** Passes on each member of the object that opens there. */
  static void forEachMember(byte[] json, int open, int close, Member member) {
    int at = JsonScan.skipSpace(json, open + 1, close);
    while (at < close && json[at] == '"') {
      int keyEnd = JsonScan.skipString(json, at, close);
      int value = JsonScan.valueAfter(json, keyEnd, close);
      int end = JsonScan.skipValue(json, value, close);
      member.accept(JsonString.decode(json, at + 1, keyEnd - 1), value, end);
      at = JsonScan.next(json, end, close);
    }
  }

  /** Returns the text of a JSON value; empty if it is not a label. */
  public static String scalar(byte[] json, int from, int to) {
    if (!isLabel(json, from, to)) {
      return "";
    }
    return json[from] == '"'
        ? JsonString.decode(json, from + 1, to - 1)
        : new String(json, from, to - from, StandardCharsets.UTF_8);
  }

  /** Whether a JSON value is a label. Null, an object, a list and an empty text are not. */
  public static boolean isLabel(byte[] json, int from, int to) {
    return switch (json[from]) {
      case 'n', '{', '[' -> false;
      case '"' -> to - from > 2;
      default -> true;
    };
  }
}
