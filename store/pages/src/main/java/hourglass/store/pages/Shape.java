package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;

/**
 * The common part of similar payloads: all bytes except the values. Not thread-safe.
 *
 * <pre>
 *   {"type":"login","status":200}   parts  {"type":"   ","status":   }
 *   {"type":"logout","status":403}  values       login            200
 * </pre>
 *
 * A payload begins and ends with a part.
 */
final class Shape {
  private final byte[] bytes;

  /** The start of each part, and the end of the last. */
  private final int[] partStarts;

  private final byte[] kinds;

  private final int[] numbers;

  private final Field[] fields;

  // These are each part's first eight bytes, with a mask if it is shorter, and its last eight. Most
  // parts are a key of up to sixteen bytes.
  private final long[] heads;
  private final long[] masks;
  private final long[] tails;
  private final int[] partLengths;

  private Shape(byte[] bytes, int[] partStarts, byte[] kinds, int[] numbers, Field[] fields) {
    this.bytes = bytes;
    this.partStarts = partStarts;
    this.kinds = kinds;
    this.numbers = numbers;
    this.fields = fields;
    int parts = fields.length + 1;
    partLengths = new int[parts];
    heads = new long[parts];
    masks = new long[parts];
    tails = new long[parts];
    for (int i = 0; i < parts; i++) {
      int start = partStarts[i];
      int length = partStarts[i + 1] - start;
      partLengths[i] = length;
      heads[i] = ByteWords.head(bytes, start, length);
      masks[i] = length < Long.BYTES ? (1L << length * Byte.SIZE) - 1 : -1;
      tails[i] = length < Long.BYTES ? 0 : ByteWords.get(bytes, start + length - Long.BYTES);
    }
  }

  /** Creates the shape of payloads that are single values. */
  static Shape whole(int number, Field field) {
    return new Shape(
        new byte[ByteWords.SLACK],
        new int[3],
        new byte[1],
        new int[] {number},
        new Field[] {field});
  }

  static Shape of(
      byte[] payload, int from, int to, ValueSpans spans, int[] numbers, Field[] fields) {
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
    return new Shape(bytes, partStarts, Arrays.copyOf(spans.kinds, count), numbers, fields);
  }

  /** Whether the payload differs only in its values, each a whole string, scalar or compound. */
  boolean match(byte[] payload, int from, int to) {
    if (!isPart(0, payload, from, to)) {
      return false;
    }
    int start = from + partLengths[0];
    for (int i = 0; i < fields.length; i++) {
      int end = ValueSpans.valueEnd(kinds[i], payload, start, to);
      if (end < 0 || !isPart(i + 1, payload, end, to)) {
        return undo(i);
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
            && (length <= 2 * Long.BYTES
                || ByteWords.equal(bytes, partStarts[part], payload, at, length));
  }

  private boolean undo(int values) {
    for (int i = 0; i < values; i++) {
      fields[i].removeLast();
    }
    return false;
  }

  void describe(PageOutput description) {
    description.putVarint(numbers.length);
    for (int i = 0; i <= numbers.length; i++) {
      description.putVarint(partLengths[i]);
      description.putBytes(bytes, partStarts[i], partLengths[i]);
      if (i < numbers.length) {
        description.putVarint(numbers[i]);
      }
    }
  }

  /** Adds the words of the parts. */
  void addTo(ValueFilterWriter filter) {
    for (int i = 0; i < partLengths.length; i++) {
      filter.addPart(bytes, partStarts[i], partStarts[i] + partLengths[i]);
    }
  }

  int count(int field) {
    int count = 0;
    for (int number : numbers) {
      count += number == field ? 1 : 0;
    }
    return count;
  }
}
