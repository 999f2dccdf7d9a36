package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.Values.ConstantValues;
import hourglass.store.pages.Values.ObjectTextValues;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * A shape as it is read: parts of payloads with a value between two of them. Constants join the
 * parts once fields are known.
 */
final class Template {
  private static final ByteSearch BACKSLASH = new ByteSearch(new byte[] {'\\'}, false);

  byte[] bytes;

  /** After {@link #takeConstants} also the end of the last part. */
  int[] starts;

  private final int[] lengths;

  int[] fields;

  /** The place of {@link ObjectTextValues} among the values; negative if there are none. */
  private int textValue = -1;

  // Of the object with that text: where it begins and ends, and the values within.
  private int objectFrom = -1;
  private int objectTo = -1;
  private int objectFirst;
  private int objectLast;

  /** All that is behind such a text, while that is written. */
  private byte[] rest = new byte[0];

  Template(PageInput description, int fieldCount) {
    int values = description.getCount("values of a shape", ValueSpans.VALUES_MAX);
    bytes = description.array();
    starts = new int[values + 2];
    lengths = new int[values + 1];
    fields = new int[values];
    for (int i = 0; i <= values; i++) {
      lengths[i] = description.getCount("part of a shape", description.remaining());
      starts[i] = description.skip(lengths[i]);
      if (i < values) {
        if (values > 1 && lengths[i] < ColumnsLayout.PART_BYTES_MIN) {
          throw new CorruptException("page: a shape without a key");
        }
        fields[i] = description.getCount("field of a shape", fieldCount - 1);
      }
    }
  }

  int takeConstants(Values[] values, int bytesMax) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    int[] partStarts = new int[fields.length + 2];
    int parts = 0;
    int passed = 0;
    ObjectText text = null;
    for (int i = 0; i <= fields.length; i++) {
      if (text != null) {
        findObject(text, passed, lengths[i], joined.size(), parts);
      }
      passed += lengths[i];
      add(joined, starts[i], lengths[i], bytesMax);
      if (i == fields.length) {
        break;
      }
      if (values[fields[i]] instanceof ConstantValues constant) {
        add(joined, constant.start, constant.length, bytesMax);
        continue;
      }
      if (values[fields[i]] instanceof ObjectTextValues texts) {
        if (text != null) {
          throw new CorruptException("page: a shape with two texts of objects");
        }
        text = texts.text;
        textValue = parts;
      }
      fields[parts++] = fields[i];
      partStarts[parts] = joined.size();
    }
    if (text != null && (objectFrom < 0 || objectTo < objectFrom)) {
      throw new CorruptException("page: a text of an object that is not behind it");
    }
    partStarts[parts + 1] = joined.size();
    bytes = Arrays.copyOf(joined.toByteArray(), joined.size() + ByteWords.SLACK);
    starts = partStarts;
    fields = Arrays.copyOf(fields, parts);
    return joined.size();
  }

  /** Looks into the part after {@code passed} bytes of parts, which becomes that at {@code at}. */
  private void findObject(ObjectText text, int passed, int length, int at, int values) {
    if (text.from() >= passed && text.from() < passed + length) {
      objectFrom = at + text.from() - passed;
      objectFirst = values;
    }
    if (text.to() > passed && text.to() <= passed + length) {
      objectTo = at + text.to() - passed;
      objectLast = values;
    }
  }

  /** Checks first: a page that was tampered with must not take memory. */
  private void add(ByteArrayOutputStream joined, int from, int length, int bytesMax) {
    if (length > bytesMax - joined.size()) {
      throw new CorruptException("page: a shape of more than " + bytesMax + " bytes");
    }
    joined.write(bytes, from, length);
  }

  /** Whether a value, by its place, is the text of an object. */
  boolean isObjectText(int value) {
    return value == textValue;
  }

  /** Whether a field is at one place only. If not, its next value may be of another place. */
  boolean hasOnce(int field) {
    return Arrays.stream(fields).filter(other -> other == field).count() == 1;
  }

  /** Whether a part has the text. */
  boolean has(ByteSearch text) {
    for (int i = 0; i <= fields.length; i++) {
      if (text.find(bytes, starts[i], starts[i + 1]) >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the text may lie on a part and on a value beside it. Of the text of an object only
   * pieces without a backslash are in the object too.
   */
  boolean mayCross(ByteSearch text) {
    if (textValue >= 0 && BACKSLASH.find(text.text(), 0, text.length()) >= 0) {
      return true;
    }
    for (int i = 0; i <= fields.length; i++) {
      int from = starts[i];
      int to = starts[i + 1];
      for (int at = from - text.length() + 1; at < to; at++) {
        boolean isBefore = at < from;
        boolean isBehind = at + text.length() > to;
        if ((isBefore || isBehind)
            && (!isBefore || i > 0)
            && (!isBehind || i < fields.length)
            && text.agrees(bytes, at, from, to)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The most bytes of a sample. */
  int sampleBytes() {
    return starts[fields.length + 1] + fields.length;
  }

  /**
   * A payload of this shape without constants, in a buffer: strings are empty, other values 0.
   *
   * @param starts of each value
   * @param quoted whether each value is a string
   * @param hasCompounds whether a value may be an array or object instead
   * @param isWhole whether the value is the whole payload, which may be anything
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sample(
      int[] starts, boolean[] quoted, boolean hasCompounds, boolean isWhole, int from, int to) {}

  Sample sample(Values[] values, byte[] out, int from) {
    int count = fields.length;
    boolean[] quoted = new boolean[count];
    int[] valueStarts = new int[count];
    boolean hasCompounds = false;
    int at = from;
    for (int i = 0; i <= count; i++) {
      int length = starts[i + 1] - starts[i];
      System.arraycopy(bytes, starts[i], out, at, length);
      at += length;
      if (i < count) {
        valueStarts[i] = at;
        quoted[i] = at > from && out[at - 1] == '"';
        if (!quoted[i]) {
          out[at++] = '0';
          hasCompounds |= values[fields[i]].mayBeCompound();
        }
      }
    }
    boolean isWhole = count > 0 && starts[1] == starts[0];
    return new Sample(valueStarts, quoted, hasCompounds || isWhole, isWhole, from, at);
  }

  /** The length of the next payload of this shape; moves on to the one after it. */
  long length(Values[] values) {
    long length = starts[fields.length + 1];
    long ofObject = (long) objectTo - objectFrom;
    for (int i = 0; i < fields.length; i++) {
      long ofValue = values[fields[i]].length();
      length += ofValue;
      ofObject += i >= objectFirst && i < objectLast ? ofValue : 0;
    }
    return textValue < 0 ? length : length + ofObject;
  }

  /** Writes the next payload, as {@link Values#write} does. The text of an object comes last. */
  int write(Values[] values, byte[] out, int start, int end) {
    int count = fields.length;
    if (textValue < 0) {
      return write(values, 0, 0, count, starts[count + 1], out, start, end);
    }
    int behind = starts[textValue + 1];
    int textAt = write(values, 0, 0, textValue, behind, out, start, end);
    int object = write(values, textValue + 1, behind, objectFirst, objectFrom, out, textAt, end);
    int objectEnd = write(values, objectFirst, objectFrom, objectLast, objectTo, out, object, end);
    int at = write(values, objectLast, objectTo, count, starts[count + 1], out, objectEnd, end);
    int length = at - textAt;
    rest = CompressedBytes.room(rest, length + ByteWords.SLACK);
    System.arraycopy(out, textAt, rest, 0, length);
    int textEnd = ObjectText.write(rest, object - textAt, objectEnd - textAt, out, textAt, end);
    if (textEnd - textAt - (objectEnd - object) != values[fields[textValue]].length()) {
      throw new CorruptException("page: a text of an object that has another length");
    }
    return Values.copy(rest, 0, length, out, textEnd, end);
  }

  /** Writes parts from the byte {@code from} to {@code to}, and the values between them. */
  private int write(
      Values[] values, int first, int from, int last, int to, byte[] out, int start, int end) {
    int at = start;
    int part = from;
    for (int i = first; i < last; i++) {
      at = Values.copy(bytes, part, starts[i + 1] - part, out, at, end);
      at = values[fields[i]].write(out, at, end);
      part = starts[i + 1];
    }
    return Values.copy(bytes, part, to - part, out, at, end);
  }
}
