package hourglass.ingest.decode;

import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

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

  private static final int SEQUENCE_BYTES_MAX = 4;

  /** Beside its text: a comma and the quotes, one escape, and a step of eight bytes too far. */
  private static final int STRING_SLACK = 3 + ESCAPE_BYTES_MAX + Long.BYTES;

  private static final int LONG_DIGITS_MAX = 20;

  /** A multiple of three, so that only the last step is padded. */
  private static final int BASE64_STEP = 3 * 1024;

  private final Memory memory;
  private final int bytesMax;
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

  /**
   * Reserves what it uses, at first {@code capacity}.
   *
   * @param bytesMax limit of all that is written; it throws {@link Memory#tooLarge} beyond
   */
  JsonWriter(Memory memory, int capacity, int bytesMax) {
    this.memory = memory;
    this.bytesMax = bytesMax;
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
    return colon();
  }

  /** A key in UTF-8. */
  public JsonWriter key(byte[] utf8, int from, int to) {
    string(utf8, from, to);
    return colon();
  }

  /** Makes a key of the string that was written last. */
  public JsonWriter colon() {
    ensure(1);
    bytes[length++] = ':';
    follows = false;
    return this;
  }

  public JsonWriter string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return string(utf8, 0, utf8.length);
  }

  /** Text in UTF-8, escaped where JSON wants it. Copies eight bytes a step between the escapes. */
  public JsonWriter string(byte[] utf8, int from, int to) {
    ensure((long) to - from + STRING_SLACK);
    comma();
    bytes[length++] = '"';
    int i = copyPlain(utf8, from, to);
    while (i < to) {
      i = special(utf8, i, to);
      ensure((long) to - i + STRING_SLACK);
      i = copyPlain(utf8, i, to);
    }
    bytes[length++] = '"';
    return this;
  }

  /** Copies up to the first byte that is special; returns its position, or the end. */
  private int copyPlain(byte[] utf8, int from, int to) {
    int i = from;
    while (to - i >= Long.BYTES) {
      long word = ByteWords.get(utf8, i);
      ByteWords.set(bytes, length, word);
      int plain = ByteWords.plain(word);
      i += plain;
      length += plain;
      if (plain < Long.BYTES) {
        return i;
      }
    }
    while (i < to && utf8[i] >= ' ' && utf8[i] != '"' && utf8[i] != '\\') {
      bytes[length++] = utf8[i++];
    }
    return i;
  }

  /** Writes the byte or the sequence at a position in another form or beyond ASCII. */
  private int special(byte[] utf8, int at, int to) {
    byte c = utf8[at];
    if (c >= 0) {
      escape(c);
      return at + 1;
    }
    int i = at;
    while (i < to && utf8[i] < 0) {
      ensure(SEQUENCE_BYTES_MAX);
      i += copySequence(utf8, i, to);
    }
    return i;
  }

  /** Writes one sequence beyond ASCII, or U+FFFD for a byte that is none; returns its length. */
  private int copySequence(byte[] utf8, int at, int to) {
    int sequence = sequence(utf8, at, to);
    if (sequence == 0) {
      append(REPLACEMENT, 0, REPLACEMENT.length);
      return 1;
    }
    append(utf8, at, at + sequence);
    return sequence;
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

  /**
   * A JSON value, with U+FFFD for each byte that is not well-formed UTF-8.
   *
   * @param json as a scanner took it
   */
  public JsonWriter repaired(byte[] json, int from, int to) {
    ensure(to - from + 1L);
    comma();
    for (int i = from; i < to; ) {
      ensure(SEQUENCE_BYTES_MAX);
      if (json[i] < 0) {
        i += copySequence(json, i, to);
      } else {
        bytes[length++] = json[i++];
      }
    }
    return this;
  }

  /** Where the next key or element is written, or the comma before it. */
  public int position() {
    return length;
  }

  /** Writes a value again: what is between two positions of this writer. */
  public JsonWriter again(int from, int to) {
    return raw(bytes, from, to);
  }

  /** White space before the next token. */
  JsonWriter space(byte[] json, int from, int to) {
    ensure(to - from);
    append(json, from, to);
    return this;
  }

  /**
   * Ends an object as another one ends: with what follows the opening bracket of that.
   *
   * @param isEmpty whether that object has no members
   */
  JsonWriter rest(byte[] json, int from, int to, boolean isEmpty) {
    ensure(to - from + 1L);
    if (!isEmpty) {
      comma();
    }
    append(json, from, to);
    follows = true;
    return this;
  }

  public JsonWriter raw(JsonFragment fragment) {
    return raw(fragment.bytes, 0, fragment.length);
  }

  /** Bytes as text in base64 (RFC 4648, section 4). */
  public JsonWriter base64(byte[] some, int from, int to) {
    ensure((to - from + 2L) / 3 * 4 + 3);
    comma();
    bytes[length++] = '"';
    for (int i = from; i < to; i += BASE64_STEP) {
      byte[] step = Arrays.copyOfRange(some, i, Math.min(to, i + BASE64_STEP));
      byte[] text = Base64.getEncoder().encode(step);
      append(text, 0, text.length);
    }
    bytes[length++] = '"';
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
    long capacity = Math.min(bytesMax, Math.max(wanted, 2L * bytes.length));
    if (wanted > capacity) {
      throw memory.tooLarge(
          "body: its events have more than " + bytesMax + " bytes; send it in parts");
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
