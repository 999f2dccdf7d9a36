package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;

/**
 * The write timestamps of columns: the event's time in microseconds since 1970, plus an hour for
 * each time that its hour was dropped.
 *
 * <pre>
 * generation 0   [start, start + 1 h)             as they came
 * drop           all that is before start + 1 h   a tombstone a row
 * generation 1   [start + 1 h, start + 2 h)       after the tombstone, and so not covered by it
 * </pre>
 *
 * One name of one generation always has one timestamp, so Cassandra keeps the larger payload.
 */
final class WriteTime {
  private static final long TICKS_PER_MICRO = Ticks.PER_MILLI / 1000;
  private static final long HOUR_MICROS = Ticks.PER_HOUR / TICKS_PER_MICRO;

  private WriteTime() {}

  static long micros(long ticks, int generation) {
    return (ticks - Ticks.UNIX_EPOCH) / TICKS_PER_MICRO + generation * HOUR_MICROS;
  }

  /** The last timestamp that a column of the hour can have in a generation. */
  static long lastMicros(Hour hour, int generation) {
    return micros(hour.endTicks(), generation) - 1;
  }
}
