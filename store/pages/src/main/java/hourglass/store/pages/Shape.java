package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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

  // Each part's first eight bytes, with a mask if it is shorter, and its last eight. Most parts are
  // a key of up to sixteen bytes.
  private final long[] heads;
  private final long[] masks;
  private final long[] tails;
  private final int[] partLengths;

  private final @Nullable TextAndObject pair;

  /** The text of each part of the object. */
  private final byte[][] textParts;

  /** Of the values of the payload that is matched. */
  private final int[] ends;

  /**
   * A string that may be the {@link ObjectText} of an object behind it.
   *
   * @param value the string
   * @param isText whether it is that text, in each payload of the shape or in none
   * @param first the part that the object begins in, {@code skipped} bytes from its start
   * @param last the part that the object ends in, {@code kept} bytes from its start
   */
  private record TextAndObject(
      int value, boolean isText, int first, int skipped, int last, int kept) {}

  private Shape(
      byte[] bytes,
      int[] partStarts,
      byte[] kinds,
      int[] numbers,
      Field[] fields,
      @Nullable TextAndObject pair) {
    this.bytes = bytes;
    this.pair = pair;
    this.textParts = pair == null ? new byte[0][] : textParts(pair, bytes, partStarts);
    this.ends = new int[fields.length];
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

  /** A payload that is a single value. */
  static Shape whole(int number, Field field) {
    return new Shape(
        new byte[ByteWords.SLACK],
        new int[3],
        new byte[1],
        new int[] {number},
        new Field[] {field},
        null);
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
    byte[] kinds = Arrays.copyOf(spans.kinds, count);
    TextAndObject pair = pair(spans);
    if (pair != null && pair.isText) {
      int start = partStarts[pair.first] + pair.skipped;
      int end = partStarts[pair.last] + pair.kept;
      fields[pair.value].setObjectText(new ObjectText(start, end));
    }
    return new Shape(bytes, partStarts, kinds, numbers, fields, pair);
  }

  private static byte[][] textParts(TextAndObject pair, byte[] bytes, int[] partStarts) {
    byte[][] parts = new byte[pair.last - pair.first + 1][];
    for (int i = pair.first; i <= pair.last; i++) {
      int from = partStarts[i] + (i == pair.first ? pair.skipped : 0);
      int to = i == pair.last ? partStarts[i] + pair.kept : partStarts[i + 1];
      int lengthMax = 2 * (to - from);
      byte[] text = new byte[lengthMax + ByteWords.SLACK];
      parts[i - pair.first] =
          Arrays.copyOf(text, ObjectText.write(bytes, from, to, text, 0, lengthMax));
    }
    return parts;
  }

  private static @Nullable TextAndObject pair(ValueSpans spans) {
    int value = spans.textValue;
    if (value < 0) {
      return null;
    }
    int first = spans.valuesBefore(spans.objectStart);
    int last = spans.valuesBefore(spans.objectEnd);
    return new TextAndObject(
        value,
        spans.isObjectText,
        first,
        spans.objectStart - spans.ends[first - 1],
        last,
        spans.objectEnd - spans.ends[last - 1]);
  }

  /** Whether the payload differs only in its values, each a whole string, scalar or compound. */
  boolean match(byte[] payload, int from, int to) {
    if (!isPart(0, payload, from, to)) {
      return false;
    }
    int start = from + partLengths[0];
    for (int i = 0; i < fields.length; i++) {
      int end = JsonTokens.valueEnd(kinds[i], payload, start, to);
      if (end < 0 || !isPart(i + 1, payload, end, to)) {
        return undo(i);
      }
      fields[i].add(start, end);
      ends[i] = end;
      start = end + partLengths[i + 1];
    }
    boolean matches = start == to && (pair == null || isAlike(pair, payload, from));
    return matches || undo(fields.length);
  }

  /** Whether the string is the text of the object, or is not, as in the first payload. */
  private boolean isAlike(TextAndObject those, byte[] payload, int from) {
    int value = those.value;
    int textFrom = (value == 0 ? from : ends[value - 1]) + partLengths[value];
    int objectFrom = ends[those.first - 1] + those.skipped;
    int objectTo = ends[those.last - 1] + those.kept;
    int textTo = ends[value];
    if (!those.isText) {
      return !ObjectText.isTextOf(payload, textFrom, textTo, objectFrom, objectTo);
    }
    if (!isText(those, payload, textFrom, textTo)) {
      return false;
    }
    fields[value].removeLast();
    fields[value].add(textFrom + objectTo - objectFrom, textTo);
    return true;
  }

  /** Whether a string is the text of the object. Most of it is the text of parts. */
  private boolean isText(TextAndObject those, byte[] payload, int from, int to) {
    int at = from;
    for (int i = those.first; at >= 0; i++) {
      byte[] part = textParts[i - those.first];
      if (part.length > to - at || !ByteWords.equal(part, 0, payload, at, part.length)) {
        return false;
      }
      at += part.length;
      if (i == those.last) {
        return at == to;
      }
      at = endOfValue(payload, at, to, ends[i - 1] + partLengths[i], ends[i]);
    }
    return false;
  }

  /** The end of a value's text; -1 if the string has another one. */
  private static int endOfValue(byte[] payload, int at, int to, int valueFrom, int valueTo) {
    int length = valueTo - valueFrom;
    boolean isPlain = ByteWords.quoteOrBackslash(payload, valueFrom, valueTo) >= valueTo;
    return isPlain && length <= to - at && ByteWords.equal(payload, valueFrom, payload, at, length)
        ? at + length // without waiting for the comparison
        : ObjectText.endOf(payload, at, to, valueFrom, valueTo);
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

  int count(int field) {
    int count = 0;
    for (int number : numbers) {
      count += number == field ? 1 : 0;
    }
    return count;
  }
}
