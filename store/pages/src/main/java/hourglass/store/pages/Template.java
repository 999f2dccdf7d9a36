package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.PageInput;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * A shape for reading: parts of payloads with a value between two of them. Constants join the parts
 * once fields are known.
 */
final class Template {
  byte[] bytes;

  /** The starts of the parts. After {@link #takeConstants}, the end of the last part follows. */
  int[] starts;

  private final int[] lengths;

  int[] fields;

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
    for (int i = 0; i <= fields.length; i++) {
      add(joined, starts[i], lengths[i], bytesMax);
      if (i < fields.length && values[fields[i]] instanceof Values.ConstantValues constant) {
        add(joined, constant.start, constant.length, bytesMax);
      } else if (i < fields.length) {
        fields[parts++] = fields[i];
        partStarts[parts] = joined.size();
      }
    }
    partStarts[parts + 1] = joined.size();
    bytes = Arrays.copyOf(joined.toByteArray(), joined.size() + ByteWords.SLACK);
    starts = partStarts;
    fields = Arrays.copyOf(fields, parts);
    return joined.size();
  }

  /**
   * Adds bytes. It checks the length first, since a page that was tampered with must not use up
   * memory.
   */
  private void add(ByteArrayOutputStream joined, int from, int length, int bytesMax) {
    if (length > bytesMax - joined.size()) {
      throw new CorruptException("page: a shape of more than " + bytesMax + " bytes");
    }
    joined.write(bytes, from, length);
  }

  /** Whether a field is at one place only. If not, its next value may be of another place. */
  boolean hasOnce(int field) {
    return Arrays.stream(fields).filter(other -> other == field).count() == 1;
  }

  /** Whether a part contains the text. */
  boolean has(ByteSearch text) {
    for (int i = 0; i <= fields.length; i++) {
      if (text.find(bytes, starts[i], starts[i + 1]) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the text may be partly in a part and partly in a value next to it. */
  boolean mayCross(ByteSearch text) {
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
   * @param starts the start of each value
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

  /** Writes the next payload, in the way of {@link Values#write}. */
  int write(Values[] values, byte[] out, int start, int end) {
    int at = start;
    int count = fields.length;
    for (int i = 0; i < count; i++) {
      at = Values.copy(bytes, starts[i], starts[i + 1] - starts[i], out, at, end);
      at = values[fields[i]].write(out, at, end);
    }
    return Values.copy(bytes, starts[count], starts[count + 1] - starts[count], out, at, end);
  }
}
