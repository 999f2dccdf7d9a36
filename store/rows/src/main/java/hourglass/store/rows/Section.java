package hourglass.store.rows;

import hourglass.store.ColumnRange;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of a row and the parts in it. Sections follow each other in the order of a query.
 *
 * @param parts all parts that overlap the range
 * @param isLast whether no columns follow
 * @param continues whether the next section shows the same writes as this one. If not, a slice ends
 *     here, so that it shows each write whole or not at all.
 */
public record Section(
    ColumnRange range, List<? extends Part> parts, boolean isLast, boolean continues) {

  /** Returns this section with additional parts that overlap it. */
  public Section with(List<? extends Part> others) {
    List<Part> all = new ArrayList<>(parts);
    all.addAll(others);
    return new Section(range, all, isLast, continues);
  }

  /** Returns a piece of this section, which another piece continues unless it {@code isEnd}. */
  public Section piece(ColumnRange of, boolean isEnd) {
    return new Section(
        of,
        parts.stream().filter(part -> part.overlaps(of)).toList(),
        isEnd && isLast,
        !isEnd || continues);
  }
}
