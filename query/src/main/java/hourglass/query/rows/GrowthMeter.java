package hourglass.query.rows;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.RowEntry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells how fast rows grow by the counts of two looks at the directory: this one and, if rows are
 * looked at all the time, one of 10 to 20 s ago. Remembers a bounded number of rows. Thread-safe.
 */
public final class GrowthMeter {
  /** Rows remembered, some 150 bytes each. */
  static final int ROWS_MAX = 10_000;

  /** Over less time, counts that are told in steps would show as bursts. */
  private static final long APART_MILLIS_MIN = 2_000;

  /** Looks so far apart are worth remembering both. */
  private static final long APART_MILLIS = 10_000;

  /** What a row had longer ago says nothing of now. */
  private static final long AGE_MILLIS_MAX = 60_000;

  private final Map<RowKey, Looks> looks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RowKey, Looks> eldest) {
          return size() > ROWS_MAX;
        }
      };

  private record Look(long columns, long millis) {}

  /** Two looks {@link #APART_MILLIS} apart or more; at first, the same one twice. */
  private record Looks(Look earlier, Look later) {}

  /**
   * Looks at a row.
   *
   * @param nowMillis the time since 1970
   * @return null while nothing can be said: the row's first column lies ahead
   */
  public @Nullable Growth look(RowFill row, long nowMillis) {
    Look now = new Look(row.columns(), nowMillis);
    Look before = remember(row, now);
    return before != null && nowMillis - before.millis >= APART_MILLIS_MIN
        ? between(before, now)
        : sinceFirst(row.entry(), now);
  }

  /** Gives the look to compare with, or null if there is none. */
  private synchronized @Nullable Look remember(RowFill row, Look now) {
    Looks known = looks.get(row.entry().row());
    if (known == null || isForeign(now.millis - known.later.millis)) {
      looks.put(row.entry().row(), new Looks(now, now));
      return null;
    }
    if (now.millis - known.later.millis < APART_MILLIS) {
      return known.earlier;
    }
    looks.put(row.entry().row(), new Looks(known.later, now));
    return known.later;
  }

  private static boolean isForeign(long ageMillis) {
    return ageMillis < 0 || ageMillis > AGE_MILLIS_MAX; // negative: the clock was put back
  }

  private static Growth between(Look before, Look now) {
    double seconds = (now.millis - before.millis) / 1e3;
    // Fewer than before: a bound became a count.
    return new Growth(Math.max(0, now.columns - before.columns) / seconds, seconds);
  }

  private static @Nullable Growth sinceFirst(RowEntry entry, Look now) {
    long firstMillis = (entry.first().ticks() - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
    if (firstMillis > now.millis) {
      return null;
    }
    double seconds = Math.max(1_000, now.millis - firstMillis) / 1e3;
    return new Growth(now.columns / seconds, seconds);
  }
}
