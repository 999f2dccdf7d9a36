package hourglass.store.cassandra.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * How rows, names and times are stored.
 *
 * <p>The write timestamp of a value is the time of its first event in microseconds since 1970, plus
 * an hour for each drop of the event's hour:
 *
 * <pre>
 * generation 0   [start, start + 1 h)         the event times
 * drop           all before start + 1 h       one tombstone per row
 * generation 1   [start + 1 h, start + 2 h)   later than the tombstone, so not covered by it
 * </pre>
 */
public final class CqlValues {
  private static final int ID_BYTES = 16;
  private static final long TICKS_PER_MICRO = Ticks.PER_MILLI / 1000;
  private static final long HOUR_MICROS = Ticks.PER_HOUR / TICKS_PER_MICRO;

  private CqlValues() {}

  /** The partition key of a row. */
  public static ByteBuffer key(RowKey row) {
    return ByteBuffer.wrap(row.toString().getBytes(StandardCharsets.UTF_8));
  }

  static ByteBuffer id(TimeUuid name) {
    return id(name.ticks(), name.lsb());
  }

  static ByteBuffer id(long ticks, long lsb) {
    return ByteBuffer.allocate(ID_BYTES).putLong(0, TimeUuid.msbOfTicks(ticks)).putLong(8, lsb);
  }

  static TimeUuid name(ByteBuffer id) {
    return new TimeUuid(
        TimeUuid.ticksOfMsb(id.getLong(id.position())), id.getLong(id.position() + Long.BYTES));
  }

  static long writeMicros(long ticks, int generation) {
    return (ticks - Ticks.UNIX_EPOCH) / TICKS_PER_MICRO + generation * HOUR_MICROS;
  }

  static long lastWriteMicros(Hour hour, int generation) {
    return writeMicros(hour.endTicks(), generation) - 1;
  }
}
