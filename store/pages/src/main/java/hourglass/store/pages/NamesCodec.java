package hourglass.store.pages;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;

/**
 * Encodes column names as in pages, for files of names only.
 *
 * <pre>
 *   +--------------+-----------------+----------------+-----------------------------+
 *   | count varint | first name 16   | last name 16   | names, see {@link ColumnNames}     |
 *   +--------------+-----------------+----------------+-----------------------------+
 * </pre>
 *
 * The enclosing record has the checksum. Not thread-safe.
 */
public final class NamesCodec implements AutoCloseable {
  private final CompressedBytes frames = new CompressedBytes(PageCodec.DEFAULT_LEVEL);
  private final ColumnNames names = new ColumnNames(frames, new NumberRuns(frames));
  private final PageOutput out = new PageOutput();

  /** Encodes 1 to 2^20 columns; ignores the payloads. */
  public byte[] encode(Columns columns) {
    if (columns.isEmpty() || columns.size() > PageHeader.COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "names: " + columns.size() + ", not 1 to " + PageHeader.COLUMNS_MAX);
    }
    out.clear();
    out.putVarint(columns.size());
    PageHeader.putName(columns.first(), out);
    PageHeader.putName(columns.last(), out);
    names.write(columns, out);
    return out.toBytes();
  }

  /** Decodes names; payloads have length 0. A CorruptException names the fault. */
  public Columns decode(byte[] bytes, int countMax) {
    PageInput in = new PageInput(bytes, 0, bytes.length);
    int count = in.getCountFrom1("names", countMax);
    try {
      TimeUuid first = new TimeUuid(in.getLong(), in.getLong());
      TimeUuid last = new TimeUuid(in.getLong(), in.getLong());
      long[] ticks = names.readTicks(in, count, first, last);
      Columns columns = Columns.ofNames(ticks, names.readLsbs(in, count, first, last), count);
      in.finish();
      return columns;
    } catch (IllegalArgumentException e) {
      throw new CorruptException("names: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    frames.close();
  }
}
