package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.Utf8;

/**
 * Checks whether a line of a log is one JSON object, and makes its other form, in one pass: its
 * text, where the line is inside of a JSON string; or a JSON string of it, where it is text. Not
 * thread-safe.
 *
 * <p>It knows the forms of most lines only: without escapes but those of quotes, and without line
 * breaks. Others take slower ways.
 */
public final class LineObject {
  /** In place of a position. */
  public static final int UNKNOWN = -1;

  private static final int CAPACITY_MIN = 1 << 10;

  /** Of one step in a string, and of the quotes, brackets and signs up to the next one. */
  private static final int STEP_BYTES = 2 * Long.BYTES;

  /** One bit a level. */
  private static final int LEVELS_MAX = Long.SIZE - 1;

  private final Memory memory;
  private final JsonScanner json;
  private final boolean isEscaped;
  private final int levelsMax;

  private byte[] out = {};
  private int length;

  /** The byte of a line at {@code i} is at {@code i + shift} in the other form. */
  private int shift;

  private LineObject(Memory memory, JsonScanner json, boolean isEscaped, int levelsMax) {
    this.memory = memory;
    this.json = json;
    this.isEscaped = isEscaped;
    this.levelsMax = Math.min(LEVELS_MAX, levelsMax);
  }

  /**
   * Of lines inside of JSON strings. Reserves what it holds in {@code memory}, which throws where
   * it is short.
   *
   * @param json for values that are no strings; keeps no state of them
   * @param levelsMax objects with more are unknown
   */
  public static LineObject ofStrings(Memory memory, JsonScanner json, int levelsMax) {
    return new LineObject(memory, json, true, levelsMax);
  }

  /** Of lines that are text, and as {@link #ofStrings}. */
  public static LineObject ofTexts(Memory memory, JsonScanner json, int levelsMax) {
    return new LineObject(memory, json, false, levelsMax);
  }

  /** The other form of the line that was read last: a string with its quotes, or a text. */
  public byte[] bytes() {
    return out;
  }

  public int length() {
    return length;
  }

  /**
   * Reads an object wherever it ends; the caller knows where the line does. Zeros must stand behind
   * all bytes, as behind a {@link Body}.
   *
   * @return the end of the object, or {@link #UNKNOWN}
   */
  public int read(byte[] b, int at) {
    if (b[at] != '{') {
      return UNKNOWN;
    }
    shift = -at;
    if (!isEscaped) {
      ensure(at, 1);
      out[at + shift++] = '"';
    }
    int end = object(b, at);
    if (end >= 0) {
      length = end + shift;
      if (!isEscaped) {
        ensure(end, 1);
        out[length++] = '"';
      }
    }
    return end;
  }

  private int object(byte[] b, int at) {
    long objects = 0; // one bit a level: whether it is an object
    int depth = 0;
    int i = at;
    for (; ; ) {
      ensure(i, STEP_BYTES);
      byte c = b[i];
      boolean isOpen = c == '{' || c == '[';
      if (isOpen) {
        depth++;
        if (depth > levelsMax) {
          return UNKNOWN;
        }
        objects = c == '{' ? objects | 1L << depth : objects & ~(1L << depth);
        i = sign(b, i);
      } else {
        i = isQuote(b, i) ? string(b, i) : scalar(b, i);
        if (i < 0) {
          return UNKNOWN;
        }
      }
      boolean isEmpty = isOpen && b[i] == closing(objects, depth);
      if (!isOpen || isEmpty) {
        // A value has ended, and so may the levels around it.
        i = space(b, i);
        while (b[i] == closing(objects, depth)) {
          ensure(i, STEP_BYTES);
          out[i + shift] = b[i];
          i++;
          if (--depth == 0) {
            return i;
          }
          i = space(b, i);
        }
        if (b[i] != ',') {
          return UNKNOWN;
        }
        i = sign(b, i);
      }
      if ((objects & 1L << depth) != 0) {
        i = key(b, i);
        if (i < 0) {
          return UNKNOWN;
        }
      }
    }
  }

  private static byte closing(long objects, int depth) {
    return (byte) ((objects & 1L << depth) != 0 ? '}' : ']');
  }

  private int key(byte[] b, int at) {
    int i = isQuote(b, at) ? string(b, at) : UNKNOWN;
    if (i < 0) {
      return UNKNOWN;
    }
    i = space(b, i);
    if (b[i] != ':') {
      return UNKNOWN;
    }
    return sign(b, i);
  }

  /** Writes a bracket, a comma or a colon, and the spaces behind it. */
  private int sign(byte[] b, int at) {
    out[at + shift] = b[at];
    return b[at + 1] == ' ' ? space(b, at + 1) : at + 1;
  }

  /** Line breaks and tabs are left to slower ways: inside of a string they have escapes. */
  private int space(byte[] b, int at) {
    int i = at;
    while (b[i] == ' ') {
      ensure(i, STEP_BYTES);
      out[i++ + shift] = ' ';
    }
    return i;
  }

  private boolean isQuote(byte[] b, int at) {
    return isEscaped ? b[at] == '\\' && b[at + 1] == '"' : b[at] == '"';
  }

  private int string(byte[] b, int at) {
    int i = quote(at);
    for (; ; ) {
      ensure(i, STEP_BYTES);
      long word = Body.word(b, i);
      Body.putWord(out, i + shift, word);
      int plain = JsonScanner.plainBytes(word);
      i += plain;
      if (plain < Long.BYTES) {
        if (b[i] >= 0) {
          return isQuote(b, i) ? quote(i) : UNKNOWN;
        }
        i = beyondAscii(b, i);
        if (i < 0) {
          return UNKNOWN;
        }
      }
    }
  }

  private int beyondAscii(byte[] b, int at) {
    int end = at + Utf8.sequence(b, at);
    for (int i = at; i < end; i++) {
      out[i + shift] = b[i];
    }
    return end == at ? UNKNOWN : end;
  }

  /** Writes a quote in the other form; returns where this one ends. */
  private int quote(int at) {
    if (isEscaped) {
      out[at + shift--] = '"';
      return at + 2;
    }
    out[at + shift++] = '\\';
    out[at + shift] = '"';
    return at + 1;
  }

  private int scalar(byte[] b, int at) {
    int end = json.scalar(b, at);
    ensure(at, end - at + STEP_BYTES);
    for (int i = at; i < end; i++) {
      out[i + shift] = b[i];
    }
    return end;
  }

  /** Makes room for so many bytes from that of {@code i} on. */
  private void ensure(int i, int bytes) {
    int at = i + shift;
    if (out.length - at < bytes) {
      grow(at, bytes);
    }
  }

  private void grow(int used, int bytes) {
    int capacity = Math.max(CAPACITY_MIN, Math.max(2 * out.length, used + bytes));
    if (!memory.add(capacity - out.length)) {
      throw memory.tooMuch();
    }
    byte[] grown = new byte[capacity];
    System.arraycopy(out, 0, grown, 0, used);
    out = grown;
  }
}
