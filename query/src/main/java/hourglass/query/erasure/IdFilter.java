package hourglass.query.erasure;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.ContentFilter;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Accepts the events that have one of some ids. Immutable. */
public record IdFilter(Set<TimeUuid> ids) implements ContentFilter {
  public IdFilter {
    ids = Set.copyOf(ids);
  }

  /**
   * Returns selections of the events with these ids, one for each hour, so that no hour between two
   * ids is read. The ids are within 2000-2099.
   */
  public static List<Selection> selections(SortedSet<String> types, Collection<TimeUuid> ids) {
    TreeMap<Hour, TreeSet<TimeUuid>> byHour = new TreeMap<>();
    for (TimeUuid id : ids) {
      byHour.computeIfAbsent(id.hour(), hour -> new TreeSet<>()).add(id);
    }
    return byHour.values().stream()
        .map(
            some ->
                new Selection(
                    types,
                    new TimeRange(some.first().ticks(), some.last().ticks() + 1),
                    "",
                    false,
                    List.of(),
                    "",
                    new IdFilter(some)))
        .toList();
  }

  @Override
  public void check() {
    // any set of ids is valid
  }

  @Override
  public boolean mayBeOf(String type) {
    return true;
  }

  /** Returns true, so that the events are compared one by one. */
  @Override
  public boolean readsPayload() {
    return true;
  }

  @Override
  public boolean takes(String type, Columns columns, int i, BooleanSupplier gone) {
    return ids.contains(columns.id(i));
  }

  @Override
  public @Nullable FieldFilter fields() {
    return null;
  }

  @Override
  public @Nullable FieldFilter decidingFields() {
    return null;
  }
}
