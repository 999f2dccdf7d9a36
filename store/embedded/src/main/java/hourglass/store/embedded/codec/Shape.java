package hourglass.store.embedded.codec;

import java.util.Arrays;

/**
 * The common part of similar payloads: all bytes except the values. Immutable.
 *
 * <pre>
 *   {"type":"login","status":200}   parts  {"type":"   ","status":   }
 *   {"type":"logout","status":403}  values       login            200
 * </pre>
 *
 * A payload is part 0, value 0, part 1, value 1 and so on to the last part.
 */
final class Shape {
  private final byte[] bytes;
  private final int[] partStarts;
  private final byte[] kinds;
  private final int[] fields;

  /**
   * Creates a shape from its parts.
   *
   * @param bytes the parts in sequence, and {@link ByteWords#SLACK}
   * @param partStarts the start of each part, and the end of the last
   * @param kinds of the values; see {@link ValueSpans}
   * @param fields the number of the field of each value
   */
  Shape(byte[] bytes, int[] partStarts, byte[] kinds, int[] fields) {
    this.bytes = bytes;
    this.partStarts = partStarts;
    this.kinds = kinds;
    this.fields = fields;
  }

  /** The shape of a payload that is a single value. */
  static Shape whole(int field) {
    return new Shape(new byte[ByteWords.SLACK], new int[3], new byte[1], new int[] {field});
  }

  /** The shape of a payload {@code [from, to)} whose values are known. */
  static Shape of(byte[] payload, int from, int to, ValueSpans spans, int[] fields) {
    int count = spans.count;
    int[] partStarts = new int[count + 2];
    int valueBytes = 0;
    for (int i = 0; i < count; i++) {
      valueBytes += spans.ends[i] - spans.starts[i];
    }
    byte[] bytes = new byte[to - from - valueBytes + ByteWords.SLACK];
    int at = from;
    int size = 0;
    for (int i = 0; i <= count; i++) {
      int end = i < count ? spans.starts[i] : to;
      System.arraycopy(payload, at, bytes, size, end - at);
      size += end - at;
      partStarts[i + 1] = size;
      at = i < count ? spans.ends[i] : to;
    }
    return new Shape(bytes, partStarts, Arrays.copyOf(spans.kinds, count), fields);
  }

  int values() {
    return fields.length;
  }

  int field(int value) {
    return fields[value];
  }

  byte[] bytes() {
    return bytes;
  }

  int partStart(int part) {
    return partStarts[part];
  }

  int partLength(int part) {
    return partStarts[part + 1] - partStarts[part];
  }

  byte kind(int value) {
    return kinds[value];
  }

  /** The number of values in a field. */
  int count(int field) {
    int count = 0;
    for (int f : fields) {
      count += f == field ? 1 : 0;
    }
    return count;
  }
}
