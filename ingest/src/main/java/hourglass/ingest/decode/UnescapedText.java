package hourglass.ingest.decode;

import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import java.nio.charset.StandardCharsets;

/**
 * The text of a JSON string without its escapes, made while the string is scanned. It is reused for
 * the next string. Not thread-safe.
 */
public final class UnescapedText {
  private static final int CAPACITY_MIN = 1 << 10;

  /** The bytes of one step, and of one escape. */
  private static final int STEP_BYTES = 2 * Long.BYTES;

  private final Memory memory;
  private byte[] bytes = {};
  private int length;
  private boolean isText;

  /** Creates a text that reserves its bytes in {@code memory}, which throws where it is short. */
  public UnescapedText(Memory memory) {
    this.memory = memory;
  }

  /** Returns the bytes: UTF-8 if the string was, followed by eight zeros. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Returns whether no half of a surrogate pair was among the escapes. */
  public boolean isText() {
    return isText;
  }

  /** Reads a string from after its opening quote, as {@link JsonScanner#string} does. */
  public int read(JsonScanner json, byte[] b, int at) {
    isText = true;
    int i = at;
    int to = 0;
    for (; ; ) {
      if (bytes.length - to < STEP_BYTES) {
        grow(to);
      }
      long word = ByteWords.get(b, i);
      ByteWords.set(bytes, to, word);
      int plain = ByteWords.plain(word);
      i += plain;
      to += plain;
      if (b[i] == '\\' && b[i + 1] == '"') { // most escapes of JSON in a string
        bytes[to++] = '"';
        i += 2;
      } else if (plain < Long.BYTES) {
        length = to;
        if (b[i] == '"') {
          ByteWords.set(bytes, to, 0);
          return i + 1;
        }
        i = special(json, b, i);
        if (i < 0) {
          return i;
        }
        to = length;
      }
    }
  }

  private void grow(int used) {
    int capacity = Math.max(CAPACITY_MIN, 2 * bytes.length);
    memory.reserve(capacity - bytes.length);
    byte[] grown = new byte[capacity];
    System.arraycopy(bytes, 0, grown, 0, used);
    bytes = grown;
  }

  private int special(JsonScanner json, byte[] b, int at) {
    int end = json.special(b, at);
    if (end < 0) {
      return end;
    }
    if (b[at] != '\\') {
      append(b, at, end);
    } else if (b[at + 1] != 'u') {
      bytes[length++] = (byte) JsonString.unescaped((char) b[at + 1]);
    } else {
      return unicode(json, b, at, end);
    }
    return end;
  }

  /** Decodes an escape that ends at {@code end}, together with the second one of a pair. */
  private int unicode(JsonScanner json, byte[] b, int at, int end) {
    char first = JsonString.unicode(b, at + 2);
    if (!Character.isSurrogate(first)) {
      append(first);
      return end;
    }
    boolean mayBePair = b[end] == '\\' && b[end + 1] == 'u';
    int pairEnd = mayBePair ? json.special(b, end) : end;
    char second = mayBePair && pairEnd > 0 ? JsonString.unicode(b, end + 2) : 0;
    if (!Character.isSurrogatePair(first, second)) {
      isText = false;
      return end;
    }
    append(Character.toCodePoint(first, second));
    return pairEnd;
  }

  private void append(int c) {
    byte[] utf8 = Character.toString(c).getBytes(StandardCharsets.UTF_8);
    append(utf8, 0, utf8.length);
  }

  private void append(byte[] some, int from, int to) {
    while (bytes.length - length < to - from) {
      grow(length);
    }
    System.arraycopy(some, from, bytes, length, to - from);
    length += to - from;
  }
}
