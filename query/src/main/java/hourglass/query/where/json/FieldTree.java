package hourglass.query.where.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that an expression names, found in one pass over a payload. Immutable, and safe to
 * share, once all fields are added.
 *
 * <pre>
 * data.path, data.http.status     0 data
 *                                 +-- 1 path
 *                                 +-- 2 http
 *                                     +-- 3 status
 * </pre>
 *
 * <p>Some payloads are odd, and left to a full parser: a name beside a wanted one has an escape, a
 * wanted name is repeated, or the payload is cut off.
 */
public final class FieldTree {
  static final int ROOT = 0;

  private static final int ODD = -1;

  private static final class Node {
    final byte[] name;
    final int field;
    Node[] inside = new Node[0];

    Node(byte[] name, int field) {
      this.name = name;
      this.field = field;
    }

    @Nullable Node find(byte[] bytes, int from, int to) {
      for (Node node : inside) {
        if (node.name.length == to - from
            && Arrays.equals(node.name, 0, node.name.length, bytes, from, to)) {
          return node;
        }
      }
      return null;
    }
  }

  private final Node root = new Node(new byte[0], ROOT);
  private final List<String> names = new ArrayList<>(List.of(""));

  /** Returns the number of the field. */
  public int add(List<String> path) {
    Node node = root;
    for (String name : path) {
      node = inside(node, name);
    }
    return node.field;
  }

  /** The last name of the field's path; empty for the payload itself. */
  public String name(int field) {
    return names.get(field);
  }

  private Node inside(Node node, String text) {
    byte[] name = text.getBytes(StandardCharsets.UTF_8);
    Node known = node.find(name, 0, name.length);
    if (known != null) {
      return known;
    }
    Node added = new Node(name, names.size());
    names.add(text);
    List<Node> all = new ArrayList<>(List.of(node.inside));
    all.add(added);
    node.inside = all.toArray(Node[]::new);
    return added;
  }

  /**
   * Field {@code n} stands from {@code [2n]} to {@code [2n + 1]} of the result, both 0 if it is
   * absent. Null if the payload is odd.
   */
  public int @Nullable [] find(byte[] bytes, int from, int to) {
    int[] spans = new int[2 * names.size()];
    try {
      return value(root, bytes, JsonScan.skipSpace(bytes, from, to), to, spans) == ODD
          ? null
          : spans;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The position after the value, or ODD. */
  private static int value(Node node, byte[] bytes, int at, int to, int[] spans) {
    if (spans[2 * node.field + 1] != 0) {
      return ODD;
    }
    int end =
        node.inside.length > 0 && at < to && bytes[at] == '{'
            ? members(node, bytes, at, to, spans)
            : JsonScan.skipValue(bytes, at, to);
    spans[2 * node.field] = at;
    spans[2 * node.field + 1] = end;
    return end;
  }

  private static int members(Node node, byte[] bytes, int open, int to, int[] spans) {
    int at = JsonScan.skipSpace(bytes, open + 1, to);
    while (at < to && bytes[at] == '"') {
      int nameEnd = JsonScan.skipString(bytes, at, to);
      int colon = JsonScan.skipSpace(bytes, nameEnd, to);
      int value = JsonScan.skipSpace(bytes, colon + 1, to);
      Node wanted = node.find(bytes, at + 1, nameEnd - 1);
      if (Backslashes.areIn(bytes, at + 1, nameEnd - 1)) {
        return ODD;
      }
      int end =
          wanted == null
              ? JsonScan.skipValue(bytes, value, to)
              : value(wanted, bytes, value, to, spans);
      if (end == ODD) {
        return ODD;
      }
      at = JsonScan.skipSpace(bytes, end, to);
      if (at < to && bytes[at] == ',') {
        at = JsonScan.skipSpace(bytes, at + 1, to);
      }
    }
    return at < to && bytes[at] == '}' ? at + 1 : ODD;
  }
}
