package hourglass.query.where;

import java.util.Arrays;

/**
 * Where the names and values of a JSON object stand, found in one pass. Immutable.
 *
 * <pre>
 * {"path" : "/a", "ms":12}
 *   ^   ^   ^   ^              nameFrom nameTo valueFrom valueTo, for each member
 * </pre>
 */
final class JsonMembers {
  private static final int FIELDS = 4;

  /** Most objects have no more members than that. */
  private static final int USUAL_MEMBERS = 12;

  private final byte[] bytes;
  private int[] spans = new int[FIELDS * USUAL_MEMBERS];
  private int size;

  /** Of the object in {@code [from, to)}. */
  JsonMembers(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    int at = JsonScan.skipSpace(bytes, from + 1, to);
    while (at < to && bytes[at] == '"') {
      at = member(at, to);
      if (at < to && bytes[at] == ',') {
        at = JsonScan.skipSpace(bytes, at + 1, to);
      }
    }
  }

  /** The next token after the member whose name opens at {@code at}. */
  private int member(int at, int to) {
    int nameEnd = JsonScan.skipString(bytes, at, to);
    int colon = JsonScan.skipSpace(bytes, nameEnd, to);
    int value = JsonScan.skipSpace(bytes, colon + 1, to);
    int end = JsonScan.skipValue(bytes, value, to);
    if ((size + 1) * FIELDS > spans.length) {
      spans = Arrays.copyOf(spans, 2 * spans.length);
    }
    int slot = FIELDS * size++;
    spans[slot] = at + 1;
    spans[slot + 1] = nameEnd - 1;
    spans[slot + 2] = value;
    spans[slot + 3] = end;
    return JsonScan.skipSpace(bytes, end, to);
  }

  /** How many there are, those of one name counted one by one. */
  int size() {
    return size;
  }

  /** The last member of a name, or -1. */
  int find(String name) {
    for (int member = size - 1; member >= 0; member--) {
      int slot = FIELDS * member;
      if (JsonText.isText(name, bytes, spans[slot], spans[slot + 1])) {
        return member;
      }
    }
    return -1;
  }

  String name(int member) {
    return JsonText.decode(bytes, spans[FIELDS * member], spans[FIELDS * member + 1]);
  }

  int valueFrom(int member) {
    return spans[FIELDS * member + 2];
  }

  int valueTo(int member) {
    return spans[FIELDS * member + 3];
  }
}
