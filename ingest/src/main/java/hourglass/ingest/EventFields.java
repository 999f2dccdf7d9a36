package hourglass.ingest;

import java.util.Arrays;

/** Scans one JSON object and notes where the wanted fields' values are. Not thread-safe. */
final class EventFields {
  /** What kind of value a slot has. */
  enum Kind {
    ABSENT,
    NULL,
    STRING,
    /** A string with escapes. */
    ESCAPED,
    NUMBER,
    BOOLEAN,
    OBJECT,
    ARRAY;

    boolean isText() {
      return this == STRING || this == ESCAPED;
    }

    boolean isMissing() {
      return this == ABSENT || this == NULL;
    }
  }

  private static final int SLOTS_MAX = FieldNames.CE_SUBJECT + 1;

  private final JsonScanner json;
  private final Kind[] kinds = new Kind[SLOTS_MAX];
  private final int[] from = new int[SLOTS_MAX];
  private final int[] to = new int[SLOTS_MAX];
  private int twice;

  EventFields(JsonScanner json) {
    this.json = json;
  }

  Kind kind(int slot) {
    return kinds[slot];
  }

  /** Where the value begins; a string's after its quote. */
  int from(int slot) {
    return from[slot];
  }

  /** Where the value ends; a string's before its quote. */
  int to(int slot) {
    return to[slot];
  }

  /** A slot whose field occurs twice, or -1. */
  int twice() {
    return twice;
  }

  /**
   * Scans an object.
   *
   * @param at the position of its opening brace
   * @return the position after it, or {@link JsonScanner#FAILED}
   */
  int scan(byte[] b, int at, FieldNames names) {
    clear(names);
    int i = b[at + 1] > ' ' ? at + 1 : json.space(b, at + 1);
    if (b[i] == '}') {
      return i + 1;
    }
    for (; ; ) {
      i = member(b, i, names);
      if (i < 0) {
        return i;
      }
      i = b[i] > ' ' ? i : json.space(b, i);
      if (b[i] == '}') {
        return i + 1;
      }
      if (b[i] != ',') {
        return json.fail(i, "a comma or }");
      }
      i = b[i + 1] > ' ' ? i + 1 : json.space(b, i + 1);
    }
  }

  private void clear(FieldNames names) {
    json.reset();
    twice = -1;
    Arrays.fill(kinds, 0, names.count(), Kind.ABSENT);
  }

  private int member(byte[] b, int at, FieldNames names) {
    if (b[at] != '"') {
      return json.fail(at, "a key");
    }
    json.clearEscaped();
    int keyEnd = json.string(b, at + 1);
    if (keyEnd < 0) {
      return keyEnd;
    }
    boolean keyEscaped = json.isEscaped();
    int value = json.colon(b, keyEnd);
    if (value < 0) {
      return value;
    }
    json.clearEscaped();
    int end = value(b, value);
    if (end >= 0 && (keyEscaped || names.mayHave(keyEnd - at - 2))) {
      match(b, at + 1, keyEnd - 1, keyEscaped, value, end, names);
    }
    return end;
  }

  private int value(byte[] b, int at) {
    byte c = b[at];
    if (c == '"') {
      return json.string(b, at + 1);
    }
    return c == '{' || c == '[' ? json.value(b, at, 1) : json.scalar(b, at);
  }

  private void match(
      byte[] b, int keyFrom, int keyTo, boolean keyEscaped, int at, int end, FieldNames names) {
    byte[] key = b;
    int nameFrom = keyFrom;
    int nameTo = keyTo;
    if (keyEscaped) {
      key = JsonText.unescape(b, keyFrom, keyTo);
      nameFrom = 0;
      nameTo = key.length;
    }
    for (int slot = 0; slot < names.count(); slot++) {
      if (names.isName(slot, key, nameFrom, nameTo)) {
        if (kinds[slot] != Kind.ABSENT) {
          twice = slot;
        }
        put(slot, b, at, end, json.isEscaped());
      }
    }
  }

  private void put(int slot, byte[] b, int at, int end, boolean escaped) {
    Kind kind = kind(b[at], escaped);
    int quote = kind.isText() ? 1 : 0;
    kinds[slot] = kind;
    from[slot] = at + quote;
    to[slot] = end - quote;
  }

  private static Kind kind(byte first, boolean escaped) {
    return switch (first) {
      case '"' -> escaped ? Kind.ESCAPED : Kind.STRING;
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case 'n' -> Kind.NULL;
      case 't', 'f' -> Kind.BOOLEAN;
      default -> Kind.NUMBER;
    };
  }

  /**
   * Follows the names that may be paths and were not found as they are. To be called after a scan
   * that found nothing wrong.
   *
   * @param at the position of the object's opening brace
   */
  void followPaths(byte[] b, int at, FieldNames names) {
    for (int slot = 0; slot <= FieldNames.ID; slot++) {
      if (names.isPath(slot) && kinds[slot] == Kind.ABSENT) {
        int value = FieldPath.find(json, b, at, names.name(slot));
        if (value == FieldPath.TWICE) {
          twice = slot;
        } else if (value != FieldPath.ABSENT) {
          json.clearEscaped();
          put(slot, b, value, json.value(b, value), json.isEscaped());
        }
      }
    }
  }
}
