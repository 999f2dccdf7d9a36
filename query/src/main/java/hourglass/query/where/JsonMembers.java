package hourglass.query.where;

import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import hourglass.query.filter.Effort;
import java.util.Arrays;

/**
 * The positions of the names and values of a JSON object, found in one pass. Immutable.
 *
 * <pre>
 * {"path" : "/a", "ms":12}
 *   ^   ^   ^   ^              nameFrom nameTo valueFrom valueTo, for each member
 * </pre>
 */
final class JsonMembers {
  private static final int FIELDS = 4;

  /**
   * The number of members for which memory is reserved. Few objects in payloads have more, and most
   * of those in lists have fewer.
   */
  private static final int USUAL_MEMBERS = 12;

  private static final int LONG_NAME = 256;

  private static final int BYTES_A_MEMBER = 8;

  private static final int FEW_MEMBERS = 64;

  private final byte[] bytes;
  private int[] spans;
  private int size;

  JsonMembers(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    spans = new int[FIELDS * Math.min(USUAL_MEMBERS, (to - from) / BYTES_A_MEMBER)];
    int at = JsonScan.skipSpace(bytes, from + 1, to);
    while (at < to && bytes[at] == '"') {
      at = member(at, to);
    }
  }

  /** Returns the position of the next member. */
  private int member(int at, int to) {
    int nameEnd = JsonScan.skipString(bytes, at, to);
    int value = JsonScan.valueAfter(bytes, nameEnd, to);
    int end = JsonScan.skipValue(bytes, value, to);
    if ((size + 1) * FIELDS > spans.length) {
      spans = Arrays.copyOf(spans, Math.max(FIELDS, 2 * spans.length));
    }
    int slot = FIELDS * size++;
    spans[slot] = at + 1;
    spans[slot + 1] = nameEnd - 1;
    spans[slot + 2] = value;
    spans[slot + 3] = end;
    return JsonScan.next(bytes, end, to);
  }

  /** The number of members. A repeated name counts each time. */
  int size() {
    return size;
  }

  /** Finds the last member that has a name; -1 if there is none. */
  int find(String name) {
    if (size > FEW_MEMBERS) {
      Effort.current().spend(size);
    }
    for (int member = size - 1; member >= 0; member--) {
      int slot = FIELDS * member;
      int length = spans[slot + 1] - spans[slot];
      if (length > LONG_NAME && length >= name.length()) {
        Effort.current().spend(length); // The name may have to be decoded.
      }
      if (JsonString.isText(name, bytes, spans[slot], spans[slot + 1])) {
        return member;
      }
    }
    return -1;
  }

  String name(int member) {
    return JsonString.decode(bytes, spans[FIELDS * member], spans[FIELDS * member + 1]);
  }

  int valueFrom(int member) {
    return spans[FIELDS * member + 2];
  }

  int valueTo(int member) {
    return spans[FIELDS * member + 3];
  }
}
