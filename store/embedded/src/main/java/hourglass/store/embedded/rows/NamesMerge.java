package hourglass.store.embedded.rows;

import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.List;

/** Merges the names of parts of a row, payloads being read only where they must be. */
final class NamesMerge {
  private NamesMerge() {}

  /**
   * The distinct names of a range.
   *
   * @return with the right lengths; with payloads perhaps, and perhaps without
   */
  static Columns of(List<RowPart> parts, ColumnRange range) {
    List<Columns> names = load(parts, range, Projection.NAMES);
    Columns merged = Columns.merge(names);
    boolean repeats = merged.size() < names.stream().mapToInt(Columns::size).sum();
    // Only the payloads show which of two stays, and so its length.
    return repeats ? Columns.merge(load(parts, range, Projection.COLUMNS)) : merged;
  }

  private static List<Columns> load(List<RowPart> parts, ColumnRange range, Projection projection) {
    List<Columns> packs = new ArrayList<>(parts.size());
    for (RowPart part : parts) {
      Columns pack = part.load(projection).within(range);
      packs.add(projection == Projection.NAMES ? pack.namesOnly() : pack);
    }
    return packs;
  }
}
