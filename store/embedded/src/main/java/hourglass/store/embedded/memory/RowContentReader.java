package hourglass.store.embedded.memory;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartFieldReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row by sections. A section ends at the first end of a part, so only parts that overlap
 * there are open together. Most do not, and then an answer is one decoded page without a copy.
 * Thread-safe.
 *
 * <p>Pages that were read in part are cached, for the reader's next slice and other readers of the
 * newest events. A page that was read to its end is not.
 */
public final class RowContentReader {
  /** A remainder below the limit divided by this is too small for a slice of its own. */
  private static final int LITTLE = 4;

  /** The memory of a cached page without its columns. */
  private static final int ENTRY_BYTES = 200;

  /** The memory of a filter, which only its own query finds again. */
  private static final int FILTER_BYTES = 4 << 10;

  private final long cacheBytesMax;

  /** Guarded by itself; least recently used first. */
  private final Map<PageRead, Columns> cache = new LinkedHashMap<>(64, 0.75f, true);

  private long cacheBytes;

  /** A way to read a page; a null {@code filter} reads every column. */
  private record PageRead(PageRef page, @Nullable FieldFilter filter) {
    private Columns read() {
      return filter == null ? page.load(Projection.COLUMNS) : page.match(filter);
    }
  }

  public interface Sink {
    void accept(Columns columns) throws IOException;
  }

  public RowContentReader(long cacheBytesMax) {
    this.cacheBytesMax = cacheBytesMax;
  }

  /** The values of fields in the parts of a row; see {@link PartFieldReader}. */
  public FieldValues values(RowContent content, FieldQuery query) {
    FieldValues values = new FieldValues(query.fields().size());
    FieldFilter filter = query.filter();
    RowContent pruned =
        filter == null ? content : content.matching(filter, query.range(), query.range());
    PartFieldReader.read(partsIn(pruned, query.range()), query, values, this::addMerged);
    return values;
  }

  private void addMerged(List<RowPart> parts, FieldQuery query, FieldValues into) {
    RowContent content = RowContent.of(parts);
    ColumnRange range = query.range();
    SliceQuery slices =
        new SliceQuery(
            query.part().row(), range, Order.ASCENDING, PageCodec.PAGE_COLUMNS, Projection.COLUMNS);
    FieldFilter filter = query.filter();
    if (filter != null) {
      slices = slices.withFilter(new SliceQuery.Filter(filter, range));
    }
    for (boolean more = true; more; ) {
      Slice slice = slice(content, slices);
      into.addWhole(slice.columns());
      more = slice.more();
      slices = more ? slices.after(slice) : slices;
    }
  }

  public void scan(RowKey row, RowContent content, Sink sink) throws IOException {
    SliceQuery query =
        new SliceQuery(
            row,
            ColumnRange.of(row.hour()),
            Order.ASCENDING,
            PageCodec.PAGE_COLUMNS,
            Projection.COLUMNS);
    for (boolean more = true; more; ) {
      Slice slice = slice(content, query);
      if (!slice.columns().isEmpty()) {
        sink.accept(slice.columns());
      }
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
  }

  public Slice slice(RowContent content, SliceQuery query) {
    SliceQuery.Filter filter = query.filter();
    return sliceOf(
        filter == null
            ? content
            : content.matching(filter.fields(), filter.range(), remaining(query)),
        query);
  }

  private Slice sliceOf(RowContent content, SliceQuery query) {
    ColumnRange rest = remaining(query);
    boolean ascending = query.order() == Order.ASCENDING;
    Gathered gathered = new Gathered(query);
    while (!rest.isEmpty()) {
      ColumnRange section = ascending ? firstSection(content, rest) : lastSection(content, rest);
      if (section.isEmpty()) {
        break;
      }
      Slice slice = slice(content, section, query.withColumnsMax(gathered.columnsLeft()));
      gathered.add(slice.columns());
      if (slice.more()) {
        return new Slice(gathered.columns(), true);
      }
      rest =
          ascending
              ? new ColumnRange(section.to(), rest.to())
              : new ColumnRange(rest.from(), section.from());
      if (gathered.isEnough()) {
        boolean more = hasPartIn(content, rest);
        return new Slice(gathered.columns(), more, ascending ? rest.from() : rest.to());
      }
    }
    return new Slice(gathered.columns(), false);
  }

  /**
   * Without the sections that were read to their ends: the last columns of a section may not match,
   * and would be read again.
   */
  private static ColumnRange remaining(SliceQuery query) {
    ColumnRange range = query.range();
    TimeUuid readTo = query.resumeAt();
    if (readTo == null) {
      return range;
    }
    return query.order() == Order.ASCENDING
        ? new ColumnRange(max(readTo, range.from()), range.to())
        : new ColumnRange(range.from(), min(readTo, range.to()));
  }

  /**
   * The columns of sections in the order in which they are read. Of most sections a filter leaves
   * only a few columns: one slice of many sections saves a change of threads and a search of all
   * indexes for each.
   */
  private static final class Gathered {
    private static final int ENOUGH_COLUMNS = 256;

    /**
     * With or without columns: bounds the time that a thread reads on for a slice that has some.
     */
    private static final int ENOUGH_SECTIONS = 16;

    private final SliceQuery query;
    private final List<Columns> sections = new ArrayList<>();
    private int read;
    private int columns;
    private long bytes;

    Gathered(SliceQuery query) {
      this.query = query;
    }

    int columnsLeft() {
      return query.columnsMax() - columns;
    }

    void add(Columns section) {
      read++;
      if (!section.isEmpty()) {
        sections.add(section);
        columns += section.size();
        bytes += section.payloadBytes();
      }
    }

    boolean isEnough() {
      return !sections.isEmpty()
          && (!readsAll()
              || columns >= Math.min(query.columnsMax(), ENOUGH_COLUMNS)
              || bytes >= PageCodec.PAGE_BYTES
              || read >= ENOUGH_SECTIONS);
    }

    private boolean readsAll() {
      SliceQuery.Filter filter = query.filter();
      return filter != null && filter.readsAll();
    }

    Columns columns() {
      return sections.isEmpty() ? Columns.EMPTY : Columns.merge(sections);
    }
  }

  private Slice slice(RowContent content, ColumnRange section, SliceQuery query) {
    List<RowPart> parts = partsIn(content, section);
    List<Columns> packs =
        query.projection() == Projection.NAMES
            ? List.of(Part.names(parts, section).namesOnly())
            : load(parts, section, query);
    if (packs.isEmpty()) {
      return new Slice(Columns.EMPTY, false);
    }
    int max = query.columnsMax();
    boolean one = packs.size() == 1;
    Columns merged =
        one
            ? packs.get(0)
            : Columns.merge(packs.stream().map(pack -> pack.nearest(max, query.order())).toList());
    int left = merged.size() - max;
    boolean evenly = one && left > 0 && left < max / LITTLE;
    Columns taken = merged.nearest(evenly ? (merged.size() + 1) / 2 : max, query.order());
    boolean more = left > 0 || packs.stream().anyMatch(pack -> pack.size() > max);
    if (!more) {
      forgetEnded(parts, section, query);
    }
    return new Slice(taken.compact(), more);
  }

  /**
   * Drops pages that end in a section that was read: its reader needs them no more. Otherwise the
   * pages of a whole hour would replace each other in the cache, and each would outlive the young
   * generation.
   */
  private void forgetEnded(List<RowPart> parts, ColumnRange section, SliceQuery query) {
    boolean ascending = query.order() == Order.ASCENDING;
    SliceQuery.Filter filter = query.filter();
    synchronized (cache) {
      for (RowPart part : parts) {
        boolean isEnded = section.contains(ascending ? part.last() : part.first());
        if (isEnded && part instanceof PageRef page) {
          forget(new PageRead(page, null));
          if (filter != null) {
            forget(new PageRead(page, filter.fields()));
          }
        }
      }
    }
  }

  private void forget(PageRead page) {
    Columns left = cache.remove(page);
    cacheBytes -= left == null ? 0 : bytes(page, left);
  }

  private static ColumnRange firstSection(RowContent content, ColumnRange range) {
    TimeUuid end = null;
    for (OpenRun run : content.open()) {
      if (run.overlaps(range) && (end == null || run.last().compareTo(end) < 0)) {
        end = run.last();
      }
    }
    for (PageRef page : content.index().around(range)) {
      if (end != null && page.first().compareTo(end) > 0) {
        break;
      }
      if (page.overlaps(range) && (end == null || page.last().compareTo(end) < 0)) {
        end = page.last();
      }
    }
    return end == null
        ? new ColumnRange(range.to(), range.to())
        : new ColumnRange(range.from(), min(end.successor(), range.to()));
  }

  private static ColumnRange lastSection(RowContent content, ColumnRange range) {
    TimeUuid begin = null;
    for (OpenRun run : content.open()) {
      if (run.overlaps(range) && (begin == null || run.first().compareTo(begin) > 0)) {
        begin = run.first();
      }
    }
    List<PageRef> pages = content.index().around(range);
    for (int i = pages.size() - 1; i >= 0; i--) {
      PageRef page = pages.get(i);
      if (page.overlaps(range)) {
        begin = begin == null ? page.first() : max(begin, page.first());
        break;
      }
    }
    return begin == null
        ? new ColumnRange(range.to(), range.to())
        : new ColumnRange(max(begin, range.from()), range.to());
  }

  /** The columns of each part, without parts that have none. */
  private List<Columns> load(List<RowPart> parts, ColumnRange section, SliceQuery query) {
    SliceQuery.Filter filter = query.filter();
    // Another part with a name in common may hold the payload that stays under it.
    BitSet sharing =
        filter == null
            ? new BitSet()
            : NameRanges.sharing(parts.stream().map(RowPart::names).toList());
    boolean noneShared = filter != null && canMatchNone(parts, sharing, section, filter);
    List<Columns> found = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      RowPart part = parts.get(i);
      if (sharing.get(i) && noneShared) {
        continue;
      }
      FieldFilter fields =
          filter == null || sharing.get(i) ? null : filterOf(part, section, filter);
      Columns columns = load(part, fields, section, query, parts.size() == 1).within(section);
      if (!columns.isEmpty()) {
        found.add(columns);
      }
    }
    return found;
  }

  /** Null if columns of the part may be outside of the range that is filtered. */
  private static @Nullable FieldFilter filterOf(
      RowPart part, ColumnRange section, SliceQuery.Filter filter) {
    ColumnRange range = filter.range();
    return part.isWithin(range) || range.covers(section) ? filter.fields() : null;
  }

  /** Whether none of the parts that share names has a column that matches. */
  private static boolean canMatchNone(
      List<RowPart> parts, BitSet sharing, ColumnRange section, SliceQuery.Filter filter) {
    return !sharing.isEmpty()
        && filter.range().covers(section)
        && !PartFieldReader.mayMatch(
            sharing.stream().mapToObj(parts::get).toList(), filter.fields());
  }

  private Columns load(
      RowPart part,
      @Nullable FieldFilter fields,
      ColumnRange section,
      SliceQuery query,
      boolean alone) {
    if (!(part instanceof PageRef page)) {
      return part.load(Projection.COLUMNS);
    }
    PageRead read = new PageRead(page, fields);
    boolean once =
        alone && (fields != null ? part.isWithin(section) : part.count() <= query.columnsMax());
    if (!once) {
      return cached(read); // this reader will read the rest of it
    }
    Columns columns = read.read();
    if (columns.size() > query.columnsMax()) {
      keep(read, columns); // the next slice begins with the rest of it
    }
    return columns;
  }

  /** The memory of the pages that are cached. */
  public long cachedBytes() {
    synchronized (cache) {
      return cacheBytes;
    }
  }

  private static long bytes(PageRead page, Columns columns) {
    return ENTRY_BYTES + (page.filter() == null ? 0 : FILTER_BYTES) + columns.memoryBytes();
  }

  private Columns cached(PageRead page) {
    synchronized (cache) {
      Columns cached = cache.get(page);
      if (cached != null) {
        return cached;
      }
    }
    Columns columns = page.read();
    keep(page, columns);
    return columns;
  }

  private void keep(PageRead page, Columns columns) {
    synchronized (cache) {
      if (cache.put(page, columns) == null) {
        cacheBytes += bytes(page, columns);
      }
      Iterator<Map.Entry<PageRead, Columns>> eldest = cache.entrySet().iterator();
      while (cacheBytes > cacheBytesMax && eldest.hasNext()) {
        Map.Entry<PageRead, Columns> left = eldest.next();
        cacheBytes -= bytes(left.getKey(), left.getValue());
        eldest.remove();
      }
    }
  }

  public static boolean hasPartIn(RowContent content, ColumnRange range) {
    if (range.isEmpty()) {
      return false;
    }
    for (PageRef page : content.index().around(range)) {
      if (page.overlaps(range)) {
        return true;
      }
    }
    for (OpenRun run : content.open()) { // no stream: called for every row with late columns
      if (run.overlaps(range)) {
        return true;
      }
    }
    return false;
  }

  /** Pages by their first names, then runs. */
  public static List<RowPart> partsIn(RowContent content, ColumnRange range) {
    List<RowPart> parts = new ArrayList<>();
    if (range.isEmpty()) {
      return parts;
    }
    for (PageRef page : content.index().around(range)) {
      if (page.overlaps(range)) {
        parts.add(page);
      }
    }
    for (OpenRun run : content.open()) {
      if (run.overlaps(range)) {
        parts.add(run);
      }
    }
    return parts;
  }

  private static TimeUuid min(TimeUuid a, TimeUuid b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static TimeUuid max(TimeUuid a, TimeUuid b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
