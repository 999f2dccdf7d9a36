package hourglass.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads a time of RFC 3339 from bytes, in units of 100 ns; further digits are cut off. Not
 * thread-safe.
 *
 * <pre>
 * 2026-11-20T08:00:00Z     2026-11-20t08:00:00.000331+01:00     2026-11-20 08:00:00z
 * </pre>
 *
 * <p>A leap second, {@code 23:59:60} UTC with any fraction, is the last unit of that minute, so
 * that it stays in its hour. A second 60 elsewhere is not a time.
 */
public final class Rfc3339 {
  /**
   * The answer for a text that is not a time. It is earlier than any time with a year of four
   * digits.
   */
  public static final long NOT_A_TIME = Long.MIN_VALUE;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final long PER_SECOND = 10_000_000;
  private static final long PER_MINUTE = 60 * PER_SECOND;
  private static final long PER_DAY = 1_440 * PER_MINUTE;
  private static final int SHORTEST = "2026-11-20T08:00:00".length();

  private final long unixEpoch;

  // The last minute is kept with its 16 bytes, since most events share the minute of the one
  // before.
  private long minuteText0;
  private long minuteText1;
  private long minuteNumber = NOT_A_TIME;

  /** Creates a reader that counts 1970-01-01T00:00Z as {@code unixEpoch}. */
  public Rfc3339(long unixEpoch) {
    this.unixEpoch = unixEpoch;
  }

  /** Returns the time in {@code [from, to)}; {@link #NOT_A_TIME} if that is none. */
  public long parse(byte[] b, int from, int to) {
    return parse(b, from, to, false);
  }

  /**
   * Returns the time as {@link #parse(byte[], int, int)} does.
   *
   * @param takesLocal whether to accept a time without an offset, as UTC; RFC 3339 requires an
   *     offset
   */
  public long parse(byte[] b, int from, int to, boolean takesLocal) {
    if (to - from < SHORTEST) {
      return NOT_A_TIME;
    }
    long minute = minute(b, from);
    int tens = b[from + 17] - '0';
    int ones = b[from + 18] - '0';
    boolean shape = b[from + 16] == ':' && isDigit(tens) && isDigit(ones);
    if (minute == NOT_A_TIME || !shape) {
      return NOT_A_TIME;
    }
    int second = tens * 10 + ones;
    int fractionFrom = from + 19;
    boolean hasFraction = fractionFrom < to && b[fractionFrom] == '.';
    int zoneFrom = hasFraction ? digits(b, fractionFrom + 1, to) : fractionFrom;
    boolean isLocal = zoneFrom == to;
    if (zoneFrom == fractionFrom + 1 || isLocal && !takesLocal) {
      return NOT_A_TIME;
    }
    long offset = isLocal ? 0 : offsetMinutes(b, zoneFrom, to);
    long utcMinute = minute - offset * PER_MINUTE;
    if (utcMinute > minute + PER_DAY) {
      return NOT_A_TIME;
    }
    if (second < 60) {
      return utcMinute + second * PER_SECOND + fraction(b, fractionFrom, zoneFrom);
    }
    return second == 60 ? leapSecond(utcMinute) : NOT_A_TIME;
  }

  private static int digits(byte[] b, int from, int to) {
    int at = from;
    while (at < to && isDigit(b[at] - '0')) {
      at++;
    }
    return at;
  }

  private static boolean isDigit(int value) {
    return value >= 0 && value <= 9;
  }

  private long minute(byte[] b, int from) {
    long text0 = (long) WORDS.get(b, from);
    long text1 = (long) WORDS.get(b, from + 8);
    if (text0 == minuteText0 && text1 == minuteText1) {
      return minuteNumber;
    }
    long ticks = readMinute(b, from);
    if (ticks != NOT_A_TIME) {
      minuteText0 = text0;
      minuteText1 = text1;
      minuteNumber = ticks;
    }
    return ticks;
  }

  private long readMinute(byte[] b, int from) {
    int year = number(b, from, 4);
    int month = number(b, from + 5, 2);
    int day = number(b, from + 8, 2);
    int hour = number(b, from + 11, 2);
    int minute = number(b, from + 14, 2);
    byte t = b[from + 10];
    boolean shape =
        b[from + 4] == '-'
            && b[from + 7] == '-'
            && (t == 'T' || t == 't' || t == ' ')
            && b[from + 13] == ':';
    boolean ranges = year >= 0 && hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
    if (!shape
        || !ranges
        || month < 1
        || month > 12
        || day < 1
        || day > CivilDate.days(year, month)) {
      return NOT_A_TIME;
    }
    return unixEpoch
        + CivilDate.epochDay(year, month, day) * PER_DAY
        + (hour * 60L + minute) * PER_MINUTE;
  }

  /** Returns the number of so many digits; below 0 if they are not all digits. */
  private static int number(byte[] b, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      int digit = b[i] - '0';
      if (!isDigit(digit)) {
        return Integer.MIN_VALUE;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static long fraction(byte[] b, int dot, int end) {
    long ticks = 0;
    for (int i = dot + 1; i < dot + 8; i++) {
      ticks = ticks * 10 + (i < end ? b[i] - '0' : 0);
    }
    return ticks;
  }

  /** Returns the offset from UTC in minutes; hugely negative if it is malformed. */
  private static long offsetMinutes(byte[] b, int from, int to) {
    int length = to - from;
    if (length == 1 && (b[from] | 0x20) == 'z') {
      return 0;
    }
    boolean hasColon = length == 6 && b[from + 3] == ':';
    if ((hasColon || length == 5 || length == 3) && (b[from] == '+' || b[from] == '-')) {
      int hours = number(b, from + 1, 2);
      int minutes = length == 3 ? 0 : number(b, to - 2, 2);
      if (hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60) {
        int offset = hours * 60 + minutes;
        return b[from] == '-' ? -offset : offset;
      }
    }
    return -100_000;
  }

  private long leapSecond(long utcMinute) {
    long minuteOfDay = Math.floorMod((utcMinute - unixEpoch) / PER_MINUTE, 1440L);
    return minuteOfDay == 1439 ? utcMinute + PER_MINUTE - 1 : NOT_A_TIME;
  }
}
