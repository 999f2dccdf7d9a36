package hourglass.query.erasure;

import hourglass.bucketing.TypeHour;
import hourglass.store.erasure.ErasedRow;
import java.util.List;

/**
 * The events that an erasure selects. Immutable.
 *
 * @param bytes of their payloads
 * @param firstTicks the time of the first; meaningless without events
 * @param lastTicks the time of the last; meaningless without events
 * @param hours the number of hours that contain some
 * @param samples some of the events, as JSON
 * @param rows their names, those of a type hour under one of its rows; empty if they are too many
 *     for one erasure
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

  List<TypeHour> typeHours() {
    return rows.stream().map(row -> row.row().typeHour()).distinct().toList();
  }
}
