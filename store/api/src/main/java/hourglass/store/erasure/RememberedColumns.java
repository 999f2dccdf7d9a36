package hourglass.store.erasure;

import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is kept of an erasure so that a repeat of its events is not stored again: hashes, and
 * nothing of the events. Immutable.
 *
 * @param names of the columns' names, by type hour
 * @param identities of the columns' names without their times
 */
public record RememberedColumns(Map<TypeHour, NameHashes> names, NameHashes identities) {
  public static final RememberedColumns NONE = new RememberedColumns(Map.of(), NameHashes.NONE);

  public RememberedColumns {
    names = Map.copyOf(names);
  }

  public static RememberedColumns of(Erasure erasure) {
    Map<TypeHour, List<NameHashes>> names = new HashMap<>();
    List<Columns> all = new ArrayList<>();
    for (ErasedRow row : erasure.rows()) {
      add(row.row().typeHour(), NameHashes.ofNames(row.names()), names);
      all.add(row.names());
    }
    return new RememberedColumns(union(names), NameHashes.ofIdentities(all));
  }

  /** Returns the hashes of all of them together. */
  public static RememberedColumns union(List<RememberedColumns> all) {
    Map<TypeHour, List<NameHashes>> names = new HashMap<>();
    for (RememberedColumns each : all) {
      each.names.forEach((typeHour, hashes) -> add(typeHour, hashes, names));
    }
    return new RememberedColumns(
        union(names), NameHashes.union(all.stream().map(RememberedColumns::identities).toList()));
  }

  private static void add(
      TypeHour typeHour, NameHashes hashes, Map<TypeHour, List<NameHashes>> to) {
    to.computeIfAbsent(typeHour, any -> new ArrayList<>()).add(hashes);
  }

  private static Map<TypeHour, NameHashes> union(Map<TypeHour, List<NameHashes>> parts) {
    Map<TypeHour, NameHashes> whole = new HashMap<>();
    parts.forEach((typeHour, hashes) -> whole.put(typeHour, NameHashes.union(hashes)));
    return whole;
  }

  public long size() {
    return names.values().stream().mapToLong(NameHashes::size).sum();
  }
}
