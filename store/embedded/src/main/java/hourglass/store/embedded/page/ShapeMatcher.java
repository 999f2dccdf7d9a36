package hourglass.store.embedded.page;

/** Finds the values of payloads of one shape, and hands them to their fields. Not thread-safe. */
final class ShapeMatcher {
  private final Shape shape;
  private final Field[] fields;

  /** The length of each value in the payload before: often that of the next one too. */
  private final int[] lengths;

  /**
   * @param fields the field of each value
   */
  ShapeMatcher(Shape shape, Field[] fields) {
    this.shape = shape;
    this.fields = fields;
    this.lengths = new int[fields.length];
  }

  Shape shape() {
    return shape;
  }

  /** Adds the values of the payload {@code [from, to)} to their fields, if it has this shape. */
  boolean match(byte[] payload, int from, int to) {
    int at = from;
    int start = shape.passPart(0, payload, at, to);
    for (int i = 0; i < lengths.length; i++) {
      if (start < 0 || start >= to) {
        return undo(i);
      }
      // A value as long as the last one, with the right part after it, need not be looked at. A
      // quote inside would make it another value than a parser sees, and yet the same bytes.
      int end = start + lengths[i];
      int next = shape.passPart(i + 1, payload, end, to);
      if (next < 0) {
        end = valueEnd(shape.kind(i), payload, start, to);
        if (end < 0) {
          return undo(i);
        }
        lengths[i] = end - start;
        next = shape.passPart(i + 1, payload, end, to);
      }
      fields[i].add(start, end);
      start = next;
    }
    return start == to || undo(lengths.length);
  }

  private boolean undo(int values) {
    for (int i = 0; i < values; i++) {
      fields[i].removeLast();
    }
    return false;
  }

  private static int valueEnd(byte kind, byte[] payload, int start, int to) {
    if (kind == ValueSpans.STRING) {
      return JsonScan.stringEnd(payload, start, to);
    }
    if (kind == ValueSpans.SCALAR) {
      return JsonScan.beginsScalar(payload[start]) ? JsonScan.scalarEnd(payload, start, to) : -1;
    }
    return payload[start] == '[' || payload[start] == '{'
        ? JsonScan.compoundEnd(payload, start, to)
        : -1;
  }
}
