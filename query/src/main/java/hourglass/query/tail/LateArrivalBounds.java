package hourglass.query.tail;

import hourglass.bucketing.Ticks;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of late arrival records by the times of their events. A record that settled at some
 * tick names no column from that tick on, so a search for later events may skip it. Remembers the
 * last minutes. Thread-safe.
 */
final class LateArrivalBounds {
  private static final long APART_TICKS = Ticks.PER_SECOND / 4;

  /**
   * The most bounds that are kept, which cover four minutes. A tail with a larger lag reads records
   * first.
   */
  private static final int BOUNDS_MAX = 1_000;

  /** The end of the settled records by their settled tick. Guarded by this. */
  private final TreeMap<Long, LateArrivalPlace> settledEnds = new TreeMap<>();

  synchronized void add(LateArrivals found) {
    // If a clock was set back, the ends at later ticks are stale.
    settledEnds.tailMap(found.settledTicks(), false).clear();
    boolean isNew =
        settledEnds.isEmpty() || found.settledTicks() - settledEnds.lastKey() >= APART_TICKS;
    if (isNew && !found.more()) {
      settledEnds.put(found.settledTicks(), found.settledEnd());
      if (settledEnds.size() > BOUNDS_MAX) {
        settledEnds.pollFirstEntry();
      }
    }
  }

  /** Returns the place before all records of events from a tick on; null if it is unknown. */
  synchronized @Nullable LateArrivalPlace from(long ticks) {
    Map.Entry<Long, LateArrivalPlace> known = settledEnds.floorEntry(ticks);
    return known == null ? null : known.getValue();
  }

  /** Returns the place before all undelivered records of events after a position. */
  LateArrivalPlace after(TailPosition position) {
    LateArrivalPlace known = from(position.name().ticks());
    return known == null || known.compareTo(position.place()) < 0 ? position.place() : known;
  }
}
