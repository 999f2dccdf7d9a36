package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.PageInput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a page, and the shapes that join their values to payloads. Values are loaded one
 * field after the other, in the order of the page. Not thread-safe.
 */
final class PageFields {
  /** The number of values, read together, that cost as much as one value read by itself. */
  private static final int FEW = 8;

  private final ValuesSource source;
  private final Supplier<long[]> ticks;
  private final Template[] shapes;
  private final byte[] shapeOf;
  private final Values[] fields;

  /** The count of values of each field. */
  private final int[] counts;

  /** The fields that every shape has once, when they are known. */
  private @Nullable BitSet onceInEach;

  private PageFields(
      ValuesSource source,
      Supplier<long[]> ticks,
      Template[] shapes,
      byte[] shapeOf,
      Values[] fields,
      int[] counts) {
    this.source = source;
    this.ticks = ticks;
    this.shapes = shapes;
    this.shapeOf = shapeOf;
    this.fields = fields;
    this.counts = counts;
  }

  /** Reads shapes and fields. The values of the first field follow in the source. */
  static PageFields read(ValuesSource source, int columns, Supplier<long[]> ticks) {
    PageInput in = source.in();
    CompressedBytes frames = source.frames();
    // Parts and entries, including those apart, are pieces of payloads, with a few bytes of
    // numbers.
    int bytesMax = 2 * source.payloadBytes() + (1 << 16);
    byte[] bytes = frames.readUpTo(in, "description", bytesMax, ByteWords.SLACK);
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
    int entriesMax = bytesMax - description.position();
    for (Values field : fields) {
      entriesMax -= field.passEntries(in, frames, entriesMax);
    }
    byte[] shapeOf = Indexes.read(frames, in, "shapes of columns", columns, shapes.length);
    int[] counts = counts(shapes, shapeOf, fields.length, source.payloadBytes());
    int constantsMax = source.payloadBytes();
    for (Template shape : shapes) {
      constantsMax -= shape.takeConstants(fields, constantsMax);
    }
    return new PageFields(source, ticks, shapes, shapeOf, fields, counts);
  }

  private static int[] counts(Template[] shapes, byte[] shapeOf, int fields, int payloadBytes) {
    int[] columnsOf = columnsOf(shapes, shapeOf);
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

  private static int[] columnsOf(Template[] shapes, byte[] shapeOf) {
    int[] columnsOf = new int[shapes.length];
    if (shapes.length == 1) {
      columnsOf[0] = shapeOf.length;
      return columnsOf;
    }
    for (byte shape : shapeOf) {
      columnsOf[shape]++;
    }
    return columnsOf;
  }

  int payloadBytes() {
    return source.payloadBytes();
  }

  Template[] shapes() {
    return shapes;
  }

  /** The shape of each column. */
  byte[] shapeOf() {
    return shapeOf;
  }

  /** The number of columns of each shape. */
  int[] columnsOf() {
    return columnsOf(shapes, shapeOf);
  }

  Values[] fields() {
    return fields;
  }

  /** The count of values of each field. */
  int[] counts() {
    return counts;
  }

  void load(int field) {
    fields[field].load(source, counts[field], () -> ticksOf(field));
  }

  /** Loads the values of some columns alone. */
  void load(int field, int[] kept) {
    boolean areFew = kept.length < shapeOf.length / FEW;
    ValuesSource some = areFew && isOnceInEach(field) ? source.forValues(kept) : source;
    fields[field].load(some, counts[field], () -> ticksOf(field));
  }

  /** Whether every shape has the field once, so that values have the numbers of columns. */
  private boolean isOnceInEach(int field) {
    if (onceInEach == null) {
      onceInEach = onceInEach();
    }
    return onceInEach.get(field);
  }

  private BitSet onceInEach() {
    BitSet inAll = new BitSet();
    inAll.set(0, fields.length);
    for (Template shape : shapes) {
      BitSet once = new BitSet();
      BitSet more = new BitSet();
      for (int field : shape.fields) {
        (once.get(field) ? more : once).set(field);
      }
      once.andNot(more);
      inAll.and(once);
    }
    return inAll;
  }

  void pass(int field) {
    fields[field].pass(source, counts[field]);
  }

  private long[] ticksOf(int field) {
    if (isOnceInEach(field)) {
      return ticks.get();
    }
    int[] times = new int[shapes.length];
    for (int s = 0; s < shapes.length; s++) {
      for (int each : shapes[s].fields) {
        times[s] += each == field ? 1 : 0;
      }
    }
    long[] all = ticks.get();
    long[] ticksOf = new long[counts[field]];
    int next = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      for (int n = times[shapeOf[i]]; n > 0; n--) {
        ticksOf[next++] = all[i];
      }
    }
    return ticksOf;
  }

  /** Joins the values to all payloads; see {@link ColumnsReader#read}. */
  byte[] assemble(int[] offsets) {
    int payloadBytes = source.payloadBytes();
    byte[] out = new byte[payloadBytes + ByteWords.SLACK];
    int at = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      at = shapes[shapeOf[i]].write(fields, out, at, payloadBytes);
      offsets[i + 1] = at;
    }
    checkEnd(at);
    return out;
  }

  /** Finds the offsets of payloads, without their bytes. */
  void measure(int[] offsets) {
    long end = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      Template shape = shapes[shapeOf[i]];
      end += shape.starts[shape.fields.length + 1];
      for (int field : shape.fields) {
        end += fields[field].length();
      }
      if (end > source.payloadBytes()) {
        break;
      }
      offsets[i + 1] = (int) end;
    }
    checkEnd(end);
  }

  private void checkEnd(long end) {
    if (end != source.payloadBytes()) {
      throw new CorruptException(
          "page: payloads of " + end + " bytes, not " + source.payloadBytes());
    }
  }

  /**
   * Joins the values to the payloads of some columns.
   *
   * @param kept the columns, ascending
   * @param out has room for all payloads of the page, and {@link ByteWords#SLACK}
   */
  byte[] assemble(int[] kept, int[] offsets, byte[] out) {
    int payloadBytes = source.payloadBytes();
    int[] passed = new int[shapes.length];
    int at = 0;
    int column = 0;
    for (int i = 0; i < kept.length; i++) {
      for (; column < kept[i]; column++) {
        passed[shapeOf[column]]++;
      }
      skip(passed);
      at = shapes[shapeOf[column++]].write(fields, out, at, payloadBytes);
      offsets[i + 1] = at;
    }
    return Arrays.copyOf(out, at);
  }

  /** Skips the values of columns, counted by shape. */
  private void skip(int[] columnsOf) {
    for (int s = 0; s < columnsOf.length; s++) {
      if (columnsOf[s] > 0) {
        for (int field : shapes[s].fields) {
          fields[field].skip(columnsOf[s]);
        }
        columnsOf[s] = 0;
      }
    }
  }
}
