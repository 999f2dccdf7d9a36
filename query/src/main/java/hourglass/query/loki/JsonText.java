package hourglass.query.loki;

import hourglass.query.where.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** JSON as bytes, written piece by piece. Not thread-safe. */
public final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static final int BYTES_MIN = 256;

  private final LongConsumer reserve;
  private byte[] bytes = {};
  private int length;

  public JsonText() {
    this(more -> {});
  }

  /** {@code reserve} takes the bytes of each array, before it takes the place of another. */
  JsonText(LongConsumer reserve) {
    this.reserve = reserve;
  }

  int length() {
    return length;
  }

  /** The array; its first {@link #length} bytes are the text. */
  byte[] bytes() {
    return bytes;
  }

  void clear() {
    length = 0;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** Text that is JSON already. */
  public JsonText raw(String json) {
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    return raw(utf8, 0, utf8.length);
  }

  JsonText raw(byte[] json, int from, int to) {
    room(to - from);
    System.arraycopy(json, from, bytes, length, to - from);
    length += to - from;
    return this;
  }

  public JsonText append(JsonText other) {
    return raw(other.bytes, 0, other.length);
  }

  /** In quotes. */
  public JsonText string(String text) {
    return raw(JsonString.encode(text));
  }

  /** In quotes: UTF-8, in which control characters are spaces between tokens of JSON. */
  JsonText quoted(byte[] text, int from, int to) {
    room(2 * (to - from) + 2);
    bytes[length++] = '"';
    byte[] out = bytes;
    int at = length;
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (b == '"' || b == '\\') {
        out[at++] = '\\';
      } else if (b >= 0 && b < ' ') {
        length = at;
        control(b, to - i);
        out = bytes;
        at = length;
        continue;
      }
      out[at++] = b;
    }
    length = at;
    bytes[length++] = '"';
    return this;
  }

  private void control(byte b, int left) {
    if (b == '\n' || b == '\r') {
      bytes[length++] = ' ';
      return;
    }
    room(2 * left + 8);
    System.arraycopy(
        new byte[] {'\\', 'u', '0', '0', HEX[b >> 4], HEX[b & 15]}, 0, bytes, length, 6);
    length += 6;
  }

  void room(int more) {
    int wanted = Math.addExact(length, more);
    if (wanted > bytes.length) {
      int size = Math.max(BYTES_MIN, (int) Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length));
      reserve.accept(Math.max(wanted, size));
      bytes = Arrays.copyOf(bytes, Math.max(wanted, size));
    }
  }
}
