package hourglass.store.rows;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.pages.PageCodec;
import java.io.IOException;
import java.util.List;

/**
 * Reads rows whose parts are all known and can be loaded by the calling thread. Most parts do not
 * overlap, and then an answer is one decoded page without a copy. Thread-safe.
 */
public final class RowPartsReader {
  /**
   * The limits of a slice without a filter, or for the first columns that match: it is one section.
   */
  private static final SliceReader.Limits ONE_SECTION =
      new SliceReader.Limits(Integer.MAX_VALUE, SliceReader.BYTES_MAX, 1);

  /**
   * The limits of a slice with a filter, which leaves only a few columns of most sections. One
   * slice of many sections saves, for each of them, a change of threads and a search of all
   * indexes. The number of sections bounds how long a thread continues to read for a slice that
   * already has columns.
   */
  private static final SliceReader.Limits SOME_SECTIONS =
      new SliceReader.Limits(256, PageCodec.PAGE_BYTES, 16);

  private final PartCache cache;

  /** Accepts the columns of a row, in the order of their names. */
  public interface Sink {
    void accept(Columns columns) throws IOException;
  }

  /**
   * Creates a reader; {@code cacheBytesMax} limits the memory of pages of which a piece was read.
   */
  public RowPartsReader(long cacheBytesMax) {
    this.cache = new PartCache(cacheBytesMax);
  }

  public Slice slice(RowParts<?> parts, SliceQuery query) {
    SliceQuery.Filter filter = query.filter();
    ColumnRange rest = unread(query);
    return slice(
        filter == null ? parts : parts.matching(filter.fields(), filter.range(), rest),
        query,
        rest);
  }

  private Slice slice(RowParts<?> parts, SliceQuery query, ColumnRange rest) {
    SliceQuery.Filter filter = query.filter();
    SliceReader reader =
        new SliceReader(
            query, filter != null && filter.readsAll() ? SOME_SECTIONS : ONE_SECTION, cache);
    PartSections sections = new PartSections(parts, rest, query.order());
    Section section = sections.next();
    while (!reader.take(section)) {
      section = sections.next();
    }
    TimeUuid end = query.order() == Order.ASCENDING ? section.range().to() : section.range().from();
    return reader.slice(reader.hasAll() ? end : null);
  }

  /**
   * Returns the range without the sections that were read to their ends. The last columns of a
   * section may not match, and would be read again.
   */
  private static ColumnRange unread(SliceQuery query) {
    ColumnRange range = query.range();
    TimeUuid readTo = query.resumeAt();
    if (readTo == null) {
      return range;
    }
    return range.intersect(
        query.order() == Order.ASCENDING
            ? new ColumnRange(readTo, range.to())
            : new ColumnRange(range.from(), readTo));
  }

  /** Passes all columns of a row to a sink. */
  public void scan(RowKey row, RowParts<?> parts, Sink sink) throws IOException {
    SliceQuery query = all(row, ColumnRange.of(row.hour()));
    for (boolean more = true; more; ) {
      Slice slice = slice(parts, query);
      if (!slice.columns().isEmpty()) {
        sink.accept(slice.columns());
      }
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
  }

  public RowCounts count(RowParts<?> parts, CountQuery query) {
    return new PartCounter(query).count(parts.in(query.range()));
  }

  /** Reads the values of fields; see {@link PartFieldReader}. */
  public FieldValues values(RowParts<?> parts, FieldQuery query) {
    FieldValues values = new FieldValues(query.fields().size());
    FieldFilter filter = query.filter();
    RowParts<?> pruned =
        filter == null ? parts : parts.matching(filter, query.range(), query.range());
    PartFieldReader.read(pruned.in(query.range()), query, values, this::addMerged);
    return values;
  }

  private void addMerged(List<? extends Part> sharing, FieldQuery query, FieldValues into) {
    RowParts<?> parts = RowParts.of(sharing);
    SliceQuery slices = all(query.part().row(), query.range());
    FieldFilter filter = query.filter();
    if (filter != null) {
      slices = slices.withFilter(new SliceQuery.Filter(filter, query.range()));
    }
    for (boolean more = true; more; ) {
      Slice slice = slice(parts, slices, unread(slices));
      into.addWhole(slice.columns());
      more = slice.more();
      slices = more ? slices.after(slice) : slices;
    }
  }

  private static SliceQuery all(RowKey row, ColumnRange range) {
    return new SliceQuery(row, range, Order.ASCENDING, PageCodec.PAGE_COLUMNS, Projection.COLUMNS);
  }

  /** The memory of the pages that are kept, in bytes. */
  public long cachedBytes() {
    return cache.bytes();
  }
}
