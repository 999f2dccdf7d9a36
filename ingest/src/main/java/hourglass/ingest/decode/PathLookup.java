package hourglass.ingest.decode;

import java.util.Arrays;

/** Finds the value at a path such as {@code a.b} in a scanned object. */
final class PathLookup {
  static final int ABSENT = -1;

  /** A key of the path occurs twice. */
  static final int TWICE = -2;

  private PathLookup() {}

  /**
   * The position of the value, {@link #ABSENT} or {@link #TWICE}.
   *
   * @param at the position of the object's opening brace
   */
  static int find(JsonScanner json, byte[] b, int at, byte[] path) {
    return find(json, b, at, path, 0);
  }

  /** Tries the rest of the path as one key, then less and less of it. */
  private static int find(JsonScanner json, byte[] b, int at, byte[] path, int from) {
    for (int to = path.length; to >= from; to = dotBefore(path, from, to)) {
      int value = member(json, b, at, path, from, to);
      if (value == TWICE || value != ABSENT && to == path.length) {
        return value;
      }
      if (value != ABSENT && b[value] == '{') {
        int found = find(json, b, value, path, to + 1);
        if (found != ABSENT) {
          return found;
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

  private static int member(
      JsonScanner json, byte[] b, int at, byte[] path, int nameFrom, int nameTo) {
    int found = ABSENT;
    int i = json.space(b, at + 1);
    while (b[i] != '}') {
      json.clearEscaped();
      int keyEnd = json.string(b, i + 1);
      boolean isName = isName(b, i + 1, keyEnd - 1, json.isEscaped(), path, nameFrom, nameTo);
      int value = json.colon(b, keyEnd);
      if (isName && found != ABSENT) {
        return TWICE;
      }
      found = isName ? value : found;
      i = json.space(b, json.value(b, value));
      i = b[i] == ',' ? json.space(b, i + 1) : i;
    }
    return found;
  }

  private static boolean isName(
      byte[] b, int from, int to, boolean escaped, byte[] path, int nameFrom, int nameTo) {
    if (!escaped) {
      return Arrays.equals(b, from, to, path, nameFrom, nameTo);
    }
    byte[] key = JsonText.unescape(b, from, to);
    return Arrays.equals(key, 0, key.length, path, nameFrom, nameTo);
  }
}
