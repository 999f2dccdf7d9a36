package hourglass.store.pages;

import hourglass.bytes.JsonScan;
import hourglass.bytes.Spans;
import hourglass.store.FieldFilter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter on one field, which lets about a third of all values pass. */
record FieldOfPayloads(List<String> path) implements FieldFilter {
  static FieldOfPayloads of(String... path) {
    return new FieldOfPayloads(List.of(path));
  }

  @Override
  public @Nullable Spans find(byte[] payload, int from, int to) {
    Spans places = new Spans(path.size()); // of each object on the way, then of the field
    int at = JsonScan.skipSpace(payload, from, to);
    if (at < to && payload[at] != '{') {
      return places;
    }
    int end = at < to ? members(payload, at, to, 0, places) : -1;
    return end < 0 ? null : places;
  }

  /** The place of the field alone, as a finder returns it. */
  @Nullable Spans place(byte[] payload, int from, int to) {
    Spans places = find(payload, from, to);
    int field = path.size() - 1;
    return places == null ? null : Spans.of(places.start(field), places.end(field));
  }

  /** Returns the position after the object; -1 if it is odd. */
  private int members(byte[] bytes, int open, int to, int depth, Spans places) {
    int at = JsonScan.skipSpace(bytes, open + 1, to);
    while (at < to && bytes[at] == '"') {
      int nameEnd = JsonScan.stringEnd(bytes, at + 1, to);
      if (nameEnd < 0) {
        return -1;
      }
      String name = new String(bytes, at + 1, nameEnd - at - 1, StandardCharsets.UTF_8);
      boolean wanted = depth < path.size() && name.equals(path.get(depth));
      int value = JsonScan.skipSpace(bytes, nameEnd + 1, to);
      value = value < to && bytes[value] == ':' ? JsonScan.skipSpace(bytes, value + 1, to) : to;
      int end =
          value < to ? end(bytes, value, to, wanted ? depth + 1 : path.size() + 1, places) : -1;
      if (end < 0 || name.contains("\\")) {
        return -1;
      }
      at = JsonScan.skipSpace(bytes, end, to);
      at = at < to && bytes[at] == ',' ? JsonScan.skipSpace(bytes, at + 1, to) : at;
    }
    return at < to && bytes[at] == '}' ? at + 1 : -1;
  }

  private int end(byte[] bytes, int value, int to, int depth, Spans places) {
    byte kind = ValueSpans.kind(bytes[value]);
    int quote = kind == ValueSpans.STRING ? 1 : 0;
    int end =
        bytes[value] == '{' && depth <= path.size()
            ? members(bytes, value, to, depth, places)
            : ValueSpans.valueEnd(kind, bytes, value + quote, to);
    if (end < 0) {
      return -1;
    }
    if (depth <= path.size()) {
      if (places.has(depth - 1)) {
        return -1; // twice
      }
      places.set(depth - 1, value, end + quote);
    }
    return end + quote;
  }

  @Override
  public boolean mayMatch(byte[] bytes, Spans places) {
    int from = places.start(path.size() - 1);
    int to = places.end(path.size() - 1);
    if (to == 0) {
      return false;
    }
    int hash = bytes[from] == '{' ? '{' : Arrays.hashCode(Arrays.copyOfRange(bytes, from, to));
    return Math.floorMod(hash * 31, 3) == 0;
  }
}
