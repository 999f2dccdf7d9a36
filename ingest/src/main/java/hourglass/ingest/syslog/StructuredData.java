package hourglass.ingest.syslog;

import hourglass.bytes.JsonWriter;
import java.util.Arrays;

/**
 * The structured data of a message of RFC 5424, as an object for each element. Not thread-safe.
 *
 * <pre>
 * [ex@32473 iut="3" q="a\"b"][x]   becomes   {"ex@32473":{"iut":"3","q":"a\"b"},"x":{}}
 * </pre>
 *
 * <p>A parameter that occurs several times becomes a list, since the RFC allows repeats.
 */
final class StructuredData {
  /**
   * The most elements and parameters. Real messages contain a few, and a search finds those that
   * occur twice.
   */
  private static final int PARTS_MAX = 256;

  private static final int ELEMENT = -1;

  /** The names and values of the elements and parameters. An element has no value. */
  private final int[] nameFrom = new int[PARTS_MAX];

  private final int[] nameTo = new int[PARTS_MAX];
  private final int[] valueFrom = new int[PARTS_MAX];
  private final int[] valueTo = new int[PARTS_MAX];
  private final boolean[] escaped = new boolean[PARTS_MAX];
  private int size;

  private byte[] unescaped = new byte[256];

  /** Returns the end of the elements that begin at {@code from}; -1 where there are none. */
  int read(byte[] b, int from, int to) {
    size = 0;
    int at = from;
    while (at < to && b[at] == '[') {
      at = element(b, at + 1, to);
      if (at < 0) {
        return -1;
      }
    }
    return at;
  }

  private int element(byte[] b, int from, int to) {
    int at = name(b, from, to, ELEMENT);
    if (at < 0 || hasElementBefore(b)) {
      return -1;
    }
    valueFrom[size - 1] = ELEMENT;
    while (at < to && b[at] == ' ') {
      at = name(b, at + 1, to, 0);
      if (at < 0 || at + 1 >= to || b[at] != '=' || b[at + 1] != '"') {
        return -1;
      }
      at = value(b, at + 2, to);
      if (at < 0) {
        return -1;
      }
    }
    return at < to && b[at] == ']' ? at + 1 : -1;
  }

  private int name(byte[] b, int from, int to, int value) {
    int at = from;
    while (at < to && (b[at] & 0xff) > ' ' && b[at] != '=' && b[at] != ']' && b[at] != '"') {
      at++;
    }
    if (at == from || size == PARTS_MAX) {
      return -1;
    }
    nameFrom[size] = from;
    nameTo[size] = at;
    valueFrom[size] = value;
    size++;
    return at;
  }

  /**
   * Returns whether the last element occurred before. The RFC allows each element once, and JSON
   * each key.
   */
  private boolean hasElementBefore(byte[] b) {
    int last = size - 1;
    for (int i = 0; i < last; i++) {
      if (valueFrom[i] == ELEMENT && isSameName(b, i, last)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSameName(byte[] b, int one, int other) {
    return Arrays.equals(b, nameFrom[one], nameTo[one], b, nameFrom[other], nameTo[other]);
  }

  private int value(byte[] b, int from, int to) {
    int last = size - 1;
    valueFrom[last] = from;
    escaped[last] = false;
    for (int at = from; at < to; at++) {
      if (b[at] == '"') {
        valueTo[last] = at;
        return at + 1;
      }
      if (b[at] == '\\' && at + 1 < to && isEscape(b[at + 1])) {
        escaped[last] = true;
        at++;
      }
    }
    return -1;
  }

  private static boolean isEscape(byte c) {
    return c == '"' || c == '\\' || c == ']';
  }

  /** Writes the elements that were read. */
  void write(byte[] b, JsonWriter json) {
    json.beginObject();
    for (int i = 0; i < size; ) {
      json.key(b, nameFrom[i], nameTo[i]).beginObject();
      int end = i + 1;
      while (end < size && valueFrom[end] != ELEMENT) {
        end++;
      }
      parameters(b, i + 1, end, json);
      json.endObject();
      i = end;
    }
    json.endObject();
  }

  private void parameters(byte[] b, int first, int end, JsonWriter json) {
    for (int i = first; i < end; i++) {
      if (find(b, first, i, i) < 0) {
        json.key(b, nameFrom[i], nameTo[i]);
        int second = find(b, i + 1, end, i);
        if (second < 0) {
          text(b, i, json);
        } else {
          json.beginArray();
          for (int k = i; k >= 0; k = find(b, k + 1, end, i)) {
            text(b, k, json);
          }
          json.endArray();
        }
      }
    }
  }

  /**
   * Returns the first parameter in {@code [from, to)} that has the name of another one; -1 if there
   * is none.
   */
  private int find(byte[] b, int from, int to, int of) {
    for (int i = from; i < to; i++) {
      if (isSameName(b, i, of)) {
        return i;
      }
    }
    return -1;
  }

  private void text(byte[] b, int part, JsonWriter json) {
    int from = valueFrom[part];
    int to = valueTo[part];
    if (!escaped[part]) {
      json.string(b, from, to);
      return;
    }
    if (unescaped.length < to - from) {
      unescaped = new byte[to - from];
    }
    int length = 0;
    for (int i = from; i < to; i++) {
      if (b[i] == '\\' && isEscape(b[i + 1])) {
        i++;
      }
      unescaped[length++] = b[i];
    }
    json.string(unescaped, 0, length);
  }
}
