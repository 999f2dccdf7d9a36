package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import java.util.Arrays;

/** Scans one JSON object, and keeps the positions of the wanted fields. Not thread-safe. */
final class EventFields {
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

  private static final byte[] NOTHING = {};

  // These stand in place of a position: the path is absent, or one of its keys occurs twice.
  private static final int ABSENT = -1;
  private static final int TWICE = -2;

  private final JsonScanner json;
  private final KeyShapeCache keys = new KeyShapeCache();
  private FieldNames keysOf = FieldNames.DEFAULT;
  private final int[] starts = new int[FieldNames.SLOTS];
  private final int[] ends = new int[FieldNames.SLOTS];
  private byte[] b = NOTHING;

  // Each of these contains one bit for each slot.
  private int found;
  private int escaped;
  private int twice;

  /** The slots of the last key. */
  private int named;

  EventFields(JsonScanner json) {
    this.json = json;
  }

  /**
   * Returns the names of a mapping's fields. The last ones are kept, since most inputs are alike.
   */
  FieldNames names(FieldMapping mapping, boolean ofCloudEvents) {
    FieldNames names = keysOf.with(mapping, ofCloudEvents);
    keysOf(names);
    return names;
  }

  private void keysOf(FieldNames names) {
    if (keysOf != names) {
      keys.forget();
      keysOf = names;
    }
  }

  /** Returns the bytes of the object that was scanned last; empty after {@link #forget}. */
  byte[] bytes() {
    return b;
  }

  Kind kind(int slot) {
    int bit = 1 << slot;
    if ((found & bit) == 0) {
      return Kind.ABSENT;
    }
    return switch (b[starts[slot]]) {
      case '"' -> (escaped & bit) == 0 ? Kind.STRING : Kind.ESCAPED;
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case 'n' -> Kind.NULL;
      case 't', 'f' -> Kind.BOOLEAN;
      default -> Kind.NUMBER;
    };
  }

  /** Returns the start of the value; of a string, the position after its quote. */
  int from(int slot) {
    return starts[slot] + quote(slot);
  }

  /** Returns the end of the value; of a string, the position of its closing quote. */
  int to(int slot) {
    return ends[slot] - quote(slot);
  }

  private int quote(int slot) {
    return (found & 1 << slot) != 0 && b[starts[slot]] == '"' ? 1 : 0;
  }

  /** Returns a slot of {@link FieldNames#ONCE} whose field occurs twice, or -1. */
  int twice() {
    int slots = twice & FieldNames.ONCE;
    return slots == 0 ? -1 : Integer.numberOfTrailingZeros(slots);
  }

  /** Returns whether the field of a slot occurs once, and is not null. */
  boolean isClear(int slot) {
    return (twice >>> slot & 1) == 0 && !kind(slot).isMissing();
  }

  void forget() {
    found = 0;
    twice = 0;
    b = NOTHING;
  }

  /** Returns the position after the object, or {@link JsonScanner#FAILED}. */
  int scan(byte[] bytes, int at, FieldNames names) {
    b = bytes;
    found = 0;
    twice = 0;
    json.reset();
    keysOf(names);
    int i = b[at + 1] > ' ' ? at + 1 : json.space(b, at + 1);
    if (b[i] == '}') {
      return i + 1;
    }
    for (int place = 0; ; place++) {
      i = member(i, place, names);
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

  private int member(int at, int place, FieldNames names) {
    int value = keys.pass(place, b, at);
    if (value < 0) {
      value = key(at, place, names);
      if (value < 0) {
        return value;
      }
    } else {
      named = keys.slots(place);
      value = b[value] > ' ' ? value : json.space(b, value);
    }
    json.clearEscaped();
    int end = value(value);
    if (end >= 0 && named != 0) {
      putAll(named, value, end);
    }
    return end;
  }

  /** Reads an unexpected key, up to its value. */
  private int key(int at, int place, FieldNames names) {
    if (b[at] != '"') {
      return json.fail(at, "a key");
    }
    json.clearEscaped();
    int end = json.string(b, at + 1);
    if (end < 0) {
      return end;
    }
    int value = json.colon(b, end);
    if (value >= 0) {
      named = slots(at + 1, end - 1, json.isEscaped(), names);
      if (b[end] == ':' && !json.isEscaped()) {
        keys.remember(place, b, at, end + 1, named);
      }
    }
    return value;
  }

  private int value(int at) {
    byte c = b[at];
    if (c == '"') {
      return json.string(b, at + 1);
    }
    return c == '{' || c == '[' ? json.value(b, at, 1) : json.scalar(b, at);
  }

  /** Returns the slots of a key, one bit each. */
  private int slots(int keyFrom, int keyTo, boolean keyEscaped, FieldNames names) {
    if (!keyEscaped) {
      return names.mayHave(keyTo - keyFrom) ? names.slots(b, keyFrom, keyTo) : 0;
    }
    byte[] key = JsonString.utf8(b, keyFrom, keyTo);
    return names.slots(Body.padded(key), 0, key.length);
  }

  private void putAll(int slots, int start, int end) {
    twice |= found & slots;
    for (int rest = slots; rest != 0; rest &= rest - 1) {
      put(Integer.numberOfTrailingZeros(rest), start, end);
    }
  }

  private void put(int slot, int start, int end) {
    int bit = 1 << slot;
    found |= bit;
    escaped = json.isEscaped() ? escaped | bit : escaped & ~bit;
    starts[slot] = start;
    ends[slot] = end;
  }

  /**
   * Looks up names with dots that are not keys as paths, after a scan without errors.
   *
   * @param envelope an object inside of the one at {@code at}, or {@link
   *     ConvertedEvents#NO_ENVELOPE}. Its fields precede all fields of the outer one, keys with
   *     dots included.
   */
  void followPaths(int at, int envelope, FieldNames names) {
    boolean hasEnvelope = envelope != ConvertedEvents.NO_ENVELOPE;
    int wanted = hasEnvelope ? names.paths() : names.paths() & ~found;
    for (int rest = wanted; rest != 0; rest &= rest - 1) {
      int slot = Integer.numberOfTrailingZeros(rest);
      int bit = 1 << slot;
      int value = hasEnvelope ? find(envelope, names.name(slot), 0) : ABSENT;
      if (value != ABSENT) {
        twice &= ~bit; // in the outer object
      } else if ((found & bit) == 0) {
        value = find(at, names.name(slot), 0);
      }
      if (value == TWICE) {
        twice |= bit;
      } else if (value != ABSENT) {
        json.clearEscaped();
        put(slot, value, json.value(b, value));
      }
    }
  }

  /**
   * Returns the position of the value, {@link #ABSENT} or {@link #TWICE}. The longest key is tried
   * first.
   */
  private int find(int at, byte[] path, int from) {
    for (int to = path.length; to >= from; to = dotBefore(path, from, to)) {
      int value = member(at, path, from, to);
      if (value == TWICE || value != ABSENT && to == path.length) {
        return value;
      }
      if (value != ABSENT && b[value] == '{') {
        int deeper = find(value, path, to + 1);
        if (deeper != ABSENT) {
          return deeper;
        }
      }
    }
    return ABSENT;
  }

  private static int dotBefore(byte[] path, int from, int before) {
    for (int i = before - 1; i >= from; i--) {
      if (path[i] == '.') {
        return i;
      }
    }
    return -1;
  }

  /** Returns the position of a key's value, or the same constants as {@link #find}. */
  private int member(int at, byte[] path, int nameFrom, int nameTo) {
    int value = ABSENT;
    int i = json.space(b, at + 1);
    while (b[i] != '}') {
      json.clearEscaped();
      int keyEnd = json.string(b, i + 1);
      byte[] key = json.isEscaped() ? JsonString.utf8(b, i + 1, keyEnd - 1) : b;
      int keyFrom = key == b ? i + 1 : 0;
      int keyTo = key == b ? keyEnd - 1 : key.length;
      boolean isName = Arrays.equals(key, keyFrom, keyTo, path, nameFrom, nameTo);
      int memberValue = json.colon(b, keyEnd);
      if (isName && value != ABSENT) {
        return TWICE;
      }
      value = isName ? memberValue : value;
      i = json.space(b, json.value(b, memberValue));
      i = b[i] == ',' ? json.space(b, i + 1) : i;
    }
    return value;
  }
}
