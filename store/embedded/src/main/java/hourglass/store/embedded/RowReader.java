package hourglass.store.embedded;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a row stretch by stretch. A stretch is what one part, the head, covers of the rest of the
 * range; other parts that reach into it are merged in. Where parts do not overlap, which is the
 * rule, an answer is one page as it was unpacked, without a copy. Thread-safe.
 */
final class RowReader {
  private final PageCache cache;

  RowReader(PageCache cache) {
    this.cache = cache;
  }

  Slice slice(RowContent content, SliceQuery query) {
    ColumnRange rest = query.range();
    while (!rest.isEmpty()) {
      ColumnRange stretch =
          query.order() == Order.ASCENDING
              ? firstStretch(content, rest)
              : lastStretch(content, rest);
      if (stretch.isEmpty()) {
        break;
      }
      ColumnRange beyond =
          query.order() == Order.ASCENDING
              ? new ColumnRange(stretch.to(), rest.to())
              : new ColumnRange(rest.from(), stretch.from());
      Columns columns = merged(content, stretch, query.projection());
      if (!columns.isEmpty()) {
        return limited(columns, query, !partsIn(content, beyond).isEmpty());
      }
      rest = beyond;
    }
    return new Slice(Columns.EMPTY, false);
  }

  private static Slice limited(Columns columns, SliceQuery query, boolean partsBeyond) {
    int size = columns.size();
    int taken = Math.min(size, query.columnsMax());
    int from = query.order() == Order.ASCENDING ? 0 : size - taken;
    return new Slice(columns.subColumns(from, from + taken), taken < size || partsBeyond);
  }

  /** From the start of the range to the end of the part that begins it. */
  private static ColumnRange firstStretch(RowContent content, ColumnRange range) {
    RowPart head = null;
    for (RowPart part : partsIn(content, range)) {
      if (head == null || part.first().compareTo(head.first()) < 0) {
        head = part;
      }
    }
    return head == null
        ? emptyAt(range.to())
        : new ColumnRange(range.from(), min(head.last().successor(), range.to()));
  }

  /** From the start of the part that ends the range to its end. */
  private static ColumnRange lastStretch(RowContent content, ColumnRange range) {
    RowPart head = null;
    int beginning = content.index().beginningBefore(range.to());
    if (beginning > 0) {
      head = content.index().farthest(beginning);
    }
    for (OpenRun run : content.open()) {
      if (run.overlaps(range) && (head == null || run.last().compareTo(head.last()) > 0)) {
        head = run;
      }
    }
    return head == null || !head.overlaps(range)
        ? emptyAt(range.to())
        : new ColumnRange(max(head.first(), range.from()), range.to());
  }

  private Columns merged(RowContent content, ColumnRange stretch, Projection projection) {
    List<RowPart> parts = partsIn(content, stretch);
    List<Columns> packs = new ArrayList<>(parts.size());
    for (RowPart part : parts) {
      Columns pack = load(part, stretch, projection, parts.size() > 1).within(stretch);
      if (!pack.isEmpty()) {
        packs.add(projection == Projection.NAMES ? pack.namesOnly() : pack);
      }
    }
    return packs.isEmpty() ? Columns.EMPTY : Columns.merge(packs);
  }

  private Columns load(
      RowPart part, ColumnRange stretch, Projection projection, boolean overlapping) {
    boolean whole =
        stretch.from().compareTo(part.first()) <= 0 && part.last().compareTo(stretch.to()) < 0;
    return projection == Projection.COLUMNS
            && part instanceof PageRef page
            && !(whole && !overlapping)
        ? cache.load(page)
        : part.load(projection);
  }

  /** The parts that reach into a range: pages by their first names, then runs. */
  static List<RowPart> partsIn(RowContent content, ColumnRange range) {
    List<RowPart> parts = new ArrayList<>();
    if (range.isEmpty()) {
      return parts;
    }
    PageIndex index = content.index();
    int to = index.beginningBefore(range.to());
    for (int i = index.reaching(range.from()); i < to; i++) {
      PageRef page = index.pages().get(i);
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

  private static ColumnRange emptyAt(TimeUuid name) {
    return new ColumnRange(name, name);
  }

  private static TimeUuid min(TimeUuid a, TimeUuid b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static TimeUuid max(TimeUuid a, TimeUuid b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
