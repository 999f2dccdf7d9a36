package hourglass.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * JSON as bytes in an array that grows, written piece by piece. {@link JsonWriter} adds the commas.
 * Not thread-safe.
 *
 * <p>Bytes that are not well-formed UTF-8 are written as U+FFFD each, so that the result is JSON
 * whatever a client sent.
 */
public final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** The number of bytes that writing adds to each byte of a text. */
  private static final byte[] MORE = more();

  private static final int CONTROL = 2;

  /** The character U+FFFD in UTF-8. */
  private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

  private static final int SEQUENCE_BYTES_MAX = 4;

  /**
   * The bytes that a string needs besides its text: its quotes, one escape, and a step of eight
   * bytes too far.
   */
  private static final int STRING_SLACK = 2 + 6 + Long.BYTES;

  private static final int BYTES_MIN = 256;

  private static final int BYTES_MAX = Integer.MAX_VALUE - 8;

  /** The bytes encoded at a time: a multiple of three, so that only the last step is padded. */
  private static final int BASE64_STEP = 3 * 1024;

  /** The memory that a text may use. */
  @FunctionalInterface
  public interface Room {
    /** Reserves the bytes of an array before it is made; throws if there is no room. */
    void reserve(long bytes);

    /** Gives back the bytes of an array that another one has replaced. */
    default void subtract(long bytes) {}

    /** Returns the exception to throw where an array would be larger than allowed. */
    default RuntimeException full(int bytesMax) {
      return new IllegalStateException("JSON of more than " + bytesMax + " bytes");
    }
  }

  private final Room room;
  private final int bytesMax;
  private byte[] bytes;
  private int length;

  public JsonText() {
    this(bytes -> {});
  }

  public JsonText(Room room) {
    this(room, 0, BYTES_MAX);
  }

  /**
   * Creates a text that reserves the memory it uses, at first {@code capacity}.
   *
   * @param bytesMax limit of all that is written; beyond it, {@link Room#full} is thrown
   */
  public JsonText(Room room, int capacity, int bytesMax) {
    this.room = room;
    this.bytesMax = bytesMax;
    if (capacity > 0) {
      room.reserve(capacity);
    }
    this.bytes = new byte[capacity];
  }

  private static byte[] more() {
    byte[] more = new byte[256];
    Arrays.fill(more, 0, ' ', (byte) CONTROL);
    more['"'] = 1;
    more['\\'] = 1;
    return more;
  }

  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  /** Returns the array; its first {@link #length} bytes are the text. */
  public byte[] bytes() {
    return bytes;
  }

  public void clear() {
    length = 0;
  }

  /** Forgets the bytes after {@code end}. */
  public void cut(int end) {
    length = end;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /** Writes zeros, which stop a scanner. */
  public void pad(int count) {
    ensure(count);
    Arrays.fill(bytes, length, length + count, (byte) 0);
    length += count;
  }

  public JsonText raw(char sign) {
    ensure(1);
    bytes[length++] = (byte) sign;
    return this;
  }

  /** Writes text that is JSON already. */
  public JsonText raw(String json) {
    return raw(json.getBytes(StandardCharsets.UTF_8));
  }

  public JsonText raw(byte[] json) {
    return raw(json, 0, json.length);
  }

  public JsonText raw(byte[] json, int from, int to) {
    ensure(to - from);
    append(json, from, to);
    return this;
  }

  public JsonText append(JsonText other) {
    return raw(other.bytes, 0, other.length);
  }

  private void append(byte[] some, int from, int to) {
    System.arraycopy(some, from, bytes, length, to - from);
    length += to - from;
  }

  /**
   * Writes a text in quotes, in the canonical spelling of strings: with as few escapes as possible,
   * and those of control characters and of half surrogate pairs in hexadecimal digits.
   */
  public JsonText string(String text) {
    ensure(text.length() + 2L);
    bytes[length++] = '"';
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here >= ' ' && here < 0x80 && here != '"' && here != '\\') {
        bytes[length++] = (byte) here;
      } else {
        ensure(text.length() - i + (long) STRING_SLACK);
        int character = text.codePointAt(i);
        other(character);
        i += Character.charCount(character) - 1;
      }
    }
    bytes[length++] = '"';
    return this;
  }

  private void other(int character) {
    if (character == '"' || character == '\\') {
      bytes[length++] = '\\';
      bytes[length++] = (byte) character;
    } else if (character < ' ' || isSurrogate(character)) {
      unicode(character);
    } else {
      byte[] utf8 = Character.toString(character).getBytes(StandardCharsets.UTF_8);
      append(utf8, 0, utf8.length);
    }
  }

  /** Returns whether a character is half of a pair that stands alone, which UTF-8 cannot encode. */
  private static boolean isSurrogate(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }

  private void unicode(int character) {
    bytes[length++] = '\\';
    bytes[length++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[character >> shift & 15];
    }
  }

  /**
   * Writes a text of UTF-8 in quotes, with the short escapes of JSON. It copies eight bytes at each
   * step between escapes.
   */
  public JsonText string(byte[] utf8, int from, int to) {
    ensure((long) to - from + STRING_SLACK);
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

  /** Copies up to the first byte that is special, and returns its position, or the end. */
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

  /** Writes the byte at a position as an escape, or the sequences beyond ASCII from there on. */
  private int special(byte[] utf8, int at, int to) {
    byte c = utf8[at];
    if (c >= 0) {
      escape(c);
      return at + 1;
    }
    int i = at;
    while (i < to && utf8[i] < 0) {
      i += copySequence(utf8, i, to);
    }
    return i;
  }

  /**
   * Writes one sequence beyond ASCII, or U+FFFD for a byte that begins no sequence. Returns the
   * number of bytes read.
   */
  private int copySequence(byte[] utf8, int at, int to) {
    ensure(SEQUENCE_BYTES_MAX);
    int sequence = sequence(utf8, at, to);
    if (sequence == 0) {
      append(REPLACEMENT, 0, REPLACEMENT.length);
      return 1;
    }
    append(utf8, at, at + sequence);
    return sequence;
  }

  /** Returns the length of a sequence as {@link Utf8#sequence} does, where no bytes may follow. */
  private static int sequence(byte[] utf8, int at, int to) {
    int rest = to - at;
    if (rest >= SEQUENCE_BYTES_MAX) {
      return Utf8.sequence(utf8, at);
    }
    byte[] last = Arrays.copyOfRange(utf8, at, at + SEQUENCE_BYTES_MAX);
    Arrays.fill(last, rest, SEQUENCE_BYTES_MAX, (byte) 0);
    return Utf8.sequence(last, 0);
  }

  private void escape(byte c) {
    int letter =
        switch (c) {
          case '"', '\\' -> c;
          case '\n' -> 'n';
          case '\r' -> 'r';
          case '\t' -> 't';
          default -> 0;
        };
    if (letter == 0) {
      unicode(c);
    } else {
      bytes[length++] = '\\';
      bytes[length++] = (byte) letter;
    }
  }

  /**
   * Writes a text of JSON in quotes. Its line breaks become spaces, since they are between tokens.
   */
  public JsonText quoted(byte[] json, int from, int to) {
    return quoted(json, from, to, true);
  }

  /** Writes a text as {@link #quoted(byte[], int, int)} does, but with escapes for line breaks. */
  public JsonText text(byte[] json, int from, int to) {
    return quoted(json, from, to, false);
  }

  private JsonText quoted(byte[] json, int from, int to, boolean breaksAreSpaces) {
    ensure(2L * (to - from) + 2);
    bytes[length++] = '"';
    byte[] out = bytes;
    int at = length;
    for (int i = from; i < to; i++) {
      byte b = json[i];
      int more = MORE[b & 0xff];
      if (more == CONTROL) {
        length = at;
        control(b, to - i, breaksAreSpaces);
        out = bytes;
        at = length;
      } else { // without a branch, which would be as often wrong as there are quotes
        out[at] = '\\';
        at += more;
        out[at++] = b;
      }
    }
    length = at;
    bytes[length++] = '"';
    return this;
  }

  private void control(byte b, int left, boolean breaksAreSpaces) {
    if (breaksAreSpaces && LineBreaks.isBreak(b)) {
      bytes[length++] = ' ';
      return;
    }
    ensure(2L * left + STRING_SLACK);
    unicode(b);
  }

  /** Writes a JSON value as a scanner accepted it, whose texts may not be well-formed. */
  public JsonText repaired(byte[] json, int from, int to) {
    ensure(to - from);
    for (int i = from; i < to; ) {
      if (json[i] < 0) {
        i += copySequence(json, i, to);
      } else {
        raw((char) json[i++]);
      }
    }
    return this;
  }

  /** Writes bytes as a string in base64 (RFC 4648, section 4). */
  public JsonText base64(byte[] some, int from, int to) {
    ensure((to - from + 2L) / 3 * 4 + 2);
    bytes[length++] = '"';
    for (int i = from; i < to; i += BASE64_STEP) {
      byte[] step = Arrays.copyOfRange(some, i, Math.min(to, i + BASE64_STEP));
      raw(Base64.getEncoder().encode(step));
    }
    bytes[length++] = '"';
    return this;
  }

  /** Makes room for so many bytes more. */
  public void ensure(long more) {
    if (bytes.length - length < more) {
      grow(length + more);
    }
  }

  private void grow(long wanted) {
    long likely = Math.max(wanted, Math.max(BYTES_MIN, 2L * bytes.length));
    long capacity = Math.min(bytesMax, likely);
    if (wanted > capacity) {
      throw room.full(bytesMax);
    }
    room.reserve(capacity);
    byte[] grown = Arrays.copyOf(bytes, (int) capacity);
    room.subtract(bytes.length);
    bytes = grown;
  }
}
