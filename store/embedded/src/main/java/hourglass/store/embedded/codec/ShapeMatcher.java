package hourglass.store.embedded.codec;

/** Finds the values of payloads of one shape, and hands them to their fields. Not thread-safe. */
final class ShapeMatcher {
  private final Shape shape;
  private final Field[] fields;

  // For each part: its length, its first eight bytes with a mask if it is shorter, and its last
  // eight. Most parts are a key of up to sixteen bytes, so this covers all of it.
  private final int[] partLengths;
  private final long[] heads;
  private final long[] masks;
  private final long[] tails;

  /** The length of each value in the previous payload, which the next one often repeats. */
  private final int[] lengths;

  /**
   * Creates a matcher for a shape.
   *
   * @param fields the field of each value
   */
  ShapeMatcher(Shape shape, Field[] fields) {
    this.shape = shape;
    this.fields = fields;
    lengths = new int[fields.length];
    int parts = fields.length + 1;
    partLengths = new int[parts];
    heads = new long[parts];
    masks = new long[parts];
    tails = new long[parts];
    for (int i = 0; i < parts; i++) {
      int length = shape.partLength(i);
      int start = shape.partStart(i);
      partLengths[i] = length;
      heads[i] = ByteWords.head(shape.bytes(), start, length);
      masks[i] = length < Long.BYTES ? (1L << length * Byte.SIZE) - 1 : -1;
      tails[i] =
          length < Long.BYTES ? 0 : ByteWords.get(shape.bytes(), start + length - Long.BYTES);
    }
  }

  Shape shape() {
    return shape;
  }

  /** Adds the values of the payload {@code [from, to)} to their fields, if it has this shape. */
  boolean match(byte[] payload, int from, int to) {
    if (!isPart(0, payload, from, to)) {
      return false;
    }
    int start = from + partLengths[0];
    for (int i = 0; i < fields.length; i++) {
      // A value as long as the last one, with the right part after it, is accepted unread. With a
      // quote inside it would differ from a parser's value, but the bytes are the same.
      int end = start + lengths[i];
      if (!isPart(i + 1, payload, end, to)) {
        end = valueEnd(shape.kind(i), payload, start, to);
        if (end < 0 || !isPart(i + 1, payload, end, to)) {
          return undo(i);
        }
        lengths[i] = end - start;
      }
      fields[i].add(start, end);
      start = end + partLengths[i + 1];
    }
    return start == to || undo(fields.length);
  }

  private boolean isPart(int part, byte[] payload, int at, int to) {
    int length = partLengths[part];
    if (length > to - at || ((ByteWords.head(payload, at) ^ heads[part]) & masks[part]) != 0) {
      return false;
    }
    return length <= Long.BYTES
        || ByteWords.get(payload, at + length - Long.BYTES) == tails[part]
            && (length <= 2 * Long.BYTES || isLongPart(part, payload, at));
  }

  private boolean isLongPart(int part, byte[] payload, int at) {
    return ByteWords.equal(shape.bytes(), shape.partStart(part), payload, at, partLengths[part]);
  }

  private boolean undo(int values) {
    for (int i = 0; i < values; i++) {
      fields[i].removeLast();
    }
    return false;
  }

  private static int valueEnd(byte kind, byte[] payload, int start, int to) {
    if (start >= to) {
      return -1;
    }
    if (kind == ValueSpans.STRING) {
      return JsonTokens.stringEnd(payload, start, to);
    }
    if (kind == ValueSpans.SCALAR) {
      return JsonTokens.beginsScalar(payload[start])
          ? JsonTokens.scalarEnd(payload, start, to)
          : -1;
    }
    return payload[start] == '[' || payload[start] == '{'
        ? JsonTokens.compoundEnd(payload, start, to)
        : -1;
  }
}
