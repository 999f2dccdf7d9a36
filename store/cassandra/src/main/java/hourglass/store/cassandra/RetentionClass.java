package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.Hour;
import hourglass.store.Retention;
import java.time.Duration;

/**
 * Types with the same retention, which share a table.
 *
 * @param name {@code keep}, or the time in its largest whole unit: {@code 30d}, {@code 36h}
 * @param seconds from the end of the hour; 0: for ever
 */
record RetentionClass(String name, int seconds) {
  static final String TABLE_PREFIX = "events_";

  static final RetentionClass KEEP = new RetentionClass("keep", 0);

  /** Cassandra's guides recommend fewer than 50 windows, to keep few files open. */
  private static final int WINDOWS = 48;

  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;

  static RetentionClass of(Duration keep) {
    if (keep.equals(Retention.FOREVER)) {
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

  /** Throws IllegalArgumentException naming a name that {@link #of} never makes. */
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
   * Lets data expire with the retention of its hour: the TTL counts from the end of the hour.
   *
   * <p>A replay thus prolongs nothing. Also, cells with the same name and write timestamp expire in
   * the same second. Otherwise Cassandra would compare expirations before bytes, and the larger
   * payload might lose.
   */
  <T extends Statement<T>> T expiring(Hour hour, T statement) {
    return ends()
        ? statement.setNowInSeconds(Math.toIntExact(hour.end().getEpochSecond()))
        : statement;
  }

  /** With a finite retention, whole files expire. */
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
