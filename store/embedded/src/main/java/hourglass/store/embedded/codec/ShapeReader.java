package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;
import java.util.Arrays;

/**
 * A shape as its description has it: spans of the description, until the fields are known and
 * constants can be taken into the parts.
 */
final class ShapeReader {
  private final PageInput description;
  private final int[] starts;
  private final int[] lengths;
  private final int[] fields;

  ShapeReader(PageInput description, int fieldCount) {
    this.description = description;
    int values = description.getCount("values of a shape", ValueSpans.VALUES_MAX);
    starts = new int[values + 1];
    lengths = new int[values + 1];
    fields = new int[values];
    for (int i = 0; i < values; i++) {
      readPart(i);
      if (values > 1 && lengths[i] < ColumnsLayout.PART_BYTES_MIN) {
        throw new CorruptException("page: a shape without a key");
      }
      fields[i] = description.getCount("field of a shape", fieldCount - 1);
    }
    readPart(values);
  }

  private void readPart(int i) {
    lengths[i] = description.getCount("part of a shape", description.remaining());
    starts[i] = description.skip(lengths[i]);
  }

  int values() {
    return fields.length;
  }

  int field(int value) {
    return fields[value];
  }

  /** The shape with its constant values in its parts, of {@code bytesMax} bytes at the most. */
  Shape toShape(Values[] values, int bytesMax) {
    byte[] bytes = new byte[lengthWithConstants(values, bytesMax) + ByteWords.SLACK];
    int[] partStarts = new int[fields.length + 2];
    int[] variable = new int[fields.length];
    int size = 0;
    int parts = 0;
    for (int i = 0; i <= fields.length; i++) {
      System.arraycopy(description.array(), starts[i], bytes, size, lengths[i]);
      size += lengths[i];
      if (i == fields.length) {
        break;
      }
      if (values[fields[i]] instanceof ConstantValues constant) {
        int length = (int) constant.length();
        System.arraycopy(description.array(), constant.start(), bytes, size, length);
        size += length;
      } else {
        variable[parts++] = fields[i];
        partStarts[parts] = size;
      }
    }
    partStarts[parts + 1] = size;
    return new Shape(bytes, partStarts, new byte[0], Arrays.copyOf(variable, parts));
  }

  private int lengthWithConstants(Values[] values, int bytesMax) {
    long length = lengths[fields.length];
    for (int i = 0; i < fields.length; i++) {
      length += lengths[i];
      if (values[fields[i]] instanceof ConstantValues constant) {
        length += constant.length();
      }
    }
    if (length > bytesMax) {
      throw new CorruptException("page: a shape of " + length + " bytes");
    }
    return (int) length;
  }
}
