package hourglass.ingest.decode;

import hourglass.store.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes one JSON object after another into an array that grows. Commas are its own concern; pairs
 * of brackets are the caller's. Not thread-safe.
 *
 * <p>Text that is not well-formed UTF-8 is written with U+FFFD for each byte that is not, so that
 * the payload is JSON whatever a client sent.
 */
public final class JsonWriter {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] CONTROL = "u00".getBytes(StandardCharsets.US_ASCII);

  /** U+FFFD. */
  private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

  private static final int ESCAPE_BYTES_MAX = 6;

  private static final int LONG_DIGITS_MAX = 20;

  /** Java's arrays end a little before 2^31. */
  private static final long CAPACITY_MAX = Integer.MAX_VALUE - 16;

  private final Memory memory;
  private byte[] bytes;
  private int length;

  /** Whether the next key or element follows another one. */
  private boolean follows;

  /** A key of an object, encoded once. */
  public static final class Key {
    private final byte[] text;

    private Key(byte[] text) {
      this.text = text;
    }

    /** Of a name that needs no escapes. */
    public static Key of(String name) {
      return new Key(('"' + name + "\":").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Reserves what it uses. */
  JsonWriter(Memory memory, int capacity) {
    this.memory = memory;
    reserve(capacity);
    this.bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Forgets what was written behind {@code end}, and begins another value there. */
  void cut(int end) {
    length = end;
    follows = false;
  }

  /** Writes zeros, which stop a scanner. */
  void pad(int count) {
    ensure(count);
    Arrays.fill(bytes, length, length + count, (byte) 0);
    length += count;
    follows = false;
  }

  public JsonWriter beginObject() {
    return begin('{');
  }

  public JsonWriter endObject() {
    return end('}');
  }

  public JsonWriter beginArray() {
    return begin('[');
  }

  public JsonWriter endArray() {
    return end(']');
  }

  public JsonWriter key(Key key) {
    ensure(key.text.length + 1);
    comma();
    append(key.text, 0, key.text.length);
    follows = false;
    return this;
  }

  public JsonWriter key(String name) {
    string(name);
    return afterKey();
  }

  /** A key in UTF-8. */
  public JsonWriter key(byte[] utf8, int from, int to) {
    string(utf8, from, to);
    return afterKey();
  }

  private JsonWriter afterKey() {
    ensure(1);
    bytes[length++] = ':';
    follows = false;
    return this;
  }

  public JsonWriter string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return string(utf8, 0, utf8.length);
  }

  /** Text in UTF-8, escaped where JSON wants it. */
  public JsonWriter string(byte[] utf8, int from, int to) {
    int more = bytesMore(utf8, from, to);
    ensure((long) to - from + more + 3);
    comma();
    bytes[length++] = '"';
    if (more == 0) {
      append(utf8, from, to);
    } else {
      escape(utf8, from, to);
    }
    bytes[length++] = '"';
    return this;
  }

  /** How many bytes more than the text its escapes take at most. */
  private static int bytesMore(byte[] utf8, int from, int to) {
    int more = 0;
    for (int i = from; i < to; i++) {
      byte c = utf8[i];
      if (c < ' ' || c == '"' || c == '\\') {
        more += c < 0 ? REPLACEMENT.length - 1 : ESCAPE_BYTES_MAX - 1;
      }
    }
    return more;
  }

  private void escape(byte[] utf8, int from, int to) {
    for (int i = from; i < to; ) {
      byte c = utf8[i];
      int sequence = c < 0 ? sequence(utf8, i, to) : 1;
      if (sequence == 0) {
        append(REPLACEMENT, 0, REPLACEMENT.length);
        i++;
      } else if (sequence > 1 || c >= ' ' && c != '"' && c != '\\') {
        append(utf8, i, i + sequence);
        i += sequence;
      } else {
        escape(c);
        i++;
      }
    }
  }

  /** As {@link Utf8#sequence}, of bytes with nothing behind them. */
  private static int sequence(byte[] utf8, int at, int to) {
    int rest = to - at;
    if (rest >= 4) {
      return Utf8.sequence(utf8, at);
    }
    byte[] last = Arrays.copyOfRange(utf8, at, at + 4);
    Arrays.fill(last, rest, 4, (byte) 0);
    return Utf8.sequence(last, 0);
  }

  private void escape(byte c) {
    bytes[length++] = '\\';
    switch (c) {
      case '"', '\\' -> bytes[length++] = c;
      case '\n' -> bytes[length++] = 'n';
      case '\r' -> bytes[length++] = 'r';
      case '\t' -> bytes[length++] = 't';
      default -> {
        append(CONTROL, 0, CONTROL.length);
        bytes[length++] = HEX[c >> 4];
        bytes[length++] = HEX[c & 15];
      }
    }
  }

  public JsonWriter number(long number) {
    ensure(LONG_DIGITS_MAX + 1);
    comma();
    return ascii(Long.toString(number));
  }

  /** JSON has no infinity and no NaN: they become texts, as in the JSON of protocol buffers. */
  public JsonWriter number(double number) {
    if (!Double.isFinite(number)) {
      return string(Double.toString(number));
    }
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < 1L << 53;
    String text = isWhole ? Long.toString((long) number) : Double.toString(number);
    ensure(text.length() + 1L);
    comma();
    return ascii(text);
  }

  public JsonWriter bool(boolean value) {
    return raw(value ? TRUE : FALSE);
  }

  public JsonWriter nothing() {
    return raw(NULL);
  }

  private JsonWriter raw(byte[] json) {
    return raw(json, 0, json.length);
  }

  /** A value that is JSON already. */
  public JsonWriter raw(byte[] json, int from, int to) {
    ensure(to - from + 1L);
    comma();
    append(json, from, to);
    return this;
  }

  private JsonWriter begin(char bracket) {
    ensure(2);
    comma();
    bytes[length++] = (byte) bracket;
    follows = false;
    return this;
  }

  private JsonWriter end(char bracket) {
    ensure(1);
    bytes[length++] = (byte) bracket;
    follows = true;
    return this;
  }

  private JsonWriter ascii(String text) {
    for (int i = 0; i < text.length(); i++) {
      bytes[length++] = (byte) text.charAt(i);
    }
    return this;
  }

  private void append(byte[] some, int from, int to) {
    System.arraycopy(some, from, bytes, length, to - from);
    length += to - from;
  }

  private void comma() {
    if (follows) {
      bytes[length++] = ',';
    }
    follows = true;
  }

  private void ensure(long more) {
    if (bytes.length - length < more) {
      grow(length + more);
    }
  }

  private void grow(long wanted) {
    long capacity = Math.min(CAPACITY_MAX, Math.max(wanted, 2L * bytes.length));
    if (wanted > capacity) {
      throw memory.tooMuch();
    }
    reserve(capacity);
    byte[] grown = Arrays.copyOf(bytes, (int) capacity);
    memory.subtract(bytes.length);
    bytes = grown;
  }

  private void reserve(long capacity) {
    if (!memory.add(capacity)) {
      throw memory.tooMuch();
    }
  }
}
