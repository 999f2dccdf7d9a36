package hourglass.query.tail;

import hourglass.bucketing.Ticks;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which notes the events of a time can have. A note that was settled when a tick was names nothing
 * from that tick on; so whoever looks for the notes of events from there on need not read those
 * that were settled then, however many they are. Remembers that for the last minutes. Thread-safe.
 */
final class NoteBounds {
  private static final long APART_TICKS = Ticks.PER_SECOND / 4;

  /** Four minutes: who is further behind reads notes first. */
  private static final int BOUNDS_MAX = 1_000;

  /** Of a tick, up to where all was settled then. Guarded by this. */
  private final TreeMap<Long, LateArrivalPlace> settledEnds = new TreeMap<>();

  /** Remembers how far all is settled, unless an answer ends before that. */
  synchronized void add(LateArrivals found) {
    // Where a clock was set back, places go back with it.
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

  /** Behind which place all notes of events from a tick on stand; null: that is not known. */
  synchronized @Nullable LateArrivalPlace from(long ticks) {
    Map.Entry<Long, LateArrivalPlace> known = settledEnds.floorEntry(ticks);
    return known == null ? null : known.getValue();
  }
}
