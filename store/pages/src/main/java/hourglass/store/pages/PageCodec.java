package hourglass.store.pages;

import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.pages.hashes.RequiredHashes;
import hourglass.store.pages.hashes.WordList;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;
import org.jspecify.annotations.Nullable;

/**
 * Encodes columns of one row as a page, and decodes pages; see docs/page-format.md. The body is as
 * in {@link ColumnsLayout}, or with whole payloads:
 *
 * <pre>
 *   +----------------------+-----------------------+---------------------------------+
 *   | names                | lengths of payloads   | payloads, one after the other   |
 *   | {@link ColumnNames}        | {@link NumberRuns}       | a frame, see {@link CompressedBytes}     |
 *   +----------------------+-----------------------+---------------------------------+
 * </pre>
 *
 * <p>Not thread-safe: keeps buffers and compression contexts, some outside of the heap until {@link
 * #close}.
 */
public final class PageCodec implements AutoCloseable {
  /** The level of zstd, measured on events of 170 B: level 3 saves too little for its time. */
  public static final int DEFAULT_LEVEL = 1;

  /**
   * The payload bytes of a usual page. It compresses well, and is quick to read for a few columns.
   * A paused reader keeps one uncompressed page of each row in memory.
   */
  public static final int PAGE_BYTES = 256 << 10;

  public static final int PAGE_COLUMNS = 8_192;

  /** The bytes of a page where they are stored, to read a few of them without a copy of all. */
  public interface PageBytes {
    int length();

    /** Reads bytes from {@code at} on; all of them are in the page. */
    void read(int at, byte[] to, int count);

    /** Returns the bytes of a page in memory. */
    static PageBytes of(byte[] page) {
      return new PageBytes() {
        @Override
        public int length() {
          return page.length;
        }

        @Override
        public void read(int at, byte[] to, int count) {
          System.arraycopy(page, at, to, 0, count);
        }
      };
    }
  }

  /** Accepts the hashes of the values in a page, for an index of several pages. */
  public interface ValueSink {
    /**
     * Accepts the hashes of all values, which are the first {@code count}, and the words of the
     * page; they are valid during the call.
     */
    void accept(long[] hashes, int count, WordList words);
  }

  private static final byte[] NO_BYTES = new byte[0];

  private final CompressedBytes frames;
  private final NumberRuns numbers;
  private final ColumnNames names;
  private final ColumnsWriter columnsWriter;
  private final ColumnsReader columnsReader;
  private final PageOutput out = new PageOutput();
  private final ValueFilter valueFilter = new ValueFilter();
  private final byte[] layout = new byte[1];

  /** The hashes that the last filter requires. */
  private @Nullable RequiredHashes required;

  private long[] lengths = new long[0];

  public PageCodec() {
    this(DEFAULT_LEVEL, true);
  }

  /** Creates a codec for pages that are soon rewritten: they have no filter of values. */
  public static PageCodec withoutFilters() {
    return new PageCodec(DEFAULT_LEVEL, false);
  }

  /**
   * Creates a codec. It reads any page.
   *
   * @param level the level of zstd, 1 to 19
   * @param filtered whether pages get a filter of their values
   */
  PageCodec(int level, boolean filtered) {
    frames = new CompressedBytes(level);
    numbers = new NumberRuns(frames);
    names = new ColumnNames(frames, numbers);
    columnsWriter = new ColumnsWriter(frames, numbers, filtered);
    columnsReader = new ColumnsReader(frames, numbers);
  }

  /**
   * Encodes 1 to 2^20 columns with at most 32 MiB of payloads, else throws
   * IllegalArgumentException.
   */
  public byte[] encode(Columns columns) {
    return encode(columns, null);
  }

  /**
   * Encodes columns like {@link #encode(Columns)}, but passes the hashes of the page's values to
   * the sink, and the page has no filter. If there are no hashes, or too many for the size of the
   * page, the sink is not called, and the page is encoded as without one.
   */
  public byte[] encode(Columns columns, @Nullable ValueSink values) {
    check(columns);
    out.clear();
    PageHeader.begin(columns, out);
    int headerLength = out.size();
    names.write(columns, out);
    int layout = columnsWriter.write(columns, out, values);
    if (layout == PageHeader.ROWS) {
      writeRows(columns);
    }
    PageHeader.finish(layout, headerLength, out);
    return out.toBytes();
  }

  /** The end of a usual page that begins with column {@code from} of {@code columns}. */
  public static int end(Columns columns, int from) {
    int to = from + 1;
    int bytes = columns.length(from);
    while (to < columns.size() && to - from < PAGE_COLUMNS && bytes < PAGE_BYTES) {
      bytes += columns.length(to++);
    }
    return to;
  }

  private static void check(Columns columns) {
    if (columns.isEmpty() || columns.size() > PageHeader.COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "page: " + columns.size() + " columns, not 1 to " + PageHeader.COLUMNS_MAX);
    }
    if (columns.payloadBytes() > PageHeader.PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "page: " + columns.payloadBytes() + " bytes > " + PageHeader.PAYLOAD_BYTES_MAX);
    }
    if (columns.bytes().length == 0 && columns.payloadBytes() > 0) {
      throw new IllegalArgumentException("page: names without their payloads");
    }
  }

  private void writeRows(Columns columns) {
    lengths = CompressedBytes.room(lengths, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      lengths[i] = columns.length(i);
    }
    numbers.write(lengths, columns.size(), out);
    frames.write(columns.bytes(), columns.offset(0), columns.payloadBytes(), out);
  }

  /** Decodes a page. Throws CorruptException naming the fault if the page is damaged. */
  public Columns decode(byte[] page) {
    return decode(page, true);
  }

  /** Decodes the names and the lengths of payloads; {@link Columns#bytes} is empty. */
  public Columns decodeNames(byte[] page) {
    return decode(page, false);
  }

  /**
   * Whether the filter requires any values, without which {@link #mayMatch} is true for every page.
   */
  public boolean requires(FieldFilter filter) {
    return !required(filter).all().isEmpty();
  }

  /** Returns the hashes of values and words that pages with a matching column contain. */
  public RequiredHashes required(FieldFilter filter) {
    RequiredHashes last = required;
    if (last == null || last.filter() != filter) {
      last = RequiredHashes.of(filter);
      required = last;
    }
    return last;
  }

  /** Whether a column of the page may match, by the values that the filter requires. */
  public boolean mayMatch(PageBytes page, FieldFilter filter) {
    if (!requires(filter) || page.length() < PageHeader.FIXED_BYTES) {
      return true;
    }
    page.read(PageHeader.LAYOUT_AT, layout, 1);
    return layout[0] != PageHeader.FILTERED || valueFilter.mayMatch(page, required(filter));
  }

  /**
   * Decodes the page without columns that the filter shows not to match, as far as the page allows.
   */
  public Columns match(byte[] page, FieldFilter filter) {
    PageHeader header = PageHeader.read(page);
    if (!keepsFieldsApart(header)) {
      return decode(page);
    }
    header.checkBody(page);
    PageInput in = body(page, header);
    LazyNames lazy = new LazyNames(names, body(page, header), header);
    names.pass(in, header.count());
    try {
      return columnsReader.read(in, header, lazy, filter);
    } catch (IllegalArgumentException e) {
      throw new CorruptException("page: " + e.getMessage(), e);
    }
  }

  /** Adds the values of fields in the columns of the query's range. */
  public void values(byte[] page, FieldQuery query, FieldValues into) {
    PageHeader header = PageHeader.read(page);
    FieldFilter filter = query.filter();
    boolean isWhole = !keepsFieldsApart(header) || filter != null && !filter.texts().isEmpty();
    if (isWhole || !values(page, header, query, into)) {
      Columns whole = filter == null ? decode(page) : match(page, filter);
      into.addWhole(whole.within(query.range()));
    }
  }

  private boolean values(byte[] page, PageHeader header, FieldQuery query, FieldValues into) {
    header.checkBody(page);
    PageInput in = body(page, header);
    LazyNames lazy = new LazyNames(names, body(page, header), header);
    names.pass(in, header.count());
    try {
      return columnsReader.read(in, header, lazy, query, into);
    } catch (IllegalArgumentException e) {
      throw new CorruptException("page: " + e.getMessage(), e);
    }
  }

  private static boolean keepsFieldsApart(PageHeader header) {
    return header.layout() != PageHeader.ROWS;
  }

  private Columns decode(byte[] page, boolean payloads) {
    PageHeader header = PageHeader.read(page);
    header.checkBody(page);
    PageInput in = body(page, header);
    int count = header.count();
    long[] ticks = names.readTicks(in, count, header.first(), header.last());
    long[] lsbs = names.readLsbs(in, count, header.first(), header.last());
    int payloadBytes = header.payloadBytes();
    int[] offsets = new int[count + 1]; // each payload's start, and the end of the last
    byte[] bytes =
        switch (header.layout()) {
          case PageHeader.ROWS -> readRows(in, payloadBytes, offsets, payloads);
          case PageHeader.COLUMNS, PageHeader.FILTERED ->
              columnsReader.read(in, payloadBytes, ticks, offsets, payloads);
          default -> throw new CorruptException("page: layout " + header.layout() + " is unknown");
        };
    try {
      return Columns.ofPacked(ticks, lsbs, offsets, bytes, count);
    } catch (IllegalArgumentException e) {
      throw new CorruptException("page: " + e.getMessage(), e);
    }
  }

  private static PageInput body(byte[] page, PageHeader header) {
    return new PageInput(page, header.length(), filterStart(page, header));
  }

  /** The position at which the filter of values begins; the end of the page if it has none. */
  public static int filterStart(byte[] page, PageHeader header) {
    return header.isFiltered() ? ValueFilter.start(page) : page.length;
  }

  private byte[] readRows(PageInput in, int payloadBytes, int[] offsets, boolean payloads) {
    int count = offsets.length - 1;
    lengths = CompressedBytes.room(lengths, count);
    numbers.read(in, "lengths", lengths, count);
    long end = 0;
    for (int i = 0; i < count; i++) {
      long length = lengths[i];
      if (length < 0 || length > payloadBytes - end) {
        throw new CorruptException("page: lengths: payload " + i + " has " + length + " bytes");
      }
      end += length;
      offsets[i + 1] = (int) end;
    }
    if (end != payloadBytes) {
      throw new CorruptException(
          "page: lengths: " + end + " bytes of payload, not " + payloadBytes);
    }
    if (!payloads) {
      return NO_BYTES;
    }
    byte[] bytes = frames.read(in, "payloads", payloadBytes, NO_BYTES);
    in.finish();
    return bytes;
  }

  @Override
  public void close() {
    frames.close();
  }
}
