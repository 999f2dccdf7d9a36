package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonScan;

/**
 * The positions of a payload's values: the members of a JSON object and of objects in it. Not
 * thread-safe; reused.
 *
 * <pre>
 *   {"type":"login","at":{"x":1,"y":[2,3]}}
 *            ^^^^^            ^     ^^^^^       strings without their quotes
 * </pre>
 */
final class ValueSpans {
  /** The kind of a string, whose span excludes its quotes. */
  static final byte STRING = 0;

  static final byte SCALAR = 1;

  /** The kind of an array, or of an object that is too deep to look into. */
  static final byte COMPOUND = 2;

  /** The most values of a payload; more values make a shape that few other payloads have. */
  static final int VALUES_MAX = 256;

  private static final int DEPTH_MAX = 8;

  private static final int ROOT = 17;

  final int[] starts = new int[VALUES_MAX];
  final int[] ends = new int[VALUES_MAX];
  final byte[] kinds = new byte[VALUES_MAX];

  /** The last key on the path to each value, without its quotes. */
  final int[] keyStarts = new int[VALUES_MAX];

  final int[] keyEnds = new int[VALUES_MAX];

  /** A hash of the keys on the path to each value. */
  final long[] paths = new long[VALUES_MAX];

  int count;

  private final long[] parents = new long[DEPTH_MAX + 1];
  private int depth;
  private long path;
  private int keyStart;
  private int keyEnd;

  /** Finds the values in {@code [from, to)}; false if the bytes do not look like JSON. */
  boolean find(byte[] bytes, int from, int to) {
    count = 0;
    int at = JsonScan.skipSpace(bytes, from, to);
    if (at == to || bytes[at] != '{') {
      return false;
    }
    depth = 0;
    parents[0] = ROOT;
    at = JsonScan.skipSpace(bytes, at + 1, to);
    while (at >= 0 && at < to) {
      at = bytes[at] == '}' ? close(bytes, at, to) : member(bytes, at, to);
      if (depth < 0) {
        return count > 0;
      }
    }
    return false;
  }

  private int close(byte[] bytes, int from, int to) {
    depth--;
    return depth < 0 ? from : next(bytes, from + 1, to);
  }

  private static int next(byte[] bytes, int from, int to) {
    int at = JsonScan.skipSpace(bytes, from, to);
    if (at == to || bytes[at] == '}') {
      return at;
    }
    return bytes[at] == ',' ? JsonScan.skipSpace(bytes, at + 1, to) : -1;
  }

  private int member(byte[] bytes, int from, int to) {
    int at = key(bytes, from, to);
    if (at < 0 || at >= to) {
      return -1;
    }
    if (bytes[at] == '{' && depth < DEPTH_MAX) {
      parents[++depth] = path;
      return JsonScan.skipSpace(bytes, at + 1, to);
    }
    if (count == VALUES_MAX) {
      return -1;
    }
    int after = value(bytes, at, to);
    return after < 0 ? -1 : next(bytes, after, to);
  }

  private int key(byte[] bytes, int from, int to) {
    if (bytes[from] != '"') {
      return -1;
    }
    int end = JsonScan.stringEnd(bytes, from + 1, to);
    if (end < 0) {
      return -1;
    }
    long hash = parents[depth];
    for (int i = from + 1; i < end; i++) {
      hash = hash * 31 + bytes[i];
    }
    path = ByteWords.mix(hash);
    keyStart = from + 1;
    keyEnd = end;
    int at = JsonScan.skipSpace(bytes, end + 1, to);
    return at == to || bytes[at] != ':' ? -1 : JsonScan.skipSpace(bytes, at + 1, to);
  }

  private int value(byte[] bytes, int from, int to) {
    byte kind = kind(bytes[from]);
    int quote = kind == STRING ? 1 : 0;
    int end = valueEnd(kind, bytes, from + quote, to);
    add(from + quote, end, kind);
    return end < 0 ? -1 : end + quote;
  }

  static byte kind(byte first) {
    return switch (first) {
      case '"' -> STRING;
      case '{', '[' -> COMPOUND;
      default -> SCALAR;
    };
  }

  /** The end of a value, for a string without its quotes; -1 if the value is not of the kind. */
  static int valueEnd(byte kind, byte[] payload, int from, int to) {
    if (from >= to) {
      return -1;
    }
    byte first = payload[from];
    return switch (kind) {
      case STRING -> JsonScan.stringEnd(payload, from, to);
      case SCALAR -> beginsScalar(first) ? JsonScan.scalarEnd(payload, from, to) : -1;
      default -> first == '[' || first == '{' ? JsonScan.nestedEnd(payload, from, to) : -1;
    };
  }

  private static boolean beginsScalar(byte b) {
    return !JsonScan.endsScalar(b) && b != '"' && b != '{' && b != '[' && b != ':';
  }

  private void add(int start, int end, byte kind) {
    starts[count] = start;
    ends[count] = end;
    kinds[count] = kind;
    keyStarts[count] = keyStart;
    keyEnds[count] = keyEnd;
    paths[count] = path * 4 + kind;
    count++;
  }
}
