package hourglass.query.where.json;

import hourglass.bytes.JsonPath;
import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import hourglass.bytes.Utf8;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds all fields of payloads by name: those that a {@link JsonPath} of the name finds. Fields in
 * lists have no names. Used by one thread at a time.
 */
public final class FieldWalk {
  /** The most keys that are remembered from all payloads so far. A type has about a hundred. */
  private static final int NODES_MAX = 10_000;

  /** The longest escape of a character. */
  private static final int ESCAPE_BYTES = 6;

  private final int nameCharsMax;
  private final Node root = new Node("", 0);
  private final Map<String, Field> byName = new HashMap<>();
  private final List<Field> byNumber = new ArrayList<>();
  private int nodes;
  private boolean leftOut;

  // The current payload:
  private byte[] bytes = new byte[0];
  private int end;
  private int payload;
  private final List<Field> found = new ArrayList<>();

  /**
   * Names of more than {@code nameCharsMax}, including those of outer objects, are left out. So are
   * names with half of a surrogate pair, which no answer in UTF-8 can show.
   */
  public FieldWalk(int nameCharsMax) {
    this.nameCharsMax = nameCharsMax;
  }

  /** A name, and its place in the last payload that contains it. */
  private static final class Field {
    private final String name;
    private final int number;
    private int payload;
    private long rank;
    private int from;
    private int to;

    private Field(String name, int number) {
      this.name = name;
      this.number = number;
    }
  }

  /** A key of an object, at a place in the tree of all objects seen. */
  private static final class Node {
    private final String name;

    /** The length of the key alone. */
    private final int keyChars;

    /** The field; null if it has no name. */
    private @Nullable Field field;

    private final List<byte[]> keys = new ArrayList<>();
    private final List<@Nullable Node> members = new ArrayList<>();
    private final Map<ByteBuffer, Integer> places = new HashMap<>();

    private Node(String name, int keyChars) {
      this.name = name;
      this.keyChars = keyChars;
    }
  }

  /** Finds the fields of the payload in {@code [from, to)}; none if it is not an object. */
  public void walk(byte[] ofPayload, int from, int to) {
    bytes = ofPayload;
    end = to;
    payload++;
    found.clear();
    int first = JsonScan.skipSpace(bytes, from, to);
    if (first < to && bytes[first] == '{') {
      object(first, root, 0, 0);
    }
  }

  /** The number of fields in the payload. */
  public int size() {
    return found.size();
  }

  /** Returns the name of field {@code i}, from the root of the payload, as a number. */
  public int field(int i) {
    return found.get(i).number;
  }

  public int from(int i) {
    return found.get(i).from;
  }

  public int to(int i) {
    return found.get(i).to;
  }

  /** Returns the name that has a number. Numbers count from 0, without gaps. */
  public String name(int number) {
    return byNumber.get(number).name;
  }

  /** Whether fields were left out because there are too many. */
  public boolean hasMore() {
    return leftOut;
  }

  /** Walks the object that opens at {@code at}, and returns the position after it. */
  private int object(int at, Node node, long rank, int level) {
    int next = JsonScan.skipSpace(bytes, at + 1, end);
    int expected = 0;
    while (next < end && bytes[next] == '"') {
      int keyEnd = JsonScan.skipString(bytes, next, end);
      int value = JsonScan.valueAfter(bytes, keyEnd, end);
      int place = place(node, expected, next + 1, keyEnd - 1);
      Node member = place < 0 ? null : node.members.get(place);
      expected = place + 1;
      int valueEnd =
          member == null
              ? JsonScan.skipValue(bytes, value, end)
              : member(value, member, JsonPath.rank(rank, member.keyChars, level), level);
      next = JsonScan.next(bytes, valueEnd, end);
    }
    return Math.min(next + 1, end);
  }

  private int member(int at, Node member, long rank, int level) {
    int valueEnd =
        bytes[at] == '{' ? object(at, member, rank, level + 1) : JsonScan.skipValue(bytes, at, end);
    if (member.field != null) {
      put(member.field, rank, at, valueEnd);
    }
    return valueEnd;
  }

  /** Returns the place of the key among those of a node; negative if it is left out. */
  private int place(Node node, int expected, int from, int to) {
    if (expected < node.keys.size()) {
      byte[] key = node.keys.get(expected); // payloads mostly have the same order
      if (Arrays.equals(key, 0, key.length, bytes, from, to)) {
        return expected;
      }
    }
    if (to - from > ESCAPE_BYTES * nameCharsMax) {
      return -1; // too long to be kept
    }
    Integer known = node.places.get(ByteBuffer.wrap(bytes, from, to - from));
    return known != null ? known : add(node, from, to);
  }

  private int add(Node node, int from, int to) {
    if (nodes == NODES_MAX) {
      leftOut = true;
      return -1;
    }
    nodes++;
    String key = JsonString.decode(bytes, from, to);
    String name = node == root ? key : node.name + "." + key;
    byte[] raw = Arrays.copyOfRange(bytes, from, to);
    int place = node.keys.size();
    node.places.put(ByteBuffer.wrap(raw), place);
    node.keys.add(raw);
    boolean isName = name.length() <= nameCharsMax && Utf8.encode(key) != null;
    Node member = isName ? new Node(name, key.length()) : null;
    node.members.add(member);
    if (member != null && !name.isEmpty()) {
      member.field = byName.computeIfAbsent(name, this::newField);
    }
    return place;
  }

  private Field newField(String name) {
    Field field = new Field(name, byNumber.size());
    byNumber.add(field);
    return field;
  }

  private void put(Field field, long rank, int from, int to) {
    if (field.payload != payload) {
      found.add(field);
    } else if (rank < field.rank) {
      return;
    }
    field.payload = payload;
    field.rank = rank;
    field.from = from;
    field.to = to;
  }
}
