package hourglass.query.tail;

import hourglass.bucketing.Ticks;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of the late arrival records that events of a time can have. A record that was settled
 * at some settled tick names no column from that tick on. So the search for records of later events
 * may skip all those settled then. Remembers the last minutes. Thread-safe.
 */
final class LateArrivalBounds {
  private static final long APART_TICKS = Ticks.PER_SECOND / 4;

  /** Four minutes; a tail further behind reads records first. */
  private static final int BOUNDS_MAX = 1_000;

  /** The settled end of the records at each settled tick. Guarded by this. */
  private final TreeMap<Long, LateArrivalPlace> settledEnds = new TreeMap<>();

  /** Remembers the settled end, unless the answer ends before it. */
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

  /** The place behind which all records of events from a tick on are; null if unknown. */
  synchronized @Nullable LateArrivalPlace from(long ticks) {
    Map.Entry<Long, LateArrivalPlace> known = settledEnds.floorEntry(ticks);
    return known == null ? null : known.getValue();
  }

  /** The place behind which all undelivered records of events after a position are. */
  LateArrivalPlace after(TailPosition position) {
    LateArrivalPlace known = from(position.name().ticks());
    return known == null || known.compareTo(position.place()) < 0 ? position.place() : known;
  }
}
