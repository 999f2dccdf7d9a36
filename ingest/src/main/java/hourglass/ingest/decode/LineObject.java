package hourglass.ingest.decode;

import hourglass.store.text.Utf8;

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

  /** Of one step, and of a bracket, quote or sign beside it. */
  private static final int STEP_BYTES = 2 * Long.BYTES;

  /** One bit a level. */
  private static final int LEVELS_MAX = Long.SIZE - 1;

  private final Memory memory;
  private final JsonScanner json;
  private final boolean isEscaped;
  private final int levelsMax;

  private byte[] out = {};
  private int length;

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
    length = 0;
    if (isEscaped) {
      return object(b, at);
    }
    put((byte) '"');
    int end = object(b, at);
    put((byte) '"');
    return end;
  }

  private int object(byte[] b, int at) {
    long objects = 0; // one bit a level: whether it is an object
    int depth = 0;
    int i = at;
    for (; ; ) {
      ensure();
      byte c = b[i];
      boolean isOpen = c == '{' || c == '[';
      if (isOpen) {
        depth++;
        if (depth > levelsMax) {
          return UNKNOWN;
        }
        objects = c == '{' ? objects | 1L << depth : objects & ~(1L << depth);
        put(c);
        i = space(b, i + 1);
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
          put(b[i++]);
          if (--depth == 0) {
            return i;
          }
          i = space(b, i);
        }
        if (b[i] != ',') {
          return UNKNOWN;
        }
        put(b[i]);
        i = space(b, i + 1);
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
    put(b[i]);
    return space(b, i + 1);
  }

  /** Line breaks and tabs are left to slower ways: inside of a string they have escapes. */
  private int space(byte[] b, int at) {
    int i = at;
    while (b[i] == ' ') {
      put(b[i++]);
    }
    return i;
  }

  private void put(byte c) {
    ensure();
    out[length++] = c;
  }

  private boolean isQuote(byte[] b, int at) {
    return isEscaped ? b[at] == '\\' && b[at + 1] == '"' : b[at] == '"';
  }

  private int string(byte[] b, int at) {
    int i = quote(at);
    for (; ; ) {
      ensure();
      long word = Body.word(b, i);
      Body.putWord(out, length, word);
      int plain = JsonScanner.plainBytes(word);
      i += plain;
      length += plain;
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
      put(b[i]);
    }
    return end == at ? UNKNOWN : end;
  }

  /** Writes a quote in the other form; returns where this one ends. */
  private int quote(int at) {
    if (!isEscaped) {
      out[length++] = '\\';
    }
    out[length++] = '"';
    return at + (isEscaped ? 2 : 1);
  }

  private int scalar(byte[] b, int at) {
    int end = json.scalar(b, at);
    for (int i = at; i < end; i++) {
      put(b[i]);
    }
    return end;
  }

  private void ensure() {
    if (out.length - length < STEP_BYTES) {
      int capacity = Math.max(CAPACITY_MIN, 2 * out.length);
      if (!memory.add(capacity - out.length)) {
        throw memory.tooMuch();
      }
      byte[] grown = new byte[capacity];
      System.arraycopy(out, 0, grown, 0, length);
      out = grown;
    }
  }
}
