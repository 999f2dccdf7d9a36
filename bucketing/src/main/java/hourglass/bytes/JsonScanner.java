package hourglass.bytes;

/**
 * Checks JSON (RFC 8259) in one pass, without creating objects. Eight zeros must follow the bytes:
 * JSON allows a zero nowhere, so eight bytes are read at a time without a check for the end.
 * Methods return the position after their element, or {@link #FAILED}. Not thread-safe.
 *
 * <p>Bad grammar stops the scan. Ill-formed UTF-8 and excessive nesting are only recorded, so that
 * an array loses only the affected element.
 */
public final class JsonScanner {
  /** The number in place of a position; {@link #failedAt} and {@link #expected} have details. */
  public static final int FAILED = -1;

  // The limit fixes the size of the stack below.
  private static final int LEVELS_MAX = 65_536;

  private final int levelsMax;
  // The stack contains a bit for each level: whether it is an object.
  private final long[] objects = new long[LEVELS_MAX / 64];
  private boolean lines;
  private boolean escaped;
  private boolean tooDeep;
  private int notUtf8At;
  private int failedAt;
  private String expected = "";

  public JsonScanner(int levelsMax) {
    this.levelsMax = levelsMax;
  }

  /** Sets whether a line break ends the text, as in NDJSON, or is white space. */
  public void lines(boolean lines) {
    this.lines = lines;
  }

  public void reset() {
    tooDeep = false;
    notUtf8At = FAILED;
    escaped = false;
  }

  /** Returns whether there was an escape since {@link #reset} or {@link #clearEscaped}. */
  public boolean isEscaped() {
    return escaped;
  }

  public void clearEscaped() {
    escaped = false;
  }

  public boolean isTooDeep() {
    return tooDeep;
  }

  /** Returns the position of the first ill-formed UTF-8, or {@link #FAILED}. */
  public int notUtf8At() {
    return notUtf8At;
  }

  public int failedAt() {
    return failedAt;
  }

  public String expected() {
    return expected;
  }

  public int fail(int at, String what) {
    failedAt = at;
    expected = what;
    return FAILED;
  }

  public int space(byte[] b, int at) {
    int i = at;
    while (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n' && !lines) {
      i++;
    }
    return i;
  }

  /** Reads a string from after its opening quote, eight bytes at each step. */
  public int string(byte[] b, int at) {
    int i = at;
    for (; ; ) {
      int plain = ByteWords.plain(ByteWords.get(b, i));
      i += plain;
      if (plain == 8) {
        continue;
      }
      if (b[i] == '"') {
        return i + 1;
      }
      i = special(b, i);
      if (i < 0) {
        return i;
      }
    }
  }

  /** Passes an escape, or a run of bytes beyond ASCII. */
  public int special(byte[] b, int at) {
    byte c = b[at];
    if (c == '\\') {
      escaped = true;
      return escape(b, at);
    }
    return c < 0
        ? beyondAscii(b, at)
        : fail(at, "the rest of a string, without control characters");
  }

  private int escape(byte[] b, int at) {
    return switch (b[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
      case 'u' -> unicode(b, at + 2);
      default -> fail(at + 1, "an escape of JSON");
    };
  }

  private int unicode(byte[] b, int at) {
    for (int i = at; i < at + 4; i++) {
      if (Character.digit(b[i], 16) < 0) {
        return fail(i, "four hexadecimal digits");
      }
    }
    return at + 4;
  }

  private int beyondAscii(byte[] b, int at) {
    int i = at;
    while (b[i] < 0) {
      int length = Utf8.sequence(b, i);
      if (length == 0 && notUtf8At < 0) {
        notUtf8At = i;
      }
      i += Math.max(1, length);
    }
    return i;
  }

  public int scalar(byte[] b, int at) {
    return switch (b[at]) {
      case 't' -> word(b, at, "true");
      case 'f' -> word(b, at, "false");
      case 'n' -> word(b, at, "null");
      default -> number(b, at);
    };
  }

  private int word(byte[] b, int at, String word) {
    for (int i = 1; i < word.length(); i++) {
      if (b[at + i] != word.charAt(i)) {
        return fail(at + i, word);
      }
    }
    return at + word.length();
  }

  private int number(byte[] b, int at) {
    int i = b[at] == '-' ? at + 1 : at;
    if (b[i] == '0') {
      i++;
    } else {
      int from = i;
      i = digits(b, i);
      if (i == from) {
        return fail(i, i == at ? "a value" : "a digit");
      }
    }
    return b[i] == '.' || (b[i] | 0x20) == 'e' ? fraction(b, i) : i;
  }

  private int fraction(byte[] b, int at) {
    int i = at;
    if (b[i] == '.') {
      int from = i + 1;
      i = digits(b, from);
      if (i == from) {
        return fail(i, "a digit");
      }
    }
    if ((b[i] | 0x20) == 'e') {
      int from = b[i + 1] == '+' || b[i + 1] == '-' ? i + 2 : i + 1;
      i = digits(b, from);
      if (i == from) {
        return fail(i, "a digit");
      }
    }
    return i;
  }

  public static int digits(byte[] b, int at) {
    int i = at;
    while ((char) (b[i] - '0') < 10) {
      i++;
    }
    return i;
  }

  /** Reads a key and the colon after it, and returns the position of the value. */
  int key(byte[] b, int at) {
    if (b[at] != '"') {
      return fail(at, "a key");
    }
    int i = string(b, at + 1);
    return i < 0 ? i : colon(b, i);
  }

  public int colon(byte[] b, int at) {
    int i = b[at] == ':' ? at : space(b, at);
    if (b[i] != ':') {
      return fail(i, "a colon");
    }
    return b[i + 1] > ' ' ? i + 1 : space(b, i + 1);
  }

  public int value(byte[] b, int at) {
    return value(b, at, 0);
  }

  /** Reads a value inside of {@code outer} others, with a bit for each level instead of a call. */
  public int value(byte[] b, int at, int outer) {
    int depth = outer;
    int i = at;
    for (; ; ) {
      byte c = b[i];
      boolean opened = false;
      if (c == '"') {
        i = string(b, i + 1);
      } else if (c == '{' || c == '[') {
        i = open(b, i, ++depth);
        opened = true;
      } else {
        i = scalar(b, i);
      }
      if (i >= 0 && (!opened || isClosing(b[i], depth))) {
        // Either a value has ended, or the level that has just begun is empty.
        if (opened) {
          i++;
          depth--;
        }
        while (depth > outer) {
          i = b[i] > ' ' ? i : space(b, i);
          if (b[i] == ',') {
            i = b[i + 1] > ' ' ? i + 1 : space(b, i + 1);
            i = isObject(depth) ? key(b, i) : i;
            break;
          }
          if (!isClosing(b[i], depth)) {
            return fail(i, isObject(depth) ? "a comma or }" : "a comma or ]");
          }
          i++;
          depth--;
        }
      } else if (i >= 0 && isObject(depth)) {
        i = key(b, i);
      }
      if (i < 0 || depth == outer) {
        return i;
      }
    }
  }

  private int open(byte[] b, int at, int depth) {
    if (depth >= LEVELS_MAX) {
      return fail(at, "fewer than " + LEVELS_MAX + " levels");
    }
    tooDeep |= depth > levelsMax;
    long bit = 1L << depth;
    if (b[at] == '{') {
      objects[depth >>> 6] |= bit;
    } else {
      objects[depth >>> 6] &= ~bit;
    }
    return b[at + 1] > ' ' ? at + 1 : space(b, at + 1);
  }

  private boolean isObject(int depth) {
    return (objects[depth >>> 6] & 1L << depth) != 0;
  }

  private boolean isClosing(byte c, int depth) {
    return c == (isObject(depth) ? '}' : ']');
  }
}
