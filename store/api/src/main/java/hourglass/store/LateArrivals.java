package hourglass.store;

import java.util.List;

/**
 * The notes of late columns behind a place, as {@link WideColumnStore#lateArrivals} answers them.
 *
 * @param settled in order; no other note will ever stand among them, and their columns are visible
 * @param settledEnd up to where they are all: the place to ask for next
 * @param unsettled notes behind that, in no order: of their columns some may not be visible yet,
 *     and others may come to stand among them
 * @param more whether there are more than were asked for: then none that is unsettled is told
 * @param truncated whether notes behind the place that was asked for may be gone: it is older than
 *     what the store keeps, or another store's; then {@code settled} begins with the oldest
 * @param settledTicks every column before that tick of which there is no note is visible to reads
 *     that begin from now on; no note that is settled names a column from that tick on, unless its
 *     write failed
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
