package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.rows.Sections.Section;
import hourglass.store.parts.Part;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads one slice of a row. Used by one thread at a time. */
final class SliceReader {
  /** A slice takes sections until it holds this many bytes. */
  private static final int SLICE_BYTES = 2 << 20;

  private final SliceQuery query;
  private final Sections sections;

  /** The columns of each section. */
  private final List<Columns> found = new ArrayList<>();

  /** From the first name to the last one, of each page that may be needed again. */
  private final List<ColumnRange> spans = new ArrayList<>();

  private int columns;
  private long bytes;

  SliceReader(SliceQuery query, Sections sections) {
    this.query = query;
    this.sections = sections;
  }

  CompletionStage<Slice> read() {
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
      if (part instanceof PagePart) { // a single column begins at its own name
        spans.add(new ColumnRange(part.first(), part.last()));
      }
    }
    boolean isFull = columns > query.columnsMax() || bytes >= SLICE_BYTES;
    return isFull || section.isLast() ? CompletableFuture.completedFuture(slice(section)) : read();
  }

  private Slice slice(Section last) {
    Columns all = found.size() == 1 ? found.get(0) : Columns.merge(found);
    Columns taken = all.nearest(query.columnsMax(), query.order());
    boolean more = (!last.isLast() || taken.size() < all.size()) && !taken.isEmpty();
    TimeUuid resumeAt =
        more && query.order() == Order.ASCENDING
            ? resumeAt(taken.last().successor(), last.range().to())
            : null;
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

  /** The columns of a section, but no more than one beyond the limit of the query. */
  private Columns load(Section section) {
    ColumnRange range = section.range();
    boolean ascending = query.order() == Order.ASCENDING;
    List<Part> parts = new ArrayList<>(section.parts());
    parts.sort(ascending ? Part.BY_FIRST : Part.BY_LAST.reversed());
    SliceQuery.Filter filter = query.filter();
    // Another part with a name in common may hold the payload that stays under it.
    BitSet sharing =
        filter == null
            ? new BitSet()
            : NameRanges.sharing(parts.stream().map(Part::names).toList());
    int limit =
        query.columnsMax() == Integer.MAX_VALUE ? query.columnsMax() : query.columnsMax() + 1;
    Columns nearest = Columns.EMPTY;
    List<Columns> added = new ArrayList<>();
    int addedSize = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (nearest.size() == limit && isBeyond(part, nearest)) {
        break; // and so are all after it
      }
      FieldFilter fields = filter == null || sharing.get(i) ? null : filterOf(part, range, filter);
      Columns loaded = fields == null ? part.load(Projection.COLUMNS) : part.match(fields);
      Columns within = loaded.within(range);
      if (!within.isEmpty()) {
        added.add(within);
        addedSize += within.size();
      }
      if (addedSize >= limit || i == parts.size() - 1) {
        added.add(nearest);
        nearest = Columns.merge(added).nearest(limit, query.order());
        added.clear();
        addedSize = 0;
      }
    }
    if (!added.isEmpty()) {
      added.add(nearest);
      nearest = Columns.merge(added).nearest(limit, query.order());
    }
    return nearest;
  }

  /** Whether no column of the part can be among the nearest. */
  private boolean isBeyond(Part part, Columns nearest) {
    return query.order() == Order.ASCENDING
        ? part.first().compareTo(nearest.last()) > 0
        : part.last().compareTo(nearest.first()) < 0;
  }

  /** Null if columns of the part may be outside of the range that is filtered. */
  private static @Nullable FieldFilter filterOf(
      Part part, ColumnRange section, SliceQuery.Filter filter) {
    return part.isWithin(filter.range()) || filter.range().covers(section) ? filter.fields() : null;
  }
}
