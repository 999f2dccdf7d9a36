package hourglass.store.embedded.rows;

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
 * Reads a row by stretches. A stretch ends at the first end of a part, so every other part in it
 * continues beyond it. At most as many parts are open as overlap in one place. Most parts do not
 * overlap, and then an answer is one decoded page without a copy. Thread-safe.
 */
public final class RowContentReader {
  /** A remainder below the limit divided by this is too small for a slice of its own. */
  private static final int LITTLE = 4;

  private final PageCache cache;

  public RowContentReader(PageCache cache) {
    this.cache = cache;
  }

  public Slice slice(RowContent content, SliceQuery query) {
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
      Slice slice = slice(content, stretch, query, hasPartIn(content, beyond));
      if (!slice.columns().isEmpty()) {
        return slice;
      }
      rest = beyond;
    }
    return new Slice(Columns.EMPTY, false);
  }

  private Slice slice(
      RowContent content, ColumnRange stretch, SliceQuery query, boolean partsBeyond) {
    List<RowPart> parts = partsIn(content, stretch);
    if (parts.isEmpty()) {
      return new Slice(Columns.EMPTY, partsBeyond);
    }
    return query.projection() == Projection.NAMES
        ? limited(List.of(NamesMerge.of(parts, stretch).namesOnly()), query, partsBeyond)
        : limited(load(parts, stretch, query), query, partsBeyond);
  }

  private static Slice limited(List<Columns> packs, SliceQuery query, boolean partsBeyond) {
    return switch (packs.size()) {
      case 0 -> new Slice(Columns.EMPTY, partsBeyond);
      case 1 -> limited(packs.get(0), query, partsBeyond);
      default -> merged(packs, query, partsBeyond);
    };
  }

  /** Halves a pack whose remainder would be too small for another call. */
  private static Slice limited(Columns pack, SliceQuery query, boolean partsBeyond) {
    int left = Math.max(0, pack.size() - query.columnsMax());
    boolean evenly = left > 0 && left < query.columnsMax() / LITTLE;
    Columns taken = taken(pack, query.order(), evenly ? (pack.size() + 1) / 2 : query.columnsMax());
    return new Slice(taken.compact(), left > 0 || partsBeyond);
  }

  /** Merges no more of overlapping parts than the limit. */
  private static Slice merged(List<Columns> packs, SliceQuery query, boolean partsBeyond) {
    int max = query.columnsMax();
    boolean left = packs.stream().anyMatch(pack -> pack.size() > max);
    Columns merged =
        Columns.merge(packs.stream().map(pack -> taken(pack, query.order(), max)).toList());
    Columns taken = taken(merged, query.order(), max);
    return new Slice(taken.compact(), left || taken.size() < merged.size() || partsBeyond);
  }

  private static Columns taken(Columns columns, Order order, int max) {
    int size = columns.size();
    int taken = Math.min(size, max);
    int from = order == Order.ASCENDING ? 0 : size - taken;
    return columns.subColumns(from, from + taken);
  }

  /** From the start of the range to the first end of a part in it. */
  private static ColumnRange firstStretch(RowContent content, ColumnRange range) {
    TimeUuid end = null;
    for (OpenRun run : content.open()) {
      if (run.overlaps(range) && (end == null || run.last().compareTo(end) < 0)) {
        end = run.last();
      }
    }
    List<PageRef> pages = content.pages();
    int to = content.index().beginningBefore(range.to());
    for (int i = content.index().reaching(range.from()); i < to; i++) {
      PageRef page = pages.get(i);
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

  /** From the last beginning of a part in the range to the range's end. */
  private static ColumnRange lastStretch(RowContent content, ColumnRange range) {
    TimeUuid begin = null;
    for (OpenRun run : content.open()) {
      if (run.overlaps(range) && (begin == null || run.first().compareTo(begin) > 0)) {
        begin = run.first();
      }
    }
    int from = content.index().reaching(range.from());
    for (int i = content.index().beginningBefore(range.to()) - 1; i >= from; i--) {
      PageRef page = content.pages().get(i);
      if (page.overlaps(range)) {
        begin = begin == null ? page.first() : max(begin, page.first());
        break;
      }
    }
    return begin == null
        ? new ColumnRange(range.to(), range.to())
        : new ColumnRange(max(begin, range.from()), range.to());
  }

  /** Loads the columns of each part with columns in a stretch. */
  private List<Columns> load(List<RowPart> parts, ColumnRange stretch, SliceQuery query) {
    List<Columns> packs = new ArrayList<>(parts.size());
    for (RowPart part : parts) {
      boolean once = parts.size() == 1 && part.count() <= query.columnsMax();
      Columns loaded =
          part instanceof PageRef page && !once
              ? cache.load(page) // this reader will read the rest of it
              : part.load(Projection.COLUMNS);
      Columns pack = loaded.within(stretch);
      if (!pack.isEmpty()) {
        packs.add(pack);
      }
    }
    return packs;
  }

  /** Whether any part overlaps a range. */
  public static boolean hasPartIn(RowContent content, ColumnRange range) {
    if (range.isEmpty()) {
      return false;
    }
    PageIndex index = content.index();
    int to = index.beginningBefore(range.to());
    for (int i = index.reaching(range.from()); i < to; i++) {
      if (index.pages().get(i).overlaps(range)) {
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

  /** The parts that overlap a range: pages by their first names, then runs. */
  public static List<RowPart> partsIn(RowContent content, ColumnRange range) {
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

  private static TimeUuid min(TimeUuid a, TimeUuid b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static TimeUuid max(TimeUuid a, TimeUuid b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
