package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.rows.Sections.Section;
import hourglass.store.rows.Part;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * Reads one slice of a row. It shows a mutation whole or not at all, so its columns are from one
 * page of results. There are two exceptions, in which a slice shows what a later page has of a
 * mutation, but not what an earlier one would have had: a filter that leaves nothing of the first
 * page, and a minute with more packs than a page may have. Used by one thread at a time.
 */
final class SliceReader {
  /** A slice takes sections until it holds this many bytes. */
  static final int BYTES_MAX = 2 << 20;

  private final SliceQuery query;
  private final Sections sections;

  /** The columns of each section. */
  private final List<Columns> found = new ArrayList<>();

  /** From the first name to the last one, of each page that may be needed again. */
  private final List<ColumnRange> spans = new ArrayList<>();

  private int columns;
  private long bytes;

  /** Whether the last section is not read to its end. */
  private boolean isCut;

  /** Whether a larger page of results may at least double the slice. */
  private boolean isShort;

  private SliceReader(SliceQuery query, Sections sections) {
    this.query = query;
    this.sections = sections;
  }

  /**
   * Reads a short slice again as a whole, from a larger page of results. Not with a filter, which
   * may leave few columns of any page.
   *
   * @param sections of the query, by how many packs a page of results has
   * @param packs about how many are needed
   * @param packsMax limit of a page of results
   */
  static CompletionStage<Slice> read(
      SliceQuery query, IntFunction<Sections> sections, int packs, int packsMax) {
    SliceReader reader = new SliceReader(query, sections.apply(packs));
    return reader
        .read()
        .thenCompose(
            slice ->
                reader.isShort && query.filter() == null && packs < packsMax
                    ? read(query, sections, packs * PackCursor.PAGE_GROWTH, packsMax)
                    : CompletableFuture.completedFuture(slice));
  }

  private CompletionStage<Slice> read() {
    return sections.next().thenCompose(this::take);
  }

  private CompletionStage<Slice> take(Section section) {
    Columns added =
        query.projection() == Projection.NAMES
            ? Part.names(section.parts(), section.range()).namesOnly()
            : load(section);
    if (!added.isEmpty()) {
      found.add(added);
      columns += added.size();
      bytes += added.payloadBytes();
    }
    for (Part part : section.parts()) {
      if (part instanceof PagePart page && page.isPack()) { // a single column is its own span
        spans.add(new ColumnRange(part.first(), part.last()));
      }
    }
    boolean isFull = columns > query.columnsMax() || bytes >= BYTES_MAX;
    boolean isEnd = section.isLast() || (columns > 0 && !section.continues());
    isShort = !section.isLast() && columns <= query.columnsMax() / 2 && bytes < BYTES_MAX / 2;
    return isFull || isEnd ? CompletableFuture.completedFuture(slice(section)) : read();
  }

  private Slice slice(Section last) {
    Columns all = found.size() == 1 ? found.get(0) : Columns.merge(found);
    Columns taken = all.nearest(query.columnsMax(), query.order());
    boolean more = !last.isLast() || isCut || taken.size() < all.size();
    TimeUuid resumeAt =
        more && isAscending() ? resumeAt(taken.last().successor(), last.range().to()) : null;
    return new Slice(taken.compact(), more, resumeAt);
  }

  /**
   * Where the pages begin that have names from {@code next} on.
   *
   * @param read packs from here on may not have been read
   */
  private TimeUuid resumeAt(TimeUuid next, TimeUuid read) {
    TimeUuid least = next.compareTo(read) < 0 ? next : read;
    for (ColumnRange span : spans) {
      if (span.to().compareTo(next) >= 0 && span.from().compareTo(least) < 0) {
        least = span.from();
      }
    }
    return least;
  }

  /**
   * The columns of a section, but no more than one beyond the limit of the query, and no parts
   * beyond the limit of the slice.
   */
  private Columns load(Section section) {
    List<Part> parts = new ArrayList<>(section.parts());
    parts.sort(isAscending() ? Part.BY_FIRST : Part.BY_LAST.reversed());
    SliceQuery.Filter filter = query.filter();
    // Another part with a name in common may hold the payload that stays under it.
    BitSet sharing =
        filter == null
            ? new BitSet()
            : NameRanges.sharing(parts.stream().map(Part::names).toList());
    int limit = (int) Math.min(Integer.MAX_VALUE, query.columnsMax() + 1L);
    Columns nearest = Columns.EMPTY;
    List<Columns> added = new ArrayList<>();
    int addedSize = 0;
    long addedBytes = 0;
    long ahead = parts.stream().mapToLong(Part::payloadBytes).sum();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      ahead -= part.payloadBytes();
      if (nearest.size() == limit && nearerThan(part, nearest).size() == limit) {
        break; // no column of this part or of a later one is among the nearest
      }
      Columns within = load(part, sharing.get(i), section.range());
      if (!within.isEmpty()) {
        added.add(within);
        addedSize += within.size();
        addedBytes += within.payloadBytes();
      }
      // Each merge has twice the bytes of the one before, so that a byte is seldom copied.
      if (addedSize >= limit || addedBytes >= Math.max(BYTES_MAX, nearest.payloadBytes())) {
        nearest = nearest(added, nearest, limit);
        added.clear();
        addedSize = 0;
        addedBytes = 0;
        Columns complete = ahead > 0 ? nearerThan(parts.get(i + 1), nearest) : nearest;
        // The next slice reads the rest of this section again, so little of it is read on.
        if (ahead > BYTES_MAX && complete.payloadBytes() >= BYTES_MAX) {
          isCut = true;
          return complete;
        }
      }
    }
    return nearest(added, nearest, limit);
  }

  private Columns nearest(List<Columns> added, Columns before, int limit) {
    List<Columns> all = new ArrayList<>(added);
    all.add(before);
    return added.isEmpty() ? before : Columns.merge(all).nearest(limit, query.order());
  }

  private Columns load(Part part, boolean mayShare, ColumnRange section) {
    SliceQuery.Filter filter = query.filter();
    return (filter == null || mayShare || !judges(filter, part, section)
            ? part.load(Projection.COLUMNS)
            : part.match(filter.fields()))
        .within(section);
  }

  /** Those that come before all columns of a part, in the order of the query. */
  private Columns nearerThan(Part part, Columns nearest) {
    return isAscending()
        ? nearest.subColumns(0, nearest.lowerBound(part.first()))
        : nearest.subColumns(nearest.lowerBound(part.last().successor()), nearest.size());
  }

  private boolean isAscending() {
    return query.order() == Order.ASCENDING;
  }

  /** False if columns of the part may be outside of the range that is filtered. */
  private static boolean judges(SliceQuery.Filter filter, Part part, ColumnRange section) {
    return part.isWithin(filter.range()) || filter.range().covers(section);
  }
}
