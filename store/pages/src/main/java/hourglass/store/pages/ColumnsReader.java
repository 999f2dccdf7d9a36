package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads payloads that were split into fields. Not thread-safe. */
final class ColumnsReader {
  /** The number of values, read together, that cost as much as one value read by itself. */
  private static final int FEW = 8;

  private final CompressedBytes frames;
  private final NumberRuns numbers;
  private final Buffers buffers = new Buffers();

  ColumnsReader(CompressedBytes frames, NumberRuns numbers) {
    this.frames = frames;
    this.numbers = numbers;
  }

  /**
   * Reads all payloads. Writes each payload's start, and the end of the last, to {@code offsets}.
   *
   * @return the payloads if they are requested, else no bytes
   */
  byte[] read(PageInput in, int payloadBytes, long[] ticks, int[] offsets, boolean payloads) {
    Split split = new Split(in, payloadBytes, ticks.length, () -> ticks, payloads);
    for (int i = 0; i < split.fields.length; i++) {
      split.load(i);
    }
    in.finish();
    if (payloads) {
      return split.assemble(offsets);
    }
    split.measure(offsets);
    return new byte[0];
  }

  /**
   * Reads the columns that may match. Of other columns, only the fields of the filter are unpacked.
   */
  Columns read(PageInput in, PageHeader header, LazyNames names, FieldFilter filter) {
    Split split = new Split(in, header.payloadBytes(), header.count(), names::ticks, true);
    ColumnMatcher matcher =
        new ColumnMatcher(split.shapes, split.fields, filter, header.payloadBytes(), buffers);
    TextMatcher text = TextMatcher.of(filter.texts(), split.shapes, split.fields);
    int[] starts = new int[split.fields.length];
    boolean[] loaded = new boolean[starts.length];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = in.position();
      loaded[i] = matcher.reads(i) || text != null && text.reads(i);
      if (loaded[i]) {
        split.load(i);
      } else {
        split.pass(i);
      }
    }
    in.finish();
    if (text != null && !split.mayHave(text)) {
      return Columns.EMPTY;
    }
    int[] kept = split.matching(matcher, text);
    if (kept.length == 0) {
      return Columns.EMPTY;
    }
    for (int i = 0; i < starts.length; i++) {
      if (loaded[i]) {
        split.fields[i].rewind();
      } else {
        in.rewind(starts[i]);
        split.load(i, kept);
      }
    }
    int[] offsets = new int[kept.length + 1];
    byte[] bytes = split.assemble(kept, offsets);
    return names.of(kept, offsets, bytes);
  }

  /** Adds the values of fields. If whole payloads are needed, it adds nothing and returns false. */
  boolean read(
      PageInput in, PageHeader header, LazyNames names, FieldQuery query, FieldValues into) {
    Split split = new Split(in, header.payloadBytes(), header.count(), names::ticks, true);
    FieldReader reader =
        new FieldReader(
            split.shapes,
            columnsOf(split.shapes, split.shapeOf),
            split.fields,
            query.fields(),
            header.payloadBytes(),
            buffers);
    if (!reader.isApart()) {
      return false;
    }
    FieldFilter filter = query.filter();
    ColumnMatcher matcher =
        filter == null
            ? null
            : new ColumnMatcher(split.shapes, split.fields, filter, header.payloadBytes(), buffers);
    for (int i = 0; i < split.fields.length; i++) {
      if (reader.reads(i) || matcher != null && matcher.reads(i)) {
        split.load(i);
      } else {
        split.pass(i);
      }
    }
    in.finish();
    int[] kept = matcher == null ? split.all() : split.matching(matcher, null);
    if (matcher != null && !matcher.allSure()) {
      return false;
    }
    for (int i = 0; i < split.fields.length && matcher != null; i++) {
      if (matcher.reads(i)) {
        split.fields[i].rewind();
      }
    }
    kept = within(query.range(), kept, header, names);
    CountQuery part = query.part();
    if (kept.length > 0) {
      boolean oneStep =
          query.range().contains(header.first())
              && part.step(header.first().ticks()) == part.step(header.last().ticks());
      long[] ticks = oneStep ? new long[0] : ticks(kept, header, names, part);
      reader.read(split.shapeOf, kept, ticks, header.first().ticks(), part, into);
    }
    return true;
  }

  /** Returns the ticks of columns as exactly as the steps of a query need them. */
  private static long[] ticks(int[] kept, PageHeader header, LazyNames names, CountQuery part) {
    long[] minutes = part.hasWholeMinutes() ? header.minutesOf(kept) : null;
    return minutes == null ? names.ticks(kept) : minutes;
  }

  private static int[] within(ColumnRange range, int[] columns, PageHeader page, LazyNames names) {
    if (columns.length == 0 || range.contains(page.first()) && range.contains(page.last())) {
      return columns;
    }
    int from = names.countBefore(range.from(), columns);
    return Arrays.copyOfRange(
        columns, from, Math.max(from, names.countBefore(range.to(), columns)));
  }

  /** The buffers that are kept from page to page. */
  static final class Buffers {
    /** The largest buffer that is kept: more than a usual page needs. */
    private static final int KEPT_BYTES_MAX = 4 << 20;

    /** The most slots that are kept: as many as a usual page needs if all values differ. */
    private static final int KEPT_SLOTS_MAX = 4_096;

    private KeyCounts counts = new KeyCounts();
    private byte[] values = new byte[0];
    private byte[] fields = new byte[0];
    private byte[] payloads = new byte[0];

    /** Returns empty counts. */
    KeyCounts counts() {
      if (counts.capacity() > KEPT_SLOTS_MAX) {
        counts = new KeyCounts();
      }
      counts.clear();
      return counts;
    }

    /** Returns room for the values that a filter judges. */
    byte[] values(int bytes) {
      byte[] room = CompressedBytes.room(values, bytes);
      values = kept(room);
      return room;
    }

    /** Returns room for the values of requested fields. */
    byte[] fields(int bytes) {
      byte[] room = CompressedBytes.room(fields, bytes);
      fields = kept(room);
      return room;
    }

    /** Returns room for the payloads of a page. */
    byte[] payloads(int bytes) {
      byte[] room = CompressedBytes.room(payloads, bytes);
      payloads = kept(room);
      return room;
    }

    private static byte[] kept(byte[] room) {
      return room.length <= KEPT_BYTES_MAX ? room : new byte[0];
    }
  }

  /** The shapes and fields of a page; the fields' values are loaded one after the other. */
  private final class Split {
    private final int payloadBytes;
    private final Supplier<long[]> ticks;
    private final Template[] shapes;
    private final byte[] shapeOf;
    private final Values[] fields;
    private final int[] counts;
    private final Values.Source source;
    private @Nullable BitSet onceInEach;

    Split(PageInput in, int payloadBytes, int columns, Supplier<long[]> ticks, boolean payloads) {
      this.payloadBytes = payloadBytes;
      this.ticks = ticks;
      // Parts and entries, including those apart, are pieces of payloads, with a few bytes of
      // numbers.
      int bytesMax = 2 * payloadBytes + (1 << 16);
      byte[] bytes = frames.readUpTo(in, "description", bytesMax, ByteWords.SLACK);
      PageInput description = new PageInput(bytes, 0, bytes.length - ByteWords.SLACK);
      shapes = new Template[description.getCountFrom1("shapes", ColumnsLayout.SHAPES_MAX)];
      int fieldsMax = Math.min(ColumnsLayout.FIELDS_MAX, description.remaining());
      fields = new Values[description.getCountFrom1("fields", fieldsMax)];
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
      shapeOf = Indexes.read(frames, in, "shapes of columns", columns, shapes.length);
      source = new Values.Source(in, payloadBytes, payloads, frames, numbers);
      counts = counts(shapes, shapeOf, fields.length, payloadBytes);
      int constantsMax = payloadBytes;
      for (Template shape : shapes) {
        constantsMax -= shape.takeConstants(fields, constantsMax);
      }
    }

    void load(int field) {
      fields[field].load(source, counts[field], () -> ticksOf(field));
    }

    /** Loads the values of some columns alone. */
    void load(int field, int[] kept) {
      boolean areFew = kept.length < shapeOf.length / FEW;
      Values.Source some = areFew && isOnceInEach(field) ? source.of(kept) : source;
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

    byte[] assemble(int[] offsets) {
      byte[] out = new byte[payloadBytes + ByteWords.SLACK];
      int at = 0;
      for (int i = 0; i < shapeOf.length; i++) {
        at = shapes[shapeOf[i]].write(fields, out, at, payloadBytes);
        offsets[i + 1] = at;
      }
      checkEnd(at, payloadBytes);
      return out;
    }

    void measure(int[] offsets) {
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

    int[] all() {
      int[] all = new int[shapeOf.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      return all;
    }

    boolean mayHave(TextMatcher text) {
      byte[] room = buffers.payloads(payloadBytes + ByteWords.SLACK);
      return text.search(counts, room, payloadBytes);
    }

    /** Returns the columns that may match, ascending. */
    int[] matching(ColumnMatcher matcher, @Nullable TextMatcher text) {
      int[] kept = new int[shapeOf.length];
      if (shapes.length == 1 && text == null) {
        return Arrays.copyOf(kept, matcher.matching(shapeOf.length, kept));
      }
      int count = 0;
      for (int i = 0; i < shapeOf.length; i++) {
        byte shape = shapeOf[i];
        if (text == null || text.mayMatch(shape)) {
          kept[count] = i;
          count += matcher.mayMatch(shape) ? 1 : 0;
        } else {
          matcher.skip(shape);
        }
      }
      return Arrays.copyOf(kept, count);
    }

    byte[] assemble(int[] kept, int[] offsets) {
      byte[] out = buffers.payloads(payloadBytes + ByteWords.SLACK);
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

  private static void checkEnd(long end, int payloadBytes) {
    if (end != payloadBytes) {
      throw new CorruptException("page: payloads of " + end + " bytes, not " + payloadBytes);
    }
  }
}
