package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;

/**
 * The write timestamps of columns: event time in microseconds since 1970, plus an hour for each
 * drop of the event's hour.
 *
 * <pre>
 * generation 0   [start, start + 1 h)         the event times
 * drop           all before start + 1 h       one tombstone per row
 * generation 1   [start + 1 h, start + 2 h)   later than the tombstone, so not covered by it
 * </pre>
 *
 * Within a generation a name always has the same timestamp, so Cassandra keeps the larger payload.
 */
final class WriteTime {
  private static final long TICKS_PER_MICRO = Ticks.PER_MILLI / 1000;
  private static final long HOUR_MICROS = Ticks.PER_HOUR / TICKS_PER_MICRO;

  private WriteTime() {}

  static long micros(long ticks, int generation) {
    return (ticks - Ticks.UNIX_EPOCH) / TICKS_PER_MICRO + generation * HOUR_MICROS;
  }

  /** The last timestamp of a column of the hour in a generation. */
  static long lastMicros(Hour hour, int generation) {
    return micros(hour.endTicks(), generation) - 1;
  }
}
