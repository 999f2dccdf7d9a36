package hourglass.query.loki;

import hourglass.query.where.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** JSON as bytes, written piece by piece. Not thread-safe. */
public final class JsonText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes;
  private int length;

  public JsonText() {
    this(256);
  }

  JsonText(int capacity) {
    bytes = new byte[capacity];
  }

  public int length() {
    return length;
  }

  int capacity() {
    return bytes.length;
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

  /** The bytes by which {@link #room} would enlarge it. */
  long growth(int more) {
    long wanted = (long) length + more;
    return wanted > bytes.length ? Math.max(wanted, 2L * bytes.length) - bytes.length : 0;
  }

  void room(int more) {
    long growth = growth(more);
    if (growth > 0) {
      bytes = Arrays.copyOf(bytes, Math.toIntExact(bytes.length + growth));
    }
  }
}
