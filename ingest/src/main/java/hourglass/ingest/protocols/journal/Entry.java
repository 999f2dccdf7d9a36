package hourglass.ingest.protocols.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.Reason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one entry, and the event that they become. Names and values are parts of the
 * reader's array. Not thread-safe.
 */
final class Entry {
  /** The number in place of a position if the value is not kept. */
  static final int NO_VALUE = -1;

  /** The most fields, as in journald. */
  static final int FIELDS_MAX = 1024;

  /** The name of the member for a value that is not text. */
  static final String BASE64 = "base64";

  private static final JsonWriter.Key BASE64_KEY = JsonWriter.Key.of(BASE64);

  private static final byte[] CURSOR = "__CURSOR".getBytes(UTF_8);
  private static final byte[] REALTIME = "__REALTIME_TIMESTAMP".getBytes(UTF_8);
  private static final byte[] IDENTIFIER = "SYSLOG_IDENTIFIER".getBytes(UTF_8);
  private static final byte[] COMMAND = "_COMM".getBytes(UTF_8);

  private static final long TICKS_PER_MICRO = Ticks.PER_MILLI / 1000;

  /** The most digits of a time, which are enough for the year 2286. */
  private static final int MICROS_DIGITS_MAX = 16;

  private static final int NULL_BYTES = 4;

  /** The bytes around a member: quotes, a colon and a comma. */
  private static final int MEMBER_BYTES = 4;

  private final int maxEventBytes;

  // These arrays describe each field:
  private int[] nameFrom = new int[32];
  private int[] nameTo = new int[32];
  private int[] valueFrom = new int[32];
  private int[] valueTo = new int[32];
  private int[] hashes = new int[32];
  private boolean[] written = new boolean[32];

  private int count;
  private boolean over;

  /** The bytes that the payload may still use. */
  private long room;

  Entry(int maxEventBytes) {
    this.maxEventBytes = maxEventBytes;
  }

  void put(byte[] b, int nameFrom, int nameTo, int valueFrom, int valueTo) {
    if (over || count == FIELDS_MAX) {
      over = true;
      count = 0;
      return;
    }
    if (count == hashes.length) {
      grow(2 * count);
    }
    this.nameFrom[count] = nameFrom;
    this.nameTo[count] = nameTo;
    this.valueFrom[count] = valueFrom;
    this.valueTo[count] = valueTo;
    hashes[count] = hash(b, nameFrom, nameTo);
    count++;
  }

  private void grow(int capacity) {
    nameFrom = Arrays.copyOf(nameFrom, capacity);
    nameTo = Arrays.copyOf(nameTo, capacity);
    valueFrom = Arrays.copyOf(valueFrom, capacity);
    valueTo = Arrays.copyOf(valueTo, capacity);
    hashes = Arrays.copyOf(hashes, capacity);
    written = Arrays.copyOf(written, capacity);
  }

  private static int hash(byte[] b, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + b[i];
    }
    return hash;
  }

  /** Returns whether the entry has more fields than any of journald, and becomes no event. */
  boolean isOver() {
    return over;
  }

  /** Moves all positions, since the content of the array was moved. */
  void moveBy(int bytes) {
    for (int i = 0; i < count; i++) {
      nameFrom[i] += bytes;
      nameTo[i] += bytes;
      valueFrom[i] += valueFrom[i] == NO_VALUE ? 0 : bytes;
      valueTo[i] += valueTo[i] == NO_VALUE ? 0 : bytes;
    }
  }

  /**
   * Adds the event of the entry, if it has a field, and begins the next entry. Where memory is
   * short it throws, nothing is added, and the entry stays.
   */
  void addTo(ConvertedEvents events, byte[] b) {
    if (over) {
      events.refuse(Reason.EVENT_BYTES, "entry: more than " + FIELDS_MAX + " fields");
    } else if (count > 0) {
      write(b, events.payload());
      events.add(type(b), ticks(b), text(b, find(b, CURSOR)));
    }
    count = 0;
    over = false;
  }

  private void write(byte[] b, JsonWriter json) {
    room = maxEventBytes - 2L;
    for (int i = 0; i < count; i++) {
      room -= nameTo[i] - nameFrom[i] + MEMBER_BYTES + NULL_BYTES;
    }
    Arrays.fill(written, 0, count, false);
    json.beginObject();
    for (int i = 0; i < count; i++) {
      if (!written[i]) {
        json.key(b, nameFrom[i], nameTo[i]);
        int next = next(b, i);
        if (next < 0) {
          value(b, i, json);
        } else {
          json.beginArray();
          value(b, i, json);
          for (; next >= 0; next = next(b, next)) {
            value(b, next, json);
            written[next] = true;
          }
          json.endArray();
        }
      }
    }
    json.endObject();
  }

  /** Returns the next field of the same name, or -1. */
  private int next(byte[] b, int field) {
    int hash = hashes[field];
    for (int i = field + 1; i < count; i++) {
      if (hashes[i] == hash && isNamed(b, i, b, nameFrom[field], nameTo[field])) {
        return i;
      }
    }
    return -1;
  }

  private boolean isNamed(byte[] b, int field, byte[] name, int from, int to) {
    return Arrays.equals(b, nameFrom[field], nameTo[field], name, from, to);
  }

  private void value(byte[] b, int field, JsonWriter json) {
    int from = valueFrom[field];
    int to = valueTo[field];
    long text = from == NO_VALUE ? NO_VALUE : textBytes(b, from, to);
    if (from == NO_VALUE) {
      json.nothing();
    } else if (text >= 0) {
      if (hasRoom(text)) {
        json.string(b, from, to);
      } else {
        json.nothing();
      }
    } else if (hasRoom((to - from + 2L) / 3 * 4 + BASE64.length() + 7)) {
      base64(b, from, to, json);
    } else {
      json.nothing();
    }
  }

  private boolean hasRoom(long bytes) {
    boolean fits = bytes - NULL_BYTES <= room;
    room -= fits ? bytes - NULL_BYTES : 0;
    return fits;
  }

  /**
   * Returns the length of a text as a string of JSON; -1 if it is not UTF-8. A line feed follows
   * it.
   */
  private static long textBytes(byte[] b, int from, int to) {
    long bytes = to - from + 2L;
    for (int i = from; i < to; i++) {
      byte c = b[i];
      if (c < 0) {
        int sequence = Utf8.sequence(b, i);
        if (sequence == 0) {
          return -1;
        }
        i += sequence - 1;
      } else if (c < ' ') {
        bytes += c == '\n' || c == '\r' || c == '\t' ? 1 : 5;
      } else if (c == '"' || c == '\\') {
        bytes++;
      }
    }
    return bytes;
  }

  private static void base64(byte[] b, int from, int to, JsonWriter json) {
    json.beginObject().key(BASE64_KEY).base64(b, from, to).endObject();
  }

  /** Returns the first field of that name, or -1. */
  private int find(byte[] b, byte[] name) {
    int hash = hash(name, 0, name.length);
    for (int i = 0; i < count; i++) {
      if (hashes[i] == hash && isNamed(b, i, name, 0, name.length)) {
        return valueFrom[i] == NO_VALUE ? -1 : i;
      }
    }
    return -1;
  }

  /** Returns the text of a field; null if the field is absent or empty. */
  private @Nullable String text(byte[] b, int field) {
    return field < 0 || valueFrom[field] == valueTo[field]
        ? null
        : new String(b, valueFrom[field], valueTo[field] - valueFrom[field], UTF_8);
  }

  /** Returns the first value that can be a type, or null. */
  private @Nullable String type(byte[] b) {
    String type = type(b, find(b, IDENTIFIER));
    return type == null ? type(b, find(b, COMMAND)) : type;
  }

  private @Nullable String type(byte[] b, int field) {
    boolean isText = field >= 0 && textBytes(b, valueFrom[field], valueTo[field]) >= 0;
    String text = isText ? text(b, field) : null;
    return text != null && EventType.isValid(text) ? text : null;
  }

  private long ticks(byte[] b) {
    int field = find(b, REALTIME);
    int digits = field < 0 ? 0 : valueTo[field] - valueFrom[field];
    if (digits == 0 || digits > MICROS_DIGITS_MAX) {
      return Rfc3339.NOT_A_TIME;
    }
    long micros = 0;
    for (int i = valueFrom[field]; i < valueTo[field]; i++) {
      if (b[i] < '0' || b[i] > '9') {
        return Rfc3339.NOT_A_TIME;
      }
      micros = 10 * micros + b[i] - '0';
    }
    return Ticks.UNIX_EPOCH + TICKS_PER_MICRO * micros;
  }
}
