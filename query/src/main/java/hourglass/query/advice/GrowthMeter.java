package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.RowEntry;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells how fast rows grow by the counts of two looks at the directory: this one and, if rows are
 * looked at all the time, one of 10 to 20 s ago. Remembers a bounded number of rows. Thread-safe.
 *
 * <p>What the directory of a cluster has of a row may run ahead of its columns, by a known number.
 * So a look has the least and the most that there may be, and so has what came between two:
 *
 * <pre>
 * before    at least 1,000, at most 1,125
 * now       at least 1,900, at most 2,137     came: 775 to 1,137, told as 956
 * or now    at least 1,100, at most 1,237     came:   0 to   237, not told
 * </pre>
 */
public final class GrowthMeter {
  /** Rows remembered, some 200 bytes each. */
  static final int ROWS_MAX = 10_000;

  /** Over less time, counts that are told in steps would show as bursts. */
  private static final long APART_MILLIS_MIN = 2_000;

  /** Looks so far apart are worth remembering both. */
  private static final long APART_MILLIS = 10_000;

  /** What a row had longer ago says nothing of now. */
  private static final long AGE_MILLIS_MAX = 60_000;

  /** What is told is wrong by half at the most: the middle of something and three times as much. */
  private static final int MOST_TO_LEAST_MAX = 3;

  /** The one that was looked at longest ago is the first. */
  private final LinkedHashMap<RowKey, Looks> looks = new LinkedHashMap<>();

  private record Look(long columnsMin, long columnsMax, long millis) {
    static Look at(RowFill row, long nowMillis) {
      long ahead = row.entry().sealed() ? 0 : row.entry().columnsAhead();
      return new Look(row.columns() - ahead, row.columns(), nowMillis);
    }
  }

  /** Two looks {@link #APART_MILLIS} apart or more; at first, the same one twice. */
  private record Looks(Look earlier, Look later) {}

  /**
   * Looks at a row.
   *
   * @param nowMillis when the directory had it so, since 1970; looks may come in another order
   * @return null while nothing can be said: the row's first column lies ahead, or its counts say
   *     too little
   */
  public @Nullable Growth look(RowFill row, long nowMillis) {
    Look now = Look.at(row, nowMillis);
    Look before = remember(row, now);
    return before != null && nowMillis - before.millis >= APART_MILLIS_MIN
        ? between(before, now)
        : sinceFirst(row.entry(), now);
  }

  /** Gives the look to compare with, or null if there is none. */
  private synchronized @Nullable Look remember(RowFill row, Look now) {
    RowKey key = row.entry().row();
    Looks known = looks.get(key);
    if (known == null || isForeign(known, now)) {
      looks.remove(key);
      put(key, new Looks(now, now), now);
      return null;
    }
    if (now.millis - known.later.millis < APART_MILLIS) { // or one that was overtaken by later ones
      return now.millis - known.earlier.millis <= AGE_MILLIS_MAX ? known.earlier : known.later;
    }
    looks.remove(key);
    put(key, new Looks(known.later, now), now);
    return known.later;
  }

  /** Nobody who looks at more rows than are remembered drives out what another one looks at. */
  private void put(RowKey key, Looks now, Look at) {
    if (looks.size() >= ROWS_MAX) {
      Iterator<Looks> eldest = looks.values().iterator();
      if (!isForeign(eldest.next(), at)) {
        return;
      }
      eldest.remove();
    }
    looks.put(key, now);
  }

  /** Too old, or of a clock that was put back since. */
  private static boolean isForeign(Looks known, Look now) {
    return Math.abs(now.millis - known.later.millis) > AGE_MILLIS_MAX;
  }

  private static @Nullable Growth between(Look before, Look now) {
    return of(
        now.columnsMin - before.columnsMax,
        now.columnsMax - before.columnsMin,
        (now.millis - before.millis) / 1e3);
  }

  private static @Nullable Growth sinceFirst(RowEntry entry, Look now) {
    long firstMillis = (entry.first().ticks() - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
    return firstMillis > now.millis
        ? null
        : of(now.columnsMin, now.columnsMax, Math.max(1_000, now.millis - firstMillis) / 1e3);
  }

  private static @Nullable Growth of(long columnsMin, long columnsMax, double seconds) {
    // Fewer than before: columns that were counted twice were found to be one.
    long least = Math.max(0, columnsMin);
    long most = Math.max(0, columnsMax);
    return most > MOST_TO_LEAST_MAX * least
        ? null
        : new Growth((least + most) / 2.0 / seconds, seconds);
  }
}
