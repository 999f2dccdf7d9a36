package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.embedded.memory.LoadedHour;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The place of a walk over the pages of all rows of type hours, hour by hour. It stays between two
 * steps, in the middle of a row too. Not thread-safe.
 */
final class TypeHourWalk {
  private static final Comparator<TypeHour> BY_HOUR =
      Comparator.comparing(TypeHour::hour).thenComparing(TypeHour::type);

  private final Deque<TypeHour> typeHours;

  /** The rows that are left of the type hour before {@link #typeHours}. */
  private final Deque<RowKey> rows = new ArrayDeque<>();

  /** The first name of the next page of the first row; null if that is its first page. */
  private @Nullable TimeUuid from;

  TypeHourWalk(Collection<TypeHour> all) {
    typeHours = new ArrayDeque<>(all.stream().sorted(BY_HOUR).toList());
  }

  boolean isOver() {
    return rows.isEmpty() && typeHours.isEmpty();
  }

  /** Returns the hour of the next row. The walk must not be over. */
  Hour hour() {
    return rows.isEmpty() ? typeHours.element().hour() : rows.element().hour();
  }

  /** Leaves out the rest of an hour. */
  void leave(Hour hour) {
    rows.clear();
    from = null;
    typeHours.removeIf(each -> each.hour().equals(hour));
  }

  /** Returns the next row, of the hour of the walk; null if that hour has no more. */
  @Nullable RowKey row(LoadedHour hour) {
    while (rows.isEmpty() && !typeHours.isEmpty() && hour().equals(hour.hour())) {
      hour.rows(typeHours.remove().type()).forEach(row -> rows.add(row.key()));
    }
    return rows.peek();
  }

  @Nullable TimeUuid from() {
    return from;
  }

  /** Goes on with a page of the same row, or with the next row if null. */
  void goOn(@Nullable TimeUuid firstOfPage) {
    from = firstOfPage;
    if (firstOfPage == null) {
      rows.remove();
    }
  }
}
