package hourglass.query;

import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The rows of an hour that hold one type.
 *
 * @param type the type
 * @param rows at least one
 */
record TypedRows(String type, List<RowEntry> rows) {

  /** Groups the rows of an hour by type, sorted. */
  static List<TypedRows> group(List<RowEntry> rows) {
    TreeMap<String, List<RowEntry>> byType = new TreeMap<>();
    for (RowEntry row : rows) {
      byType.computeIfAbsent(row.row().type(), type -> new ArrayList<>()).add(row);
    }
    List<TypedRows> groups = new ArrayList<>(byType.size());
    byType.forEach((type, entries) -> groups.add(new TypedRows(type, entries)));
    return groups;
  }
}
