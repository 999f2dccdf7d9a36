package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonReader;
import hourglass.bytes.JsonWriter;
import hourglass.ingest.decode.ConvertedEvents;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the attributes and values of a request in JSON as plain JSON. Texts and numbers are copied
 * as they are, with their escapes and digits. A position is that of the first byte of a value. Not
 * thread-safe.
 */
final class JsonValues {
  private static final JsonFieldName KEY = JsonFieldName.of("key");
  private static final JsonFieldName VALUE = JsonFieldName.of("value");
  private static final JsonFieldName VALUES = JsonFieldName.of("values");

  /** The kinds of an AnyValue. */
  private enum Kind {
    STRING,
    INT,
    BOOL,
    DOUBLE,
    KVLIST,
    ARRAY,
    BYTES;

    @SuppressWarnings("ImmutableEnumChecker") // names never change
    final JsonFieldName field = JsonFieldName.of(name().toLowerCase(Locale.ROOT) + "Value");
  }

  private static final Kind[] KINDS = Kind.values();

  /** The number in place of the position of what is absent. */
  private static final int NONE = -1;

  private final byte[] b;
  private final JsonReader json;
  private final JsonWriter out;
  private final int levelsMax;
  private @Nullable String watched;

  /** Creates a writer of the values in an array, which the reader steps through. */
  JsonValues(byte[] b, JsonReader json, ConvertedEvents events) {
    this.b = b;
    this.json = json;
    this.out = events.payload();
    this.levelsMax = events.limits().levelsMax();
  }

  /**
   * Writes an array of pairs as an object.
   *
   * @param level the level of that object; a payload is 1
   * @param watch a key; null for none
   * @return the text of the last attribute with that key; null if there is none, or it is no text
   */
  @Nullable String attributes(int start, int level, byte @Nullable [] watch) {
    watched = null;
    pairs(start, level, watch);
    return watched;
  }

  /** Writes an array of pairs, or none, as an object. Returns the end of the array. */
  private int pairs(int start, int level, byte @Nullable [] watch) {
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginObject();
    int end = start == NONE ? NONE : json.each(start, at -> pair(at, level, watch));
    out.endObject();
    return end;
  }

  private int pair(int start, int level, byte @Nullable [] watch) {
    require(b[start] == '{', "attribute: not an object");
    int keyFrom = NONE;
    int keyTo = NONE;
    int waiting = NONE;
    boolean isWritten = false;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int end;
      if (KEY.isRead(json)) {
        require(b[value] == '"' && keyFrom == NONE, "attribute: its key is not one text");
        end = json.skip(value);
        keyFrom = value;
        keyTo = end;
      } else if (!VALUE.isRead(json)) {
        end = json.skip(value);
      } else if (keyFrom == NONE) {
        waiting = value;
        end = json.skip(value);
      } else {
        require(!isWritten, "attribute: two values");
        isWritten = true;
        end = value(value, level, key(keyFrom, keyTo, watch));
      }
      at = json.next(end, '}');
    }
    if (!isWritten) {
      boolean isWatched = key(keyFrom, keyTo, watch);
      if (waiting == NONE) {
        out.nothing();
      } else {
        value(waiting, level, isWatched);
      }
    }
    return at + 1;
  }

  /**
   * Writes a key with its quotes, or an empty one for {@link #NONE}. Returns whether the text of
   * its value is watched.
   */
  private boolean key(int from, int to, byte @Nullable [] watch) {
    if (from == NONE) {
      out.key("");
      return false;
    }
    out.raw(b, from, to).colon();
    boolean isWatched = watch != null && Arrays.equals(watch, 0, watch.length, b, from + 1, to - 1);
    watched = isWatched ? null : watched;
    return isWatched;
  }

  /**
   * Writes an AnyValue, and returns its end.
   *
   * @param level the level of the object or array around it
   */
  int value(int start, int level) {
    return value(start, level, false);
  }

  private int value(int start, int level, boolean isWatched) {
    if (b[start] == 'n') {
      out.nothing();
      return json.skip(start);
    }
    require(b[start] == '{', "value: not an object");
    boolean isWritten = false;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      Kind kind = kind();
      int end;
      if (kind == null || b[value] == 'n') {
        end = json.skip(value);
      } else {
        require(!isWritten, "value: of two kinds");
        isWritten = true;
        end = valueOf(kind, value, level);
        watched = isWatched && kind == Kind.STRING ? json.text(value + 1, end - 1) : watched;
      }
      at = json.next(end, '}');
    }
    if (!isWritten) {
      out.nothing();
    }
    return at + 1;
  }

  private @Nullable Kind kind() {
    for (Kind kind : KINDS) {
      if (kind.field.isRead(json)) {
        return kind;
      }
    }
    return null;
  }

  private int valueOf(Kind kind, int at, int level) {
    if (kind == Kind.ARRAY || kind == Kind.KVLIST) {
      return list(kind, at, level);
    }
    int end = json.skip(at);
    if (kind == Kind.BOOL) {
      require(b[at] == 't' || b[at] == 'f', "boolValue: no boolean");
      out.raw(b, at, end);
    } else if (kind == Kind.INT || kind == Kind.DOUBLE) {
      number(at, end);
    } else {
      require(b[at] == '"', "value: no string");
      out.raw(b, at, end);
    }
    return end;
  }

  /**
   * Writes a number, which may be in a string. A string that is no number stays a string, such as
   * NaN.
   */
  private void number(int at, int end) {
    boolean isText = b[at] == '"';
    require(isText || json.isNumber(at, end), "value: no number");
    if (isText && json.isNumber(at + 1, end - 1)) {
      out.raw(b, at + 1, end - 1);
    } else {
      out.raw(b, at, end);
    }
  }

  /** Writes the array in an object, and returns the end of the object. */
  private int list(Kind kind, int start, int level) {
    require(b[start] == '{', "value: no object");
    boolean isWritten = false;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int end;
      if (VALUES.isRead(json) && b[value] != 'n') {
        require(b[value] == '[' && !isWritten, "values: not one array");
        isWritten = true;
        end = elements(kind, value, level + 1);
      } else {
        end = json.skip(value);
      }
      at = json.next(end, '}');
    }
    if (!isWritten) {
      elements(kind, NONE, level + 1);
    }
    return at + 1;
  }

  private int elements(Kind kind, int start, int level) {
    if (kind == Kind.KVLIST) {
      return pairs(start, level, null);
    }
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginArray();
    int end = start == NONE ? NONE : json.each(start, at -> value(at, level));
    out.endArray();
    return end;
  }

  private static void require(boolean isRight, String problem) {
    if (!isRight) {
      throw RecordRefused.against(problem);
    }
  }
}
