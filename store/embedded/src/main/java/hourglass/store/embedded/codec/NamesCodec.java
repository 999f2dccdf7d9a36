package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;

/**
 * Encodes column names in the format of pages, for files that hold only names.
 *
 * <pre>
 *   +--------------+-----------------+----------------+-----------------------------+
 *   | count varint | first name 16   | last name 16   | names, see {@link NamesLayout} |
 *   +--------------+-----------------+----------------+-----------------------------+
 * </pre>
 *
 * There is no checksum, because the enclosing record has one. Not thread-safe, as {@link
 * PageCodec}.
 */
public final class NamesCodec implements AutoCloseable {
  private static final int NO_VERSION = 0;

  private final CompressedBytes frames = new CompressedBytes(PageCodec.DEFAULT_LEVEL);
  private final Indexes indexes = new Indexes(frames);
  private final NamesWriter writer = new NamesWriter(indexes, new NumbersWriter(frames));
  private final NamesReader reader = new NamesReader(indexes, new NumbersReader(frames));
  private final PageOutput out = new PageOutput();

  /**
   * Encodes the names of columns; ignores the payloads.
   *
   * @param columns at least one and at most 2^20
   */
  public byte[] encode(Columns columns) {
    if (columns.isEmpty() || columns.size() > PageLimits.COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "names: " + columns.size() + ", not 1 to " + PageLimits.COLUMNS_MAX);
    }
    out.clear();
    out.putVarint(columns.size());
    putName(columns.first());
    putName(columns.last());
    writer.write(columns, out);
    return out.toBytes();
  }

  private void putName(TimeUuid name) {
    out.putLong(name.ticks());
    out.putLong(name.lsb());
  }

  /**
   * Decodes names, without payloads and with lengths of 0.
   *
   * @param countMax the most names to accept, checked before memory is allocated
   * @throws CorruptException naming the fault, if {@link #encode} did not make the bytes
   */
  public Columns decode(byte[] bytes, int countMax) {
    PageInput in = new PageInput(bytes, 0, bytes.length);
    int count = in.getCountFrom1("names", countMax);
    try {
      TimeUuid first = new TimeUuid(in.getLong(), in.getLong());
      TimeUuid last = new TimeUuid(in.getLong(), in.getLong());
      PageHeader header = new PageHeader(NO_VERSION, count, 0, first, last, new int[0], 0);
      Columns names =
          Columns.ofNames(reader.readTicks(in, header), reader.readLsbs(in, header), count);
      in.finish();
      return names;
    } catch (IllegalArgumentException e) {
      throw new CorruptException("names: " + e.getMessage(), e);
    }
  }

  /** Frees memory outside of the heap; the codec cannot be used afterwards. */
  @Override
  public void close() {
    frames.close();
  }
}
