package hourglass.store.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.NameRanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The parts of a row at one moment. Immutable.
 *
 * @param stored the parts that are found by their names
 * @param open a few others, in the order of writes
 */
public record RowParts<P extends Part>(PartIndex<? extends P> stored, List<? extends P> open) {

  public static <P extends Part> RowParts<P> of(Collection<? extends P> parts) {
    return new RowParts<>(PartIndex.<P>of(parts), List.of());
  }

  /**
   * Returns the parts that overlap a range: first stored ones, by their first names, then open
   * ones.
   */
  public List<P> in(ColumnRange range) {
    List<P> parts = new ArrayList<>(stored.in(range));
    for (P part : open) {
      if (part.overlaps(range) && !range.isEmpty()) {
        parts.add(part);
      }
    }
    return parts;
  }

  boolean hasAnyIn(ColumnRange range) {
    if (range.isEmpty()) {
      return false;
    }
    for (P part : stored.around(range)) {
      if (part.overlaps(range)) {
        return true;
      }
    }
    for (P part : open) {
      if (part.overlaps(range)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Leaves out stored parts of the wanted range that cannot match, as far as that is known without
   * reading them. A part that is left out has no name in common with other parts, so no payload
   * that stays in the row is lost.
   *
   * @param filtered the range in which columns may be left out
   */
  public RowParts<P> matching(FieldFilter filter, ColumnRange filtered, ColumnRange wanted) {
    if (!filter.requiresAny()) {
      return this;
    }
    List<? extends P> all = stored.parts();
    List<P> kept = new ArrayList<>();
    ColumnRange unstored = openSpan();
    for (int i = 0; i < all.size(); i++) {
      P part = all.get(i);
      if (!part.overlaps(wanted)
          || !part.isWithin(filtered)
          || stored.sharing().get(i)
          || part.mayMatchUnread(filter)
          || part.overlaps(unstored) && open.stream().anyMatch(other -> mayShare(part, other))) {
        kept.add(part);
      }
    }
    return kept.size() == all.size() ? this : new RowParts<>(PartIndex.<P>of(kept), open);
  }

  /** The range from the first name of all open parts to the last one; empty without open parts. */
  private ColumnRange openSpan() {
    TimeUuid first = null;
    TimeUuid last = null;
    for (P part : open) {
      first = first == null || part.first().compareTo(first) < 0 ? part.first() : first;
      last = last == null || part.last().compareTo(last) > 0 ? part.last() : last;
    }
    return first == null || last == null
        ? ColumnRange.EMPTY
        : new ColumnRange(first, last.successor());
  }

  private static boolean mayShare(Part part, Part other) {
    NameRanges names = part.names();
    NameRanges others = other.names();
    return part.overlaps(new ColumnRange(other.first(), other.last().successor()))
        && (names == null || others == null || names.mayShareWith(others));
  }
}
