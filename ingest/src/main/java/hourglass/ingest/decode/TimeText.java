package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;

/**
 * Reads a time of RFC 3339 from bytes, into {@link Ticks}. Digits under 100 ns are cut off. Not
 * thread-safe.
 *
 * <pre>
 * 2026-11-20T08:00:00Z     2026-11-20t08:00:00.000331+01:00     2026-11-20 08:00:00z
 * </pre>
 *
 * <p>A leap second has no tick of its own: {@code 23:59:60} UTC, whatever its fraction, is the last
 * tick of that minute, so that it stays in its hour. A second 60 elsewhere is not a time.
 */
final class TimeText {
  /** No time of a text: before all that can be written with four digits of a year. */
  static final long NOT_A_TIME = Long.MIN_VALUE;

  private static final int SHORTEST = "2026-11-20T08:00:00Z".length();
  private static final int DAY_SECONDS = 86_400;

  // The ticks of the last minute read, by its 16 bytes: most events are of the same minute as the
  // one before.
  private long minuteText0;
  private long minuteText1;
  private long minuteTicks;

  /** The time that {@code [from, to)} holds, in ticks, or {@link #NOT_A_TIME}. */
  long parse(byte[] b, int from, int to) {
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
    int zoneFrom = b[fractionFrom] == '.' ? JsonScanner.digits(b, fractionFrom + 1) : fractionFrom;
    if (zoneFrom == fractionFrom + 1 || zoneFrom >= to) {
      return NOT_A_TIME;
    }
    long utcMinute = minute - offsetMinutes(b, zoneFrom, to) * Ticks.PER_MINUTE;
    if (utcMinute > minute + Ticks.PER_HOUR * 24) {
      return NOT_A_TIME;
    }
    if (second < 60) {
      return utcMinute + second * Ticks.PER_SECOND + fraction(b, fractionFrom, zoneFrom);
    }
    return second == 60 ? leapSecond(utcMinute) : NOT_A_TIME;
  }

  private static boolean isDigit(int value) {
    return value >= 0 && value <= 9;
  }

  private long minute(byte[] b, int from) {
    long text0 = Words.at(b, from);
    long text1 = Words.at(b, from + 8);
    if (text0 == minuteText0 && text1 == minuteText1) {
      return minuteTicks;
    }
    long ticks = readMinute(b, from);
    if (ticks != NOT_A_TIME) {
      minuteText0 = text0;
      minuteText1 = text1;
      minuteTicks = ticks;
    }
    return ticks;
  }

  private static long readMinute(byte[] b, int from) {
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
    if (!shape || !ranges || month < 1 || month > 12 || day < 1 || day > days(year, month)) {
      return NOT_A_TIME;
    }
    return Ticks.UNIX_EPOCH
        + epochDay(year, month, day) * DAY_SECONDS * Ticks.PER_SECOND
        + (hour * 60L + minute) * Ticks.PER_MINUTE;
  }

  /** A number of so many digits, or below 0. */
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

  private static int days(int year, int month) {
    if (month == 2) {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  }

  /** Days since 1970: H. Hinnant's days_from_civil. */
  private static long epochDay(int year, int month, int day) {
    long y = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(y, 400L);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468;
  }

  /** The fraction after the dot in ticks. */
  private static long fraction(byte[] b, int dot, int end) {
    long ticks = 0;
    for (int i = dot + 1; i < dot + 8; i++) {
      ticks = ticks * 10 + (i < end ? b[i] - '0' : 0);
    }
    return ticks;
  }

  /** What the offset adds to UTC, in minutes; hugely negative if it is none. */
  private static long offsetMinutes(byte[] b, int from, int to) {
    int length = to - from;
    if (length == 1 && (b[from] | 0x20) == 'z') {
      return 0;
    }
    if (length == 6 && (b[from] == '+' || b[from] == '-') && b[from + 3] == ':') {
      int hours = number(b, from + 1, 2);
      int minutes = number(b, from + 4, 2);
      if (hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60) {
        int offset = hours * 60 + minutes;
        return b[from] == '-' ? -offset : offset;
      }
    }
    return -100_000;
  }

  private static long leapSecond(long utcMinute) {
    long minuteOfDay = Math.floorMod((utcMinute - Ticks.UNIX_EPOCH) / Ticks.PER_MINUTE, 1440L);
    return minuteOfDay == 1439 ? utcMinute + Ticks.PER_MINUTE - 1 : NOT_A_TIME;
  }
}
