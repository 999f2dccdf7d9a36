package hourglass.bucketing;

import hourglass.bytes.CodePoints;
import hourglass.bytes.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The rules for event types, and the encoding of a type inside a row key. */
public final class EventType {
  /** The longest type in UTF-8. Row keys with it stay far below the key limit of every engine. */
  public static final int BYTES_MAX = 256;

  private static final String HEX = "0123456789ABCDEF";

  private EventType() {}

  /** Returns the type. Throws IllegalArgumentException if it is empty, too long or not UTF-8. */
  public static String check(String type) {
    if (type.isEmpty()) {
      throw new IllegalArgumentException("type: empty, want 1 to " + BYTES_MAX + " bytes");
    }
    byte[] utf8 = Utf8.encode(type);
    if (utf8 == null) {
      throw new IllegalArgumentException("type: half a surrogate pair, want UTF-8");
    }
    int bytes = utf8.length;
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException("type: " + bytes + " bytes, at most " + BYTES_MAX);
    }
    return type;
  }

  /**
   * Compares types by code point, which is the order of their UTF-8 bytes. Types are sorted this
   * way everywhere.
   */
  public static int compare(String a, String b) {
    return CodePoints.compare(a, b);
  }

  public static boolean isValid(String type) {
    byte[] utf8 = Utf8.encode(type);
    return utf8 != null && utf8.length > 0 && utf8.length <= BYTES_MAX;
  }

  /** Percent-encodes {@code |}, {@code %} and control characters, which would break a row key. */
  public static String encode(String type) {
    if (isPlain(type)) {
      return type;
    }
    StringBuilder out = new StringBuilder(type.length() + 16);
    type.chars()
        .forEach(
            c -> {
              if (!isEscaped(c)) {
                out.append((char) c);
                return;
              }
              for (byte b : String.valueOf((char) c).getBytes(StandardCharsets.UTF_8)) {
                out.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
              }
            });
    return out.toString();
  }

  /**
   * Decodes an encoded type. Throws IllegalArgumentException for any text that {@link #encode}
   * never produces.
   */
  static String decode(String text) {
    byte[] from = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(from.length);
    for (int i = 0; i < from.length; i++) {
      if (from[i] == '%' && i + 2 < from.length) {
        bytes.put((byte) (HEX.indexOf(from[i + 1]) << 4 | HEX.indexOf(from[i + 2])));
        i += 2;
      } else {
        bytes.put(from[i]);
      }
    }
    String type = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    if (!encode(check(type)).equals(text)) {
      throw new IllegalArgumentException("row key: \"" + text + "\" is not an encoded type");
    }
    return type;
  }

  /**
   * Returns whether a type needs no encoding. This is a loop, since it runs for each page that is
   * written.
   */
  private static boolean isPlain(String type) {
    for (int i = 0; i < type.length(); i++) {
      if (isEscaped(type.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEscaped(int c) {
    return c == '|' || c == '%' || Character.isISOControl(c);
  }
}
