package hourglass.store.cassandra.rows;

import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.Hour;
import hourglass.store.Retention;
import java.time.Duration;

/**
 * Types with the same retention, which share a table.
 *
 * @param name as in the directory: {@code packs_} and the time in its largest whole unit, {@code
 *     packs_30d} or {@code packs_36h}, or {@code packs_keep}; also the name of the table
 * @param seconds from the end of the hour; 0: for ever
 */
public record RetentionClass(String name, int seconds) {
  public static final String TABLE_PREFIX = "packs_";

  private static final String PAGES_PREFIX = "pages_";
  private static final String KEEP_NAME = "keep";

  static final RetentionClass KEEP = new RetentionClass(TABLE_PREFIX + KEEP_NAME, 0);

  /** Cassandra's guides recommend fewer than 50 windows, to keep few files open. */
  private static final int WINDOWS = 48;

  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;

  public static RetentionClass of(Duration keep) {
    if (keep.equals(Retention.FOREVER)) {
      return KEEP;
    }
    int seconds = Math.toIntExact(keep.toSeconds());
    if (seconds % DAY == 0) {
      return new RetentionClass(TABLE_PREFIX + seconds / DAY + "d", seconds);
    }
    return seconds % HOUR == 0
        ? new RetentionClass(TABLE_PREFIX + seconds / HOUR + "h", seconds)
        : new RetentionClass(TABLE_PREFIX + seconds + "s", seconds);
  }

  /** Throws IllegalArgumentException naming a name that {@link #of} never makes. */
  public static RetentionClass parse(String name) {
    String time = name.startsWith(TABLE_PREFIX) ? name.substring(TABLE_PREFIX.length()) : "";
    if (time.equals(KEEP_NAME)) {
      return new RetentionClass(name, 0);
    }
    try {
      int count = Integer.parseInt(time.substring(0, time.length() - 1));
      int unit =
          switch (time.charAt(time.length() - 1)) {
            case 'd' -> DAY;
            case 'h' -> HOUR;
            case 's' -> 1;
            default -> throw new NumberFormatException(name);
          };
      return new RetentionClass(name, Math.multiplyExact(count, unit));
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "retention class \"%s\": want a name such as \"%s30d\"; a build before 0.1.0 wrote it, and its rows cannot be read"
              .formatted(name, TABLE_PREFIX),
          e);
    }
  }

  /** The table of the pages of sealed rows. */
  public String pagesTable() {
    return PAGES_PREFIX + name.substring(TABLE_PREFIX.length());
  }

  public boolean ends() {
    return seconds > 0;
  }

  /**
   * Lets data expire with the retention of its hour: the TTL counts from the end of the hour.
   *
   * <p>A replay thus prolongs nothing. Also, values that are written again expire in the same
   * second.
   */
  public <T extends Statement<T>> T expiring(Hour hour, T statement) {
    return ends()
        ? statement.setNowInSeconds(Math.toIntExact(hour.end().getEpochSecond()))
        : statement;
  }

  /** The compaction of the tables. With a finite retention, whole files expire. */
  public String compaction() {
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
