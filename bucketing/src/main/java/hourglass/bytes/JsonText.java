package hourglass.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** JSON as bytes, written piece by piece. Not thread-safe. */
public final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** For each byte of a text, how many more it becomes. */
  private static final byte[] MORE = more();

  private static final int CONTROL = 2;

  private static byte[] more() {
    byte[] more = new byte[256];
    Arrays.fill(more, 0, ' ', (byte) CONTROL);
    more['"'] = 1;
    more['\\'] = 1;
    return more;
  }

  /** An escape, and a quote behind it. */
  private static final int CHARACTER_BYTES_MAX = 7;

  private static final int BYTES_MIN = 256;

  private final LongConsumer reserve;
  private byte[] bytes = {};
  private int length;

  public JsonText() {
    this(more -> {});
  }

  /** {@code reserve} takes the bytes of each array, before it takes the place of another. */
  public JsonText(LongConsumer reserve) {
    this.reserve = reserve;
  }

  public int length() {
    return length;
  }

  /** The array; its first {@link #length} bytes are the text. */
  public byte[] bytes() {
    return bytes;
  }

  public void clear() {
    length = 0;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /** Text that is JSON already. */
  public JsonText raw(String json) {
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    return raw(utf8, 0, utf8.length);
  }

  public JsonText raw(byte[] json, int from, int to) {
    room(to - from);
    System.arraycopy(json, from, bytes, length, to - from);
    length += to - from;
    return this;
  }

  public JsonText append(JsonText other) {
    return raw(other.bytes, 0, other.length);
  }

  /** In quotes, with as few escapes as possible. */
  public JsonText string(String text) {
    room(text.length() + 2);
    bytes[length++] = '"';
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here >= ' ' && here < 0x80 && here != '"' && here != '\\') {
        bytes[length++] = (byte) here;
      } else {
        room(text.length() - i + CHARACTER_BYTES_MAX);
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
      escape(character);
    } else if (character < 0x800) {
      bytes[length++] = (byte) (0xc0 | character >> 6);
      continued(character);
    } else {
      if (character < 0x10000) {
        bytes[length++] = (byte) (0xe0 | character >> 12);
      } else {
        bytes[length++] = (byte) (0xf0 | character >> 18);
        continued(character >> 12);
      }
      continued(character >> 6);
      continued(character);
    }
  }

  /** One that stands alone: no UTF-8 has it. */
  private static boolean isSurrogate(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }

  private void continued(int bits) {
    bytes[length++] = (byte) (0x80 | bits & 0x3f);
  }

  private void escape(int character) {
    bytes[length++] = '\\';
    bytes[length++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[character >> shift & 15];
    }
  }

  /** In quotes: UTF-8. */
  public JsonText text(byte[] text, int from, int to) {
    return quoted(text, from, to, false);
  }

  /** In quotes: UTF-8, in which control characters are spaces between tokens of JSON. */
  public JsonText quoted(byte[] text, int from, int to) {
    return quoted(text, from, to, true);
  }

  private JsonText quoted(byte[] text, int from, int to, boolean breaksAreSpaces) {
    room(2 * (to - from) + 2);
    bytes[length++] = '"';
    byte[] out = bytes;
    int at = length;
    for (int i = from; i < to; i++) {
      byte b = text[i];
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
    room(2 * left + CHARACTER_BYTES_MAX);
    escape(b);
  }

  public void room(int more) {
    int wanted = Math.addExact(length, more);
    if (wanted > bytes.length) {
      int size = Math.max(BYTES_MIN, (int) Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length));
      reserve.accept(Math.max(wanted, size));
      bytes = Arrays.copyOf(bytes, Math.max(wanted, size));
    }
  }
}
