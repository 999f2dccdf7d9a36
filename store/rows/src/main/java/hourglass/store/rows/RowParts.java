package hourglass.store.rows;

import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
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
   * Returns the parts of the wanted range without stored ones that cannot match, as far as that is
   * known without reading them. A part that is left out has no name in common with other parts, so
   * no payload that stays in the row is lost. Parts out of the range may be returned too.
   *
   * @param filtered the range in which columns may be left out
   */
  public RowParts<P> matching(FieldFilter filter, ColumnRange filtered, ColumnRange wanted) {
    PartIndex<? extends P> left = stored.matching(filter, filtered, wanted, open);
    return left == stored ? this : new RowParts<>(left, open);
  }
}
