package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;
import hourglass.store.embedded.codec.Values.ConstantValues;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Reads payloads that were split into fields. Not thread-safe. */
final class ColumnsReader {
  private final CompressedBytes frames;
  private final Numbers numbers;

  ColumnsReader(CompressedBytes frames, Numbers numbers) {
    this.frames = frames;
    this.numbers = numbers;
  }

  /**
   * {@code offsets} get each payload's start and the end of the last.
   *
   * @return the payloads if wanted, else no bytes
   */
  byte[] read(PageInput in, int payloadBytes, long[] ticks, int[] offsets, boolean payloads) {
    // Parts and entries are pieces of payloads, with a few bytes of numbers each.
    byte[] bytes =
        frames.readUpTo(in, "description", 2 * payloadBytes + (1 << 16), ByteWords.SLACK);
    PageInput description = new PageInput(bytes, 0, bytes.length - ByteWords.SLACK);
    Template[] shapes = new Template[description.getCountFrom1("shapes", ColumnsLayout.SHAPES_MAX)];
    int fieldsMax = Math.min(ColumnsLayout.FIELDS_MAX, description.remaining());
    Values[] fields = new Values[description.getCountFrom1("fields", fieldsMax)];
    for (int i = 0; i < shapes.length; i++) {
      shapes[i] = new Template(description, fields.length);
    }
    for (int i = 0; i < fields.length; i++) {
      fields[i] = Values.describe(description);
    }
    description.finish();
    byte[] shapeOf = Indexes.read(frames, in, "shapes of columns", ticks.length, shapes.length);
    Values.Source source = new Values.Source(in, payloadBytes, payloads, frames, numbers);
    int[] counts = counts(shapes, shapeOf, fields.length, payloadBytes);
    for (int i = 0; i < fields.length; i++) {
      int field = i;
      fields[i].load(
          source, counts[i], () -> ticksOf(shapes, shapeOf, ticks, field, counts[field]));
    }
    in.finish();
    int bytesMax = payloadBytes;
    for (Template shape : shapes) {
      bytesMax -= shape.takeConstants(fields, bytesMax);
    }
    if (payloads) {
      return assemble(shapes, shapeOf, fields, payloadBytes, offsets);
    }
    measure(shapes, shapeOf, fields, payloadBytes, offsets);
    return new byte[0];
  }

  private static int[] counts(Template[] shapes, byte[] shapeOf, int fields, int payloadBytes) {
    int[] columnsOf = new int[shapes.length];
    for (byte shape : shapeOf) {
      columnsOf[shape]++;
    }
    int[] counts = new int[fields];
    long total = 0;
    for (int s = 0; s < shapes.length; s++) {
      total += (long) columnsOf[s] * shapes[s].fields.length;
      if (total > shapeOf.length + (long) payloadBytes / ColumnsLayout.PART_BYTES_MIN) {
        throw new CorruptException("page: more values than the payloads have room for");
      }
      for (int field : shapes[s].fields) {
        counts[field] += columnsOf[s];
      }
    }
    return counts;
  }

  private static long[] ticksOf(
      Template[] shapes, byte[] shapeOf, long[] ticks, int field, int count) {
    int[] times = new int[shapes.length];
    boolean everyOnce = true;
    for (int s = 0; s < shapes.length; s++) {
      for (int each : shapes[s].fields) {
        times[s] += each == field ? 1 : 0;
      }
      everyOnce &= times[s] == 1;
    }
    if (everyOnce) {
      return ticks;
    }
    long[] ticksOf = new long[count];
    int next = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      for (int n = times[shapeOf[i]]; n > 0; n--) {
        ticksOf[next++] = ticks[i];
      }
    }
    return ticksOf;
  }

  private static byte[] assemble(
      Template[] shapes, byte[] shapeOf, Values[] fields, int end, int[] offsets) {
    byte[] out = new byte[end + ByteWords.SLACK];
    int at = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      at = shapes[shapeOf[i]].write(fields, out, at, end);
      offsets[i + 1] = at;
    }
    checkEnd(at, end);
    return out;
  }

  private static void measure(
      Template[] shapes, byte[] shapeOf, Values[] fields, int payloadBytes, int[] offsets) {
    long end = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      Template shape = shapes[shapeOf[i]];
      end += shape.starts[shape.fields.length + 1];
      for (int field : shape.fields) {
        end += fields[field].length();
      }
      if (end > payloadBytes) {
        break;
      }
      offsets[i + 1] = (int) end;
    }
    checkEnd(end, payloadBytes);
  }

  private static void checkEnd(long end, int payloadBytes) {
    if (end != payloadBytes) {
      throw new CorruptException("page: payloads of " + end + " bytes, not " + payloadBytes);
    }
  }

  /** Constants join the parts between values once fields are known. */
  private static final class Template {
    private byte[] bytes;

    /** After {@link #takeConstants} also the end of the last part. */
    private int[] starts;

    private final int[] lengths;

    private int[] fields;

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
        joined.write(bytes, starts[i], lengths[i]);
        if (i < fields.length && values[fields[i]] instanceof ConstantValues constant) {
          joined.write(bytes, constant.start, constant.length);
        } else if (i < fields.length) {
          fields[parts++] = fields[i];
          partStarts[parts] = joined.size();
        }
        if (joined.size() > bytesMax) {
          throw new CorruptException("page: a shape of more than " + bytesMax + " bytes");
        }
      }
      partStarts[parts + 1] = joined.size();
      bytes = Arrays.copyOf(joined.toByteArray(), joined.size() + ByteWords.SLACK);
      starts = partStarts;
      fields = Arrays.copyOf(fields, parts);
      return joined.size();
    }

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
}
