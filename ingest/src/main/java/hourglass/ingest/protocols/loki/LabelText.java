package hourglass.ingest.protocols.loki;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads labels in text form, {@code {app="shop", env="p"}}. Values are strings of Go, interpreted
 * or raw; names may be such strings too. Not thread-safe.
 *
 * <p>Source: "String literals" of the Go specification, and the labels of Prometheus.
 */
final class LabelText {
  private final byte[] b;
  private final int end;
  private int at;

  /** The text of the last string. Its escapes are never shorter than the characters. */
  private final byte[] text;

  private int length;

  LabelText(byte[] b, int from, int to) {
    this.b = b;
    this.at = from;
    this.end = to;
    this.text = new byte[to - from];
  }

  /**
   * Returns the labels in the order written; null if they cannot be read. An empty text contains no
   * labels.
   */
  @Nullable Map<String, String> read() {
    Map<String, String> labels = new LinkedHashMap<>();
    if (peek() < 0) {
      return labels;
    }
    if (!take('{')) {
      return null;
    }
    while (!take('}')) {
      String name = name();
      if (name == null || !take('=') || !string()) {
        return null;
      }
      labels.put(name, text());
      if (!take(',') && peek() != '}') {
        return null;
      }
    }
    return peek() < 0 ? labels : null;
  }

  /** Returns the next byte that is no space; -1 at the end. */
  private int peek() {
    while (at < end && b[at] == ' ') {
      at++;
    }
    return at < end ? b[at] & 0xff : -1;
  }

  private boolean take(char c) {
    boolean isNext = peek() == c;
    at += isNext ? 1 : 0;
    return isNext;
  }

  /** Reads a name; null if there is none. Any text without signs of this form is accepted. */
  private @Nullable String name() {
    int first = peek();
    if (first == '"' || first == '`') {
      return string() ? text() : null;
    }
    int from = at;
    while (at < end && "=,{}\"` ".indexOf(b[at]) < 0) {
      at++;
    }
    return at == from ? null : new String(b, from, at - from, StandardCharsets.UTF_8);
  }

  private String text() {
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  /** Reads a string. Returns false if there is none that can be read. */
  private boolean string() {
    int quote = peek();
    if (quote != '"' && quote != '`') {
      return false;
    }
    at++;
    length = 0;
    while (at < end && b[at] != quote) {
      if (b[at] != '\\' || quote == '`') {
        text[length++] = b[at++];
      } else if (!escape()) {
        return false;
      }
    }
    return at++ < end;
  }

  private boolean escape() {
    if (end - at < 2) {
      return false;
    }
    byte c = b[at + 1];
    at += 2;
    return switch (c) {
      case 'a' -> put(7);
      case 'b' -> put('\b');
      case 'f' -> put('\f');
      case 'n' -> put('\n');
      case 'r' -> put('\r');
      case 't' -> put('\t');
      case 'v' -> put(11);
      case '\\', '"', '\'' -> put(c);
      case 'x' -> put(digits(2, 16));
      case 'u' -> putCodePoint(digits(4, 16));
      case 'U' -> putCodePoint(digits(8, 16));
      default -> {
        at--;
        yield put(digits(3, 8));
      }
    };
  }

  /** Reads digits; -1 if the next bytes are no such digits. */
  private int digits(int count, int radix) {
    long value = 0;
    for (int i = 0; i < count; i++, at++) {
      int digit = at < end ? Character.digit(b[at], radix) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return (int) Math.min(value, Integer.MAX_VALUE);
  }

  private boolean put(int c) {
    if (c < 0 || c > 0xff) {
      return false;
    }
    text[length++] = (byte) c;
    return true;
  }

  private boolean putCodePoint(int c) {
    if (c < 0 || c > Character.MAX_CODE_POINT || c < 0x10000 && Character.isSurrogate((char) c)) {
      return false;
    }
    byte[] utf8 = Character.toString(c).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(utf8, 0, text, length, utf8.length);
    length += utf8.length;
    return true;
  }
}
