package hourglass.store.embedded.rows;

import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.List;

/** Merges the names of parts of a row, and reads payloads only where needed. */
final class NamesMerge {
  private NamesMerge() {}

  /**
   * The distinct names of a range.
   *
   * @return names with the right lengths; payloads may be present or absent
   */
  static Columns of(List<RowPart> parts, ColumnRange range) {
    List<Columns> names = load(parts, range, Projection.NAMES);
    Columns merged = Columns.merge(names);
    boolean repeats = merged.size() < names.stream().mapToInt(Columns::size).sum();
    // Of two columns with one name, the payloads decide which one stays.
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
