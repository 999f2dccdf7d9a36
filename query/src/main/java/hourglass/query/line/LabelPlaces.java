package hourglass.query.line;

import hourglass.bytes.JsonScan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The places of the labels of an event, in the object that contains them: the payload, or the
 * member of it that a push to Loki adds. Each is the place at which a value begins, or 0 if it is
 * absent. If keys are equal, the last one counts, as everywhere. Not thread-safe.
 *
 * <pre>
 * {"message":"a line","labels":{"app":"shop"},"metadata":{"trace":"t1"},"level":"info"}
 * |open                        |labels              |metadata              |level
 * </pre>
 */
public final class LabelPlaces {
  private static final byte[] LEVEL = ascii(StreamLabels.LEVEL);
  private static final byte[] METADATA = ascii(StreamLabels.METADATA);
  private static final byte[] LABELS = ascii(StreamLabels.LABELS);
  private static final byte[] FACILITY = ascii(StreamLabels.FACILITY);
  private static final byte[] SEVERITY = ascii(StreamLabels.SEVERITY);
  private static final byte[] SEVERITY_NUMBER = ascii(StreamLabels.SEVERITY_NUMBER);

  private final byte[] bytes;
  private final int open;

  private int labels;
  private int metadata;
  private int level;
  private int severity;
  private int severityNumber;
  private boolean hasFacility;

  /** Whether another walk has to find the labels. */
  private boolean isOdd;

  /** Begins with the object that opens there, no member of which is known yet. */
  LabelPlaces(byte[] bytes, int open) {
    this.bytes = bytes;
    this.open = open;
  }

  /** Finds the labels and the metadata in the member that a push to Loki adds. */
  static LabelPlaces ofMember(byte[] bytes, int open, int close) {
    LabelPlaces places = new LabelPlaces(bytes, open);
    int at = JsonScan.skipSpace(bytes, open + 1, close);
    while (at < close && bytes[at] == '"') {
      int keyEnd = JsonScan.skipString(bytes, at, close);
      int value = JsonScan.valueAfter(bytes, keyEnd, close);
      places.find(bytes[at + 1] == 'l' ? LABELS : METADATA, at, keyEnd, value);
      places.isOdd |= JsonScan.hasEscape(bytes, at + 1, keyEnd - 1);
      at = JsonScan.next(bytes, JsonScan.skipValue(bytes, value, close), close);
    }
    return places;
  }

  /** Adds a member of the payload, with its key in {@code [at, keyEnd)}. */
  void add(int at, int keyEnd, int value) {
    switch (bytes[at + 1]) {
      case 'm' -> find(METADATA, at, keyEnd, value);
      case 'l' -> {
        if (isKey(LEVEL, bytes, at, keyEnd)) {
          level = value;
        } else {
          find(LABELS, at, keyEnd, value);
        }
      }
      case 's' -> {
        if (isKey(SEVERITY, bytes, at, keyEnd)) {
          severity = value;
        } else if (isKey(SEVERITY_NUMBER, bytes, at, keyEnd)) {
          severityNumber = value;
        }
      }
      case 'f' -> hasFacility |= isKey(FACILITY, bytes, at, keyEnd) && bytes[value] == '"';
      default -> {}
    }
    isOdd |= JsonScan.hasEscape(bytes, at + 1, keyEnd - 1);
  }

  /** Finds the labels or the metadata, by a member of this name. */
  private void find(byte[] name, int at, int keyEnd, int value) {
    boolean isLabels = name == LABELS;
    if (isKey(name, bytes, at, keyEnd)) {
      isOdd |= (isLabels ? labels : metadata) > 0 || bytes[value] != '{';
      if (isLabels) {
        labels = bytes[value] == '{' ? value : 0;
      } else {
        metadata = value;
      }
    } else if (keyEnd - at - 2 > name.length && bytes[at + 1 + name.length] == '.') {
      isOdd = true; // perhaps a key with a dot, such as labels.env
    }
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether the string in {@code [at, end)} is this key, without escapes. */
  static boolean isKey(byte[] key, byte[] json, int at, int end) {
    return json[at + 1] == key[0] // decides for most keys
        && Arrays.equals(json, at + 1, end - 1, key, 0, key.length);
  }

  /** Whether the payload contains the severity and the facility of syslog. */
  boolean areOfSyslog() {
    return hasFacility && severity > 0 && bytes[severity] == '"';
  }

  /**
   * Whether the other places do not lead to all labels: some key is escaped, repeated or dotted.
   */
  public boolean areOdd() {
    return isOdd;
  }

  /** The place at which the object that contains the labels and the metadata opens. */
  int open() {
    return open;
  }

  public int labels() {
    return labels;
  }

  public int metadata() {
    return metadata;
  }

  public int level() {
    return level;
  }

  public int severity() {
    return severity;
  }

  int severityNumber() {
    return severityNumber;
  }
}
