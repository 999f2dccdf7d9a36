package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;
import java.util.Arrays;

/** Reads payloads that were split into fields; see {@link ColumnsLayout}. Not thread-safe. */
final class ColumnsReader {
  private final CompressedBytes frames;
  private final Indexes indexes;
  private final NumbersReader numbers;

  ColumnsReader(CompressedBytes frames, NumbersReader numbers) {
    this.frames = frames;
    this.numbers = numbers;
    indexes = new Indexes(frames);
  }

  /** Reads all that follows the names. */
  ColumnsReading read(PageInput in, int payloadBytes, long[] ticks, boolean payloads) {
    PageInput description = description(in, payloadBytes);
    ShapeReader[] shapes =
        new ShapeReader[description.getCountFrom1("shapes", ColumnsLayout.SHAPES_MAX)];
    int fieldsMax = Math.min(ColumnsLayout.FIELDS_MAX, description.remaining());
    Values[] fields = new Values[description.getCountFrom1("fields", fieldsMax)];
    for (int i = 0; i < shapes.length; i++) {
      shapes[i] = new ShapeReader(description, fields.length);
    }
    for (int i = 0; i < fields.length; i++) {
      fields[i] = Values.describe(description);
    }
    description.finish();
    byte[] shapeOf = indexes.read(in, "shapes of columns", ticks.length, shapes.length);
    FieldData data =
        new FieldData(
            in,
            payloadBytes,
            indexes,
            numbers,
            frames,
            payloads,
            (field, count) -> ticksOf(shapes, shapeOf, ticks, field, count));
    int[] counts = counts(shapes, shapeOf, fields.length, payloadBytes);
    for (int i = 0; i < fields.length; i++) {
      data.load(i, fields[i], counts[i]);
    }
    in.finish();
    return new ColumnsReading(
        payloadBytes, toShapes(shapes, fields, payloadBytes), shapeOf, fields);
  }

  private PageInput description(PageInput in, int payloadBytes) {
    // Parts and entries are pieces of payloads; each has a few bytes of numbers beside it.
    int max = 2 * payloadBytes + (1 << 16);
    byte[] bytes = frames.readUpTo(in, "description", max, ByteWords.SLACK);
    return new PageInput(bytes, 0, bytes.length - ByteWords.SLACK);
  }

  /** The number of values of each field. */
  private static int[] counts(ShapeReader[] shapes, byte[] shapeOf, int fields, int payloadBytes) {
    int[] columnsOf = new int[shapes.length];
    for (byte shape : shapeOf) {
      columnsOf[shape]++;
    }
    int[] counts = new int[fields];
    long total = 0;
    for (int s = 0; s < shapes.length; s++) {
      total += (long) columnsOf[s] * shapes[s].values();
      if (total > shapeOf.length + (long) payloadBytes / ColumnsLayout.PART_BYTES_MIN) {
        throw new CorruptException("page: more values than the payloads have room for");
      }
      for (int v = 0; v < shapes[s].values(); v++) {
        counts[shapes[s].field(v)] += columnsOf[s];
      }
    }
    return counts;
  }

  private static long[] ticksOf(
      ShapeReader[] shapes, byte[] shapeOf, long[] ticks, int field, int count) {
    int[] times = new int[shapes.length];
    for (int s = 0; s < shapes.length; s++) {
      for (int v = 0; v < shapes[s].values(); v++) {
        times[s] += shapes[s].field(v) == field ? 1 : 0;
      }
    }
    if (Arrays.stream(times).allMatch(t -> t == 1)) {
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

  private static Shape[] toShapes(ShapeReader[] readers, Values[] fields, int payloadBytes) {
    Shape[] shapes = new Shape[readers.length];
    int bytesMax = payloadBytes;
    for (int i = 0; i < shapes.length; i++) {
      shapes[i] = readers[i].toShape(fields, bytesMax);
      bytesMax -= shapes[i].partStart(shapes[i].values() + 1);
    }
    return shapes;
  }
}
