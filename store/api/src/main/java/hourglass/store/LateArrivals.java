package hourglass.store;

import java.util.List;

/**
 * The records of late arrivals after a place, the answer of {@link WideColumnStore#lateArrivals}.
 *
 * @param settled in order and final: no record will appear between them, and their columns are
 *     visible
 * @param settledEnd the place at which to continue
 * @param unsettled records after that place, in no order; others may appear between them, and some
 *     of their columns may not be visible yet
 * @param more whether there are more records than requested; then {@code unsettled} is empty
 * @param truncated whether records after the requested place may be lost: the place is older than
 *     the log, or of another store; then {@code settled} begins with the oldest record
 * @param settledTicks every column before this tick that has no record is visible from now on; no
 *     settled record names a column at or after this tick, unless its write failed
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
