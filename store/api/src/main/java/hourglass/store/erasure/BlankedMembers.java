package hourglass.store.erasure;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Replaces the values of members by {@code null}, wherever a path leads to one: {@code a.b} is the
 * member {@code b} of the object {@code a}, and a member that is literally named {@code a.b}. Of
 * members with equal names, all are replaced, since a reader may know either. Members of objects in
 * arrays are not reached by a path. A payload that is another JSON value has no members, and stays.
 * One that is cut off becomes {@code null}, since its rest is unknown. Immutable.
 */
public record BlankedMembers(List<String> paths) {
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  public BlankedMembers {
    paths = List.copyOf(paths);
  }

  /** Returns the payload in {@code [from, to)} with {@code null} in place of the values. */
  public byte[] blank(byte[] payload, int from, int to) {
    Walk walk = new Walk(payload, from, to);
    try {
      int first = JsonScan.skipSpace(payload, from, to);
      if (first < to && payload[first] == '{') {
        walk.object(first, paths);
        return walk.rest();
      }
      return Arrays.copyOfRange(payload, from, to);
    } catch (IllegalArgumentException e) { // cut off
      return NULL.clone();
    }
  }

  /** Copies a payload up to what it replaces. */
  private static final class Walk {
    private final byte[] bytes;
    private final int end;
    private final ByteArrayOutputStream out;
    private int copied;

    Walk(byte[] bytes, int from, int end) {
      this.bytes = bytes;
      this.end = end;
      out = new ByteArrayOutputStream(end - from);
      copied = from;
    }

    /** Walks the object that opens at {@code at}, and returns the position after it. */
    int object(int at, List<String> sought) {
      int next = JsonScan.skipSpace(bytes, at + 1, end);
      while (next < end && bytes[next] == '"') {
        int nameEnd = JsonScan.skipString(bytes, next, end);
        int value = JsonScan.valueAfter(bytes, nameEnd, end);
        next = JsonScan.next(bytes, value(value, next + 1, nameEnd - 1, sought), end);
      }
      if (next >= end) {
        throw JsonScan.endsTooSoon();
      }
      return next + 1;
    }

    private int value(int at, int name, int nameEnd, List<String> sought) {
      List<String> inside = new ArrayList<>();
      for (String path : sought) {
        if (JsonString.isText(path, bytes, name, nameEnd)) {
          int valueEnd = JsonScan.skipValue(bytes, at, end);
          replace(at, valueEnd);
          return valueEnd;
        }
        addRests(path, name, nameEnd, inside);
      }
      return !inside.isEmpty() && at < end && bytes[at] == '{'
          ? object(at, inside)
          : JsonScan.skipValue(bytes, at, end);
    }

    /** Adds what is left of a path after each of its beginnings that is the name of the member. */
    private void addRests(String path, int name, int nameEnd, List<String> rests) {
      for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
        if (JsonString.isText(path.substring(0, dot), bytes, name, nameEnd)) {
          rests.add(path.substring(dot + 1));
        }
      }
    }

    private void replace(int from, int to) {
      out.write(bytes, copied, from - copied);
      out.writeBytes(NULL);
      copied = to;
    }

    byte[] rest() {
      out.write(bytes, copied, end - copied);
      return out.toByteArray();
    }
  }
}
