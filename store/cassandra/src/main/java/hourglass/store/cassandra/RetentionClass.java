package hourglass.store.cassandra;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A retention class: types that are kept equally long share a table.
 *
 * @param name {@code keep}, or the time in its largest whole unit: {@code 30d}, {@code 36h}
 * @param seconds how long events are kept after the end of their hour; 0: for ever
 */
record RetentionClass(String name, int seconds) {
  /** Of the names of all tables that hold events. */
  static final String TABLE_PREFIX = "events_";

  static final RetentionClass KEEP = new RetentionClass("keep", 0);

  /** Cassandra's guides say: fewer than 50 windows, so that few files are open at a time. */
  private static final int WINDOWS = 48;

  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;

  static RetentionClass of(@Nullable Duration keep) {
    if (keep == null || keep.equals(CassandraOptions.KEEP)) {
      return KEEP;
    }
    int seconds = Math.toIntExact(keep.toSeconds());
    if (seconds % DAY == 0) {
      return new RetentionClass(seconds / DAY + "d", seconds);
    }
    return seconds % HOUR == 0
        ? new RetentionClass(seconds / HOUR + "h", seconds)
        : new RetentionClass(seconds + "s", seconds);
  }

  /**
   * The class of a name that {@link #of} made.
   *
   * @throws IllegalArgumentException naming the name
   */
  static RetentionClass parse(String name) {
    if (name.equals(KEEP.name)) {
      return KEEP;
    }
    try {
      int count = Integer.parseInt(name.substring(0, name.length() - 1));
      int unit =
          switch (name.charAt(name.length() - 1)) {
            case 'd' -> DAY;
            case 'h' -> HOUR;
            case 's' -> 1;
            default -> throw new NumberFormatException(name);
          };
      return new RetentionClass(name, Math.multiplyExact(count, unit));
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("retention class \"" + name + "\": unknown", e);
    }
  }

  String table() {
    return TABLE_PREFIX + name;
  }

  boolean ends() {
    return seconds > 0;
  }

  /**
   * The compaction of the class's table: with an end, files that go whole when their time is up.
   */
  String compaction() {
    return ends()
        ? "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS',"
            + " 'compaction_window_size': '"
            + windowHours()
            + "'}"
        : "{'class': 'UnifiedCompactionStrategy'}";
  }

  private int windowHours() {
    return Math.max(1, (seconds + WINDOWS * HOUR - 1) / (WINDOWS * HOUR));
  }
}
