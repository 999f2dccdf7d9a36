package hourglass.query.where.json;

import hourglass.bytes.JsonPath;
import hourglass.bytes.JsonScan;
import hourglass.bytes.Spans;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that an expression names, found in one pass over a payload. Immutable, and safe to
 * share, once all fields are added.
 *
 * <pre>
 * data.path, data.http.status     0 data
 *                                 +-- 1 path
 *                                 +-- 2 http
 *                                 |   +-- 3 status
 *                                 +-- 3 http.status
 * </pre>
 *
 * <p>Some payloads are odd, and left to a full parser: a name next to a wanted one contains an
 * escape, a field occurs in two places, or the payload is cut off. A key with dots is also odd next
 * to the objects that its field could be in, since they may contain the same field.
 */
public final class FieldTree {
  private static final int ODD = -1;

  /** The end of a field that a key with dots includes. The field must not occur anywhere else. */
  private static final int SKIPPED = -2;

  private static final class Node {
    final int field;

    /** The field that contains this one under its name; null for the payload and for members. */
    final @Nullable Node outer;

    final String name;
    final Map<String, Node> fields = new HashMap<>();
    final Map<String, Node> members = new HashMap<>();
    Key[] keys = {};

    Node(int field, @Nullable Node outer, String name) {
      this.field = field;
      this.outer = outer;
      this.name = name;
    }

    void addKey(String text, Node value, List<Node> skipped) {
      byte[] key = text.getBytes(StandardCharsets.UTF_8);
      Key known = find(key, 0, key.length);
      if (known == null) {
        int[] skips = skipped.stream().mapToInt(node -> node.field).toArray();
        keys = Arrays.copyOf(keys, keys.length + 1);
        keys[keys.length - 1] = new Key(key, value, skips);
      } else {
        known.isShared = true;
      }
    }

    @Nullable Key find(byte[] bytes, int from, int to) {
      for (Key key : keys) {
        if (key.text.length == to - from
            && Arrays.equals(key.text, 0, key.text.length, bytes, from, to)) {
          return key;
        }
      }
      return null;
    }
  }

  /** A key of an object: a name, or the names from the object to an inner field, joined by dots. */
  private static final class Key {
    final byte[] text;
    final Node value;

    /** The fields between the object and the value. */
    final int[] skipped;

    /** Whether the key stands for two fields, as in {@code data["a.b"]} and {@code data.a.b}. */
    boolean isShared;

    Key(byte[] text, Node value, int[] skipped) {
      this.text = text;
      this.value = value;
      this.skipped = skipped;
    }
  }

  private final Node root = new Node(0, null, "");
  private final List<List<String>> keys = new ArrayList<>(List.of(List.of()));
  private int keyCount;
  private boolean skips;

  /** Adds a field and returns its number; see {@link #add(String, List)}. */
  public int add(String name) {
    return add(name, List.of());
  }

  /**
   * Adds a field and members in it, one inside the other.
   *
   * @param name as in a {@link JsonPath}; empty for the payload
   * @return the number of the innermost one
   */
  public int add(String name, List<String> members) {
    Node node = root;
    if (!name.isEmpty()) {
      for (String part : name.split("\\.", -1)) {
        node = field(node, part);
      }
    }
    for (String member : members) {
      node = node == root && member.indexOf('.') < 0 ? field(node, member) : member(node, member);
    }
    return node.field;
  }

  /** Returns the last keys that a field may have in a payload; none for the payload itself. */
  public List<String> keys(int field) {
    return keys.get(field);
  }

  private Node field(Node outer, String name) {
    Node known = outer.fields.get(name);
    if (known != null) {
      return known;
    }
    Node added = new Node(keys.size(), outer, name);
    outer.fields.put(name, added);
    List<String> all = new ArrayList<>();
    List<Node> skipped = new ArrayList<>();
    String key = name;
    for (Node object = outer; object != null; object = object.outer) {
      object.addKey(key, added, skipped);
      all.add(key);
      skips |= !skipped.isEmpty();
      skipped.add(object);
      key = object.name + '.' + key;
    }
    keys.add(all);
    keyCount += all.size();
    return added;
  }

  /** The number of fields, including the payload. */
  public int size() {
    return keys.size();
  }

  /**
   * The number of keys by which fields are found, without those of members: a measure of memory and
   * time.
   */
  public int keyCount() {
    return keyCount;
  }

  private Node member(Node object, String name) {
    return object.members.computeIfAbsent(
        name,
        absent -> {
          Node added = new Node(keys.size(), null, name);
          object.addKey(name, added, List.of());
          keys.add(List.of(name));
          return added;
        });
  }

  /**
   * Finds the fields of the payload in {@code [from, to)}, by their numbers. Returns null if the
   * payload is odd.
   */
  public @Nullable Spans find(byte[] bytes, int from, int to) {
    Spans spans = new Spans(keys.size());
    try {
      if (value(root, bytes, JsonScan.skipSpace(bytes, from, to), to, spans) == ODD) {
        return null;
      }
    } catch (IllegalArgumentException e) {
      return null;
    }
    for (int field = 0; skips && field < spans.size(); field++) {
      if (spans.end(field) == SKIPPED) {
        spans.set(field, 0, 0);
      }
    }
    return spans;
  }

  /** Reads a value, and returns the position after it, or ODD. */
  private static int value(Node node, byte[] bytes, int at, int to, Spans spans) {
    if (spans.has(node.field)) {
      return ODD;
    }
    int end =
        node.keys.length > 0 && at < to && bytes[at] == '{'
            ? members(node, bytes, at, to, spans)
            : JsonScan.skipValue(bytes, at, to);
    spans.set(node.field, at, end);
    return end;
  }

  private static int members(Node node, byte[] bytes, int open, int to, Spans spans) {
    int at = JsonScan.skipSpace(bytes, open + 1, to);
    while (at < to && bytes[at] == '"') {
      int nameEnd = JsonScan.skipPlain(bytes, at + 1, to);
      if (nameEnd >= to || bytes[nameEnd] != '"') {
        return ODD;
      }
      int value = JsonScan.valueAfter(bytes, nameEnd + 1, to);
      Key wanted = node.find(bytes, at + 1, nameEnd);
      int end =
          wanted == null
              ? JsonScan.skipValue(bytes, value, to)
              : wanted(wanted, bytes, value, to, spans);
      if (end == ODD) {
        return ODD;
      }
      at = JsonScan.next(bytes, end, to);
    }
    return at < to && bytes[at] == '}' ? at + 1 : ODD;
  }

  private static int wanted(Key key, byte[] bytes, int at, int to, Spans spans) {
    if (key.isShared) {
      return ODD;
    }
    for (int field : key.skipped) {
      if (spans.end(field) > 0) {
        return ODD;
      }
      spans.set(field, 0, SKIPPED);
    }
    return value(key.value, bytes, at, to, spans);
  }
}
