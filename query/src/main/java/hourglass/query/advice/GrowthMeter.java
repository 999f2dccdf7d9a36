package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.query.advice.RowsReport.Growth;
import hourglass.store.RowEntry;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures the growth of rows from two observations, which are 10 to 20 s apart if rows are
 * observed continuously. Remembers a bounded number of rows. Thread-safe.
 *
 * <p>The directory of a cluster may be ahead of a row's columns, by a known number. So an
 * observation has a lower and an upper bound, and so has a difference:
 *
 * <pre>
 * before    at least 1,000, at most 1,125
 * now       at least 1,900, at most 2,137     growth: 775 to 1,137, reported as 956
 * or now    at least 1,100, at most 1,237     growth:   0 to   237, not reported
 * </pre>
 */
public final class GrowthMeter {
  /** The most rows that are remembered, at some 200 bytes each. */
  static final int ROWS_MAX = 10_000;

  /**
   * The least time between two observations. Over less time, counts that are announced in steps
   * look like bursts.
   */
  private static final long APART_MILLIS_MIN = 2_000;

  private static final long APART_MILLIS = 10_000;

  private static final long AGE_MILLIS_MAX = 60_000;

  /**
   * The largest ratio of the bounds of a reported growth. The reported middle is then wrong by half
   * at most.
   */
  private static final int MOST_TO_LEAST_MAX = 3;

  /** The observations of rows, in the order of the last one, oldest first. */
  private final LinkedHashMap<RowKey, Observed> observed = new LinkedHashMap<>();

  private record Observation(long columnsMin, long columnsMax, long millis) {
    static Observation at(RowFill row, long nowMillis) {
      long ahead = row.entry().sealed() ? 0 : row.entry().columnsAhead();
      return new Observation(row.columns() - ahead, row.columns(), nowMillis);
    }
  }

  /**
   * Two observations at least {@link #APART_MILLIS} apart; in the beginning, one observation twice.
   */
  private record Observed(Observation earlier, Observation later) {}

  /**
   * Observes a row.
   *
   * @param nowMillis time of reading the directory, since 1970; may be out of order
   * @return the growth; null if the row's first column is in the future, or the bounds are too far
   *     apart
   */
  @Nullable Growth observe(RowFill row, long nowMillis) {
    Observation now = Observation.at(row, nowMillis);
    Observation before = remember(row, now);
    return before != null && nowMillis - before.millis >= APART_MILLIS_MIN
        ? between(before, now)
        : sinceFirst(row.entry(), now);
  }

  /** Remembers an observation, and returns the one to compare it with; null if there is none. */
  private synchronized @Nullable Observation remember(RowFill row, Observation now) {
    RowKey key = row.entry().row();
    Observed known = observed.get(key);
    if (known == null || isForeign(known, now)) {
      put(key, new Observed(now, now), now);
      return null;
    }
    if (now.millis - known.later.millis < APART_MILLIS) { // or it is out of order
      return now.millis - known.earlier.millis <= AGE_MILLIS_MAX ? known.earlier : known.later;
    }
    put(key, new Observed(known.later, now), now);
    return known.later;
  }

  /**
   * Adds a row unless the map is full of recent ones, so that a client cannot evict the rows of
   * another one.
   */
  private void put(RowKey key, Observed now, Observation at) {
    observed.remove(key); // the map is in the order of observation
    if (observed.size() >= ROWS_MAX) {
      Iterator<Observed> eldest = observed.values().iterator();
      if (!isForeign(eldest.next(), at)) {
        return;
      }
      eldest.remove();
    }
    observed.put(key, now);
  }

  /** Whether the last observation is too old, or was made before a clock was set back. */
  private static boolean isForeign(Observed known, Observation now) {
    return Math.abs(now.millis - known.later.millis) > AGE_MILLIS_MAX;
  }

  private static @Nullable Growth between(Observation before, Observation now) {
    return of(
        now.columnsMin - before.columnsMax,
        now.columnsMax - before.columnsMin,
        (now.millis - before.millis) / 1e3);
  }

  private static @Nullable Growth sinceFirst(RowEntry entry, Observation now) {
    long firstMillis = (entry.first().ticks() - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
    return firstMillis > now.millis
        ? null
        : of(now.columnsMin, now.columnsMax, Math.max(1_000, now.millis - firstMillis) / 1e3);
  }

  private static @Nullable Growth of(long columnsMin, long columnsMax, double seconds) {
    // The number falls if columns that were counted twice turn out to be one.
    long least = Math.max(0, columnsMin);
    long most = Math.max(0, columnsMax);
    return most > MOST_TO_LEAST_MAX * least
        ? null
        : new Growth((least + most) / 2.0 / seconds, seconds);
  }
}
