package hourglass.bucketing;

import hourglass.bytes.CivilDate;
import java.time.Instant;

/**
 * The unit of event time: intervals of 100 ns since 1582-10-15T00:00Z, as in a time UUID (RFC 9562,
 * section 5.1). Every {@code long} named {@code ticks} is in this unit.
 */
public final class Ticks {
  public static final long UNIX_EPOCH = 0x01B21DD213814000L;

  public static final long PER_MILLI = 10_000;
  public static final long PER_SECOND = 1_000 * PER_MILLI;
  public static final long PER_MINUTE = 60 * PER_SECOND;
  public static final long PER_HOUR = 60 * PER_MINUTE;

  /**
   * The length of the text that {@link #write} writes, such as {@code
   * 2026-11-20T08:00:00.0003310Z}.
   */
  public static final int TEXT_BYTES = 28;

  private Ticks() {}

  /** Returns the ticks of an instant, without its digits below 100 ns. */
  public static long of(Instant instant) {
    long seconds = Math.multiplyExact(instant.getEpochSecond(), PER_SECOND);
    return Math.addExact(UNIX_EPOCH, seconds) + instant.getNano() / 100;
  }

  public static Instant toInstant(long ticks) {
    long unix = ticks - UNIX_EPOCH;
    long nanos = Math.floorMod(unix, PER_SECOND) * 100;
    return Instant.ofEpochSecond(Math.floorDiv(unix, PER_SECOND), nanos);
  }

  /**
   * Returns the time in UTC, such as {@code 2026-11-20T08:00:00.0003310Z}. These texts sort by
   * time.
   */
  public static String text(long ticks) {
    byte[] text = new byte[TEXT_BYTES];
    write(ticks, text, 0);
    return new String(text, java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  /** Writes the text in ASCII, and returns the position after it. */
  public static int write(long ticks, byte[] out, int at) {
    long unix = ticks - UNIX_EPOCH;
    long seconds = Math.floorDiv(unix, PER_SECOND);
    int secondOfDay = (int) Math.floorMod(seconds, 86_400L);
    long date = CivilDate.ofEpochDay(Math.floorDiv(seconds, 86_400L));
    digits((int) (date >>> 16), 4, out, at);
    out[at + 4] = '-';
    digits((int) (date >>> 8) & 0xff, 2, out, at + 5);
    out[at + 7] = '-';
    digits((int) date & 0xff, 2, out, at + 8);
    out[at + 10] = 'T';
    digits(secondOfDay / 3600, 2, out, at + 11);
    out[at + 13] = ':';
    digits(secondOfDay / 60 % 60, 2, out, at + 14);
    out[at + 16] = ':';
    digits(secondOfDay % 60, 2, out, at + 17);
    out[at + 19] = '.';
    digits((int) Math.floorMod(unix, PER_SECOND), 7, out, at + 20);
    out[at + 27] = 'Z';
    return at + TEXT_BYTES;
  }

  private static void digits(int value, int count, byte[] out, int at) {
    int rest = value;
    for (int i = at + count - 1; i >= at; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
