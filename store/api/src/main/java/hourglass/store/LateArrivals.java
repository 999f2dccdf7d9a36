package hourglass.store;

import java.util.List;

/**
 * The records of late arrivals behind a place; the answer of {@link LateArrivalLog#lateArrivals}.
 *
 * @param settled in order and final: no record will appear between them, and their columns are
 *     visible
 * @param settledEnd the end of the settled records, from which to continue
 * @param unsettled records behind that end, in no order; some of their columns may not be visible
 *     yet, and other records may appear between them
 * @param more whether there are more records than requested; then {@code unsettled} is empty
 * @param truncated whether records behind the requested place may be gone: the place is older than
 *     the log, or of another store; then {@code settled} begins with the oldest record
 * @param settledTicks every column before this tick that has no record is visible to reads from now
 *     on; no settled record names a column at or after this tick, unless its write failed
 */
public record LateArrivals(
    List<LateArrival> settled,
    LateArrivalPlace settledEnd,
    List<LateArrival> unsettled,
    boolean more,
    boolean truncated,
    long settledTicks) {

  public LateArrivals {
    settled = List.copyOf(settled);
    unsettled = List.copyOf(unsettled);
  }
}
