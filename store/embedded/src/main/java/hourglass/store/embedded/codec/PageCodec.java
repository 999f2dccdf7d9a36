package hourglass.store.embedded.codec;

import hourglass.store.Columns;
import hourglass.store.CorruptException;
import java.util.zip.CRC32C;

/**
 * Encodes columns of one row as a page, and decodes pages; see docs/page-format.md.
 *
 * <p>Not thread-safe: it keeps buffers and compression contexts between pages, some of them outside
 * of the heap until {@link #close}. Use one for each thread.
 */
public final class PageCodec implements AutoCloseable {
  /** Measured on events of 170 B: level 3 saves too little for its time. */
  public static final int DEFAULT_LEVEL = 1;

  private static final byte[] NO_BYTES = new byte[0];

  private final CompressedBytes frames;
  private final CRC32C crc = new CRC32C();
  private final PageOutput out = new PageOutput();
  private final HeaderWriter headers = new HeaderWriter();
  private final NamesWriter namesWriter;
  private final NamesReader namesReader;
  private final RowsWriter rowsWriter;
  private final RowsReader rowsReader;
  private final ColumnsWriter columnsWriter;
  private final ColumnsReader columnsReader;

  /** Creates a codec with {@link #DEFAULT_LEVEL}. */
  public PageCodec() {
    this(DEFAULT_LEVEL);
  }

  /**
   * Creates a codec with a compression level.
   *
   * @param level of zstd, 1 to 19; pages of any level can be read
   */
  public PageCodec(int level) {
    if (level < 1 || level > 19) {
      throw new IllegalArgumentException("level: " + level + " is not within 1 and 19");
    }
    frames = new CompressedBytes(level);
    NumbersWriter numbersWriter = new NumbersWriter(frames);
    NumbersReader numbersReader = new NumbersReader(frames);
    Indexes indexes = new Indexes(frames);
    namesWriter = new NamesWriter(indexes, numbersWriter);
    namesReader = new NamesReader(indexes, numbersReader);
    rowsWriter = new RowsWriter(frames, numbersWriter);
    rowsReader = new RowsReader(frames, numbersReader);
    columnsWriter = new ColumnsWriter(frames, numbersWriter);
    columnsReader = new ColumnsReader(frames, numbersReader);
  }

  /**
   * Encodes columns as a page.
   *
   * @param columns at least one and at most 2^20, with payloads of at most 32 MiB together
   * @throws IllegalArgumentException if there are none, or too many
   */
  public byte[] encode(Columns columns) {
    check(columns);
    out.clear();
    headers.begin(columns, out);
    int headerLength = out.size();
    namesWriter.write(columns, out);
    int layout = HeaderLayout.COLUMNS;
    if (!columnsWriter.write(columns, out)) {
      layout = HeaderLayout.ROWS;
      rowsWriter.write(columns, out);
    }
    headers.finish(layout, headerLength, out);
    return out.toBytes();
  }

  private static void check(Columns columns) {
    if (columns.isEmpty() || columns.size() > PageLimits.COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "page: " + columns.size() + " columns, not 1 to " + PageLimits.COLUMNS_MAX);
    }
    if (columns.payloadBytes() > PageLimits.PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "page: " + columns.payloadBytes() + " bytes > " + PageLimits.PAYLOAD_BYTES_MAX);
    }
    if (columns.bytes().length == 0 && columns.payloadBytes() > 0) {
      throw new IllegalArgumentException("page: names without their payloads");
    }
  }

  /**
   * Decodes the columns of a page.
   *
   * @throws CorruptException naming the fault, if {@link #encode} did not make the page
   */
  public Columns decode(byte[] page) {
    return decode(page, true);
  }

  /**
   * Decodes the names of a page and the lengths of its payloads; {@link Columns#bytes} is empty.
   *
   * @throws CorruptException as {@link #decode} does
   */
  public Columns decodeNames(byte[] page) {
    return decode(page, false);
  }

  private Columns decode(byte[] page, boolean payloads) {
    HeaderReader header = HeaderReader.read(page);
    header.checkBody(page, crc);
    PageInput in = new PageInput(page, header.length(), page.length);
    PageHeader facts = header.facts();
    long[] ticks = namesReader.readTicks(in, facts);
    long[] lsbs = namesReader.readLsbs(in, facts);
    int[] offsets = new int[facts.count() + 1];
    byte[] bytes =
        switch (header.layout()) {
          case HeaderLayout.ROWS -> rowsReader.read(in, facts.payloadBytes(), offsets, payloads);
          case HeaderLayout.COLUMNS -> columns(in, facts.payloadBytes(), ticks, offsets, payloads);
          default -> throw new CorruptException("page: layout " + header.layout() + " is unknown");
        };
    return packed(ticks, lsbs, offsets, bytes, facts.count());
  }

  private byte[] columns(
      PageInput in, int payloadBytes, long[] ticks, int[] offsets, boolean payloads) {
    ColumnsReading reading = columnsReader.read(in, payloadBytes, ticks, payloads);
    if (payloads) {
      return reading.payloads(offsets);
    }
    reading.lengths(offsets);
    return NO_BYTES;
  }

  private static Columns packed(long[] ticks, long[] lsbs, int[] offsets, byte[] bytes, int count) {
    try {
      return Columns.ofPacked(ticks, lsbs, offsets, bytes, count);
    } catch (IllegalArgumentException e) {
      throw new CorruptException("page: " + e.getMessage(), e);
    }
  }

  /** Frees memory outside of the heap; the codec cannot be used afterwards. */
  @Override
  public void close() {
    frames.close();
  }
}
