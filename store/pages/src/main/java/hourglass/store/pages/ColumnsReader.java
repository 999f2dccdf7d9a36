package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads payloads that were split into fields. Not thread-safe. */
final class ColumnsReader {
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
    PageFields page =
        PageFields.read(source(in, payloadBytes, payloads), ticks.length, () -> ticks);
    for (int i = 0; i < page.fields().length; i++) {
      page.load(i);
    }
    in.finish();
    if (payloads) {
      return page.assemble(offsets);
    }
    page.measure(offsets);
    return new byte[0];
  }

  /** Returns room for all payloads of a page. */
  private byte[] room(PageFields page) {
    return buffers.payloads(page.payloadBytes() + ByteWords.SLACK);
  }

  private ValuesSource source(PageInput in, int payloadBytes, boolean payloads) {
    return new ValuesSource(in, payloadBytes, payloads, frames, numbers);
  }

  /**
   * Reads the columns that may match. Of other columns, only the fields of the filter are unpacked.
   */
  Columns read(PageInput in, PageHeader header, LazyNames names, FieldFilter filter) {
    ValuesSource source = source(in, header.payloadBytes(), true);
    PageFields page = PageFields.read(source, header.count(), names::ticks);
    ColumnMatcher matcher = new ColumnMatcher(page, filter, buffers);
    TextMatcher text = TextMatcher.of(filter.texts(), page.shapes(), page.fields());
    int[] starts = new int[page.fields().length];
    boolean[] loaded = new boolean[starts.length];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = in.position();
      loaded[i] = matcher.reads(i) || text != null && text.reads(i);
      if (loaded[i]) {
        page.load(i);
      } else {
        page.pass(i);
      }
    }
    in.finish();
    if (text != null && !text.search(page.counts(), room(page), page.payloadBytes())) {
      return Columns.EMPTY;
    }
    int[] kept = matching(page, matcher, text);
    if (kept.length == 0) {
      return Columns.EMPTY;
    }
    for (int i = 0; i < starts.length; i++) {
      if (loaded[i]) {
        page.fields()[i].rewind();
      } else {
        in.rewind(starts[i]);
        page.load(i, kept);
      }
    }
    int[] offsets = new int[kept.length + 1];
    byte[] bytes = page.assemble(kept, offsets, room(page));
    return names.of(kept, offsets, bytes);
  }

  /** Returns the columns that may match, ascending. */
  private static int[] matching(
      PageFields page, ColumnMatcher matcher, @Nullable TextMatcher text) {
    byte[] shapeOf = page.shapeOf();
    int[] kept = new int[shapeOf.length];
    if (page.shapes().length == 1 && text == null) {
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

  /** Adds the values of fields. If whole payloads are needed, it adds nothing and returns false. */
  boolean read(
      PageInput in, PageHeader header, LazyNames names, FieldQuery query, FieldValues into) {
    ValuesSource source = source(in, header.payloadBytes(), true);
    PageFields page = PageFields.read(source, header.count(), names::ticks);
    FieldReader reader = new FieldReader(page, query.fields(), buffers);
    if (!reader.isApart()) {
      return false;
    }
    FieldFilter filter = query.filter();
    ColumnMatcher matcher = filter == null ? null : new ColumnMatcher(page, filter, buffers);
    for (int i = 0; i < page.fields().length; i++) {
      if (reader.reads(i) || matcher != null && matcher.reads(i)) {
        page.load(i);
      } else {
        page.pass(i);
      }
    }
    in.finish();
    int[] kept = matcher == null ? all(header.count()) : matching(page, matcher, null);
    if (matcher != null && !matcher.allSure()) {
      return false;
    }
    for (int i = 0; i < page.fields().length && matcher != null; i++) {
      if (matcher.reads(i)) {
        page.fields()[i].rewind();
      }
    }
    kept = within(query.range(), kept, header, names);
    if (kept.length > 0) {
      CountQuery part = query.part();
      long[] ticks = ticks(query, kept, header, names);
      reader.read(page.shapeOf(), kept, ticks, header.first().ticks(), part, into);
    }
    return true;
  }

  private static int[] all(int columns) {
    int[] all = new int[columns];
    for (int i = 0; i < columns; i++) {
      all[i] = i;
    }
    return all;
  }

  /**
   * Returns the ticks of columns as exactly as the steps of a query need them; none if all columns
   * of the page are in one step.
   */
  private static long[] ticks(FieldQuery query, int[] kept, PageHeader header, LazyNames names) {
    CountQuery part = query.part();
    boolean oneStep =
        query.range().contains(header.first())
            && part.step(header.first().ticks()) == part.step(header.last().ticks());
    if (oneStep) {
      return new long[0];
    }
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
}
