package hourglass.store.embedded.memory;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.OverloadedException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The room for rows and pages in memory. Clients share it by the rows that they made in loaded
 * hours; pages after the first of a row count for nobody. Thread-safe.
 */
public final class RowRoom {
  /** The entries of a row: itself, and its first page, which exists or will exist. */
  public static final int ROW_ENTRIES = 2;

  /** The least number of rows of an hour for which their maker is remembered after an eviction. */
  private static final int REMEMBERED_ROWS_MIN = 1_000;

  /**
   * The shortest delay that a refusal proposes, since the eviction of hours without writes takes a
   * while.
   */
  private static final Duration RETRY_AFTER_MIN = Duration.ofSeconds(10);

  /**
   * The longest delay that a refusal proposes: some time in the next hour, which has rows of its
   * own.
   */
  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);

  private final SharedRoom room;

  /**
   * The number of rows by the client that made them, for hours that were evicted. Without it, each
   * eviction would give a client a new share.
   */
  private final Map<Hour, Map<Object, Integer>> evicted = new ConcurrentHashMap<>();

  /** Creates room for {@code entriesMax} rows and pages. */
  public RowRoom(long entriesMax) {
    room = new SharedRoom(entriesMax);
  }

  /** The entries by client. All loaded hours share this object and its lock. */
  public SharedRoom entries() {
    return room;
  }

  boolean isFullFor(Object client) {
    return room.left(room.holder(client)) < ROW_ENTRIES;
  }

  /** Remembers the clients that made many rows of an hour whose entries were released. */
  void evicted(Hour hour, Map<Object, Integer> rowsMade) {
    Map<Object, Integer> many = new HashMap<>(rowsMade);
    many.values().removeIf(rows -> rows < REMEMBERED_ROWS_MIN);
    if (many.isEmpty()) {
      evicted.remove(hour);
    } else {
      evicted.put(hour, many);
    }
  }

  /**
   * Returns the clients that made rows of an hour that was loaded before, as far as that is
   * remembered.
   */
  Map<Object, Integer> madeBefore(Hour hour) {
    return evicted.getOrDefault(hour, Map.of());
  }

  /** Forgets an hour that was deleted. */
  void forget(Hour hour) {
    evicted.remove(hour);
  }

  /** Returns the exception for a row that has no room, with a message for its client. */
  OverloadedException refusal(
      RowKey row, Object client, Collection<LoadedHour> loaded, long nowMillis) {
    Object holder = room.holder(client);
    long own = room.held(holder);
    Duration wait = untilRoom(holder, loaded, nowMillis);
    return new OverloadedException(
        "new types: of %,d rows and pages that may be in memory, %,d are of types that this client began, %,d of others (hourglass_store_entries_held names the largest), and \"%s\" in %s exceeds its share; types that the hour has are taken, and new ones of the next hours from in about %,d s on: make what varies a field, not the type"
            .formatted(
                room.max(), own, room.total() - own, row.type(), row.hour(), wait.toSeconds()),
        wait);
  }

  /** The time until enough of the hours that fill the room are over. */
  private Duration untilRoom(Object holder, Collection<LoadedHour> loaded, long nowMillis) {
    long own = room.held(holder);
    long total = room.total();
    List<LoadedHour> oldestFirst =
        loaded.stream().sorted(Comparator.comparing(LoadedHour::hour)).toList();
    for (LoadedHour each : oldestFirst) {
      own -= (long) ROW_ENTRIES * each.rowsMade(holder);
      total -= each.entries();
      if (room.leftAt(own, total) >= ROW_ENTRIES) {
        long millis = Math.max(0, each.hour().end().toEpochMilli() - nowMillis);
        Duration wait = Duration.ofMillis(millis).plus(RETRY_AFTER_MIN);
        return wait.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : wait;
      }
    }
    return RETRY_AFTER_MIN; // a reader loaded hours for a moment
  }
}
