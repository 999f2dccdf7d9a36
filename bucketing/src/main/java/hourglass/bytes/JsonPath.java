package hourglass.bytes;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the field at a path in a payload, in one pass. {@code a.b} is the field {@code b} of the
 * object {@code a}, or a key that is literally {@code a.b}. At every level the longest matching key
 * wins, and the last of equal keys. Used by one thread at a time.
 */
public final class JsonPath {
  /**
   * The most characters of a path. A path of many levels has half their square of keys, and the
   * keys of a payload are compared with them.
   */
  public static final int CHARS_MAX = 256;

  /** The levels that have a byte of a rank each. All deeper levels share the last byte. */
  private static final int RANKED_LEVELS = 7;

  private static final int NONE = -1;

  /** The bytes of names that are compared between two checks for the client. */
  public static final int LOOK_EVERY = 1 << 16;

  /** The keys that may begin at each segment of the path, the longest last. */
  private final List<List<String>> keys;

  private final BooleanSupplier gone;
  private int untilLook;

  private byte[] bytes = new byte[0];
  private int end;
  private long bestRank;
  private int from;
  private int to;

  public JsonPath(String path, BooleanSupplier gone) {
    this.gone = gone;
    keys = keys(path);
  }

  private static List<List<String>> keys(String path) {
    List<List<String>> all = new ArrayList<>();
    for (int start = 0; start >= 0; start = next(path, start)) {
      List<String> some = new ArrayList<>();
      for (int dot = path.indexOf('.', start); dot >= 0; dot = path.indexOf('.', dot + 1)) {
        some.add(path.substring(start, dot));
      }
      some.add(path.substring(start));
      all.add(some);
    }
    return all;
  }

  /** Returns the start of the next segment; negative after the last one. */
  private static int next(String path, int start) {
    int dot = path.indexOf('.', start);
    return dot < 0 ? NONE : dot + 1;
  }

  /**
   * Finds the field. Returns false if there is none, or if the payload in {@code [from, to)} is not
   * an object or is cut off. Throws {@link CancellationException} if the client gave up the query.
   */
  public boolean find(byte[] payload, int payloadFrom, int payloadTo) {
    bytes = payload;
    end = payloadTo;
    bestRank = NONE;
    look();
    try {
      int first = JsonScan.skipSpace(payload, payloadFrom, payloadTo);
      if (first < payloadTo && payload[first] == '{') {
        object(first, 0, 0, 0);
      }
      return bestRank >= 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Returns a string without its quotes, or any other value as written; null for null. */
  public @Nullable String text() {
    return switch (bytes[from]) {
      case '"' -> JsonString.decode(bytes, from + 1, to - 1);
      case 'n' -> null;
      default -> new String(bytes, from, to - from, StandardCharsets.UTF_8);
    };
  }

  /** Searches the object that opens at {@code at}, and returns the position after it. */
  private int object(int at, int segment, long rank, int level) {
    int next = JsonScan.skipSpace(bytes, at + 1, end);
    while (next < end && bytes[next] == '"') {
      int nameEnd = JsonScan.skipString(bytes, next, end);
      int value = JsonScan.valueAfter(bytes, nameEnd, end);
      int key = key(segment, next + 1, nameEnd - 1);
      int valueEnd =
          key == NONE
              ? JsonScan.skipValue(bytes, value, end)
              : value(value, segment, key, rank, level);
      next = JsonScan.next(bytes, valueEnd, end);
    }
    return Math.min(next + 1, end);
  }

  private int key(int segment, int name, int nameEnd) {
    List<String> some = keys.get(segment);
    for (int i = 0; i < some.size(); i++) {
      untilLook -= nameEnd - name + 1;
      if (untilLook < 0) {
        look();
      }
      if (JsonString.isText(some.get(i), bytes, name, nameEnd)) {
        return i;
      }
    }
    return NONE;
  }

  private void look() {
    if (gone.getAsBoolean()) {
      throw new CancellationException("the client gave the query up");
    }
    untilLook = LOOK_EVERY;
  }

  private int value(int at, int segment, int key, long rank, int level) {
    List<String> some = keys.get(segment);
    long better = rank(rank, some.get(key).length(), level);
    boolean isWhole = key == some.size() - 1;
    if (!isWhole && at < end && bytes[at] == '{') {
      return object(at, segment + key + 1, better, level + 1);
    }
    int valueEnd = JsonScan.skipValue(bytes, at, end);
    if (isWhole && better >= bestRank) {
      bestRank = better;
      from = at;
      to = valueEnd;
    }
    return valueEnd;
  }

  /**
   * Returns the rank of a member of an object. Where a field is in two places, the higher rank
   * wins.
   */
  public static long rank(long ofObject, int keyChars, int level) {
    int shift = 8 * (RANKED_LEVELS - 1 - Math.min(level, RANKED_LEVELS - 1));
    return ofObject | ((long) Math.min(255, keyChars + 1) << shift);
  }
}
