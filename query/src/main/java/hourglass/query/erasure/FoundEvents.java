package hourglass.query.erasure;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.erasure.ErasedRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events that an erasure selects. Immutable.
 *
 * @param bytes of their payloads
 * @param firstTicks the time of the first; meaningless without events
 * @param lastTicks the time of the last; meaningless without events
 * @param hours the number of hours that contain some
 * @param samples some of the events, as JSON
 * @param rows their names by row; empty if they are too many for one erasure
 * @param missing the parts that the store should have and does not, so that events may be missing
 */
public record FoundEvents(
    long events,
    long bytes,
    long firstTicks,
    long lastTicks,
    int hours,
    List<byte[]> samples,
    List<ErasedRow> rows,
    List<String> missing) {
  public FoundEvents {
    samples = List.copyOf(samples);
    rows = List.copyOf(rows);
    missing = List.copyOf(missing);
  }

  /** Returns the types of the events. */
  public List<String> types() {
    return rows.stream().map(row -> row.row().type()).distinct().sorted().toList();
  }

  List<RowKey> keys() {
    return rows.stream().map(ErasedRow::row).toList();
  }

  /** Returns the names by type hour, whichever rows have them. */
  Map<TypeHour, Columns> byTypeHour() {
    Map<TypeHour, List<Columns>> parts = new HashMap<>();
    for (ErasedRow row : rows) {
      parts.computeIfAbsent(row.row().typeHour(), key -> new ArrayList<>()).add(row.names());
    }
    Map<TypeHour, Columns> all = new HashMap<>();
    parts.forEach((typeHour, some) -> all.put(typeHour, Columns.merge(some)));
    return all;
  }
}
