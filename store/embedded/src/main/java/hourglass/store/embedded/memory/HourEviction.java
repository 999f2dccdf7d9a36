package hourglass.store.embedded.memory;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.files.HourPages;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Evicts the least recently used hours from memory. Hours that are pinned, or have rows that were
 * not flushed, stay. Not thread-safe.
 */
final class HourEviction {
  /**
   * The most hours in memory. A query over more hours reads the directories of their sections again
   * each time.
   */
  private static final int LOADED_MAX = 256;

  private final RowRoom room;
  private final int entriesKept;

  /**
   * The number of loaded hours from which on unused ones are looked for. It is larger than {@link
   * #LOADED_MAX} while more are in use: a look at all of them for each load would be quadratic.
   */
  private int dueAt = LOADED_MAX;

  /**
   * The number of rows and pages in memory above which unused hours are looked for, for the same
   * reason.
   */
  private long dueAtEntries;

  /**
   * @param entriesKept the number of rows and pages in memory above which unused hours are evicted
   */
  HourEviction(RowRoom room, int entriesKept) {
    this.room = room;
    this.entriesKept = entriesKept;
    this.dueAtEntries = entriesKept;
  }

  /** Evicts unused hours, if many were loaded since the last look for them. */
  void evictIfDue(Map<Hour, LoadedHour> loaded, long newestUse) {
    if (loaded.size() >= dueAt || room.entries().total() > dueAtEntries) {
      evict(loaded, newestUse);
    }
  }

  /** Evicts unused hours that are too many. The one of {@code newestUse} stays. */
  void evict(Map<Hour, LoadedHour> loaded, long newestUse) {
    if (isEnough(loaded)) {
      dueAt = LOADED_MAX;
      dueAtEntries = entriesKept;
      return;
    }
    List<LoadedHour> oldestFirst =
        loaded.values().stream()
            .filter(state -> state.usedAt() < newestUse)
            .filter(state -> !state.isPinned() && state.openRows() == 0)
            .sorted(Comparator.comparingLong(LoadedHour::usedAt))
            .toList();
    for (LoadedHour oldest : oldestFirst) {
      if (isEnough(loaded)) {
        break;
      }
      loaded.remove(oldest.hour());
      room.evicted(oldest.hour(), oldest.evicted());
      oldest.pages().forEach(HourPages::forget);
    }
    dueAt = Math.max(LOADED_MAX, loaded.size() + loaded.size() / 4);
    long entries = room.entries().total();
    dueAtEntries = Math.max(entriesKept, entries + entries / 4);
  }

  private boolean isEnough(Map<Hour, LoadedHour> loaded) {
    return loaded.size() < LOADED_MAX && room.entries().total() <= entriesKept;
  }
}
