package hourglass.ingest.syslog;

import hourglass.bucketing.Ticks;
import hourglass.bytes.CivilDate;
import hourglass.bytes.Rfc3339;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Arrays;

/**
 * Reads times of syslog messages, in ticks. Not thread-safe.
 *
 * <pre>
 * 2026-11-23T11:57:37.934146+00:00   RFC 5424; without an offset, a time of the zone
 * Nov  3 11:57:38                    RFC 3164, of the zone; the year is the one nearest to now
 * Nov  3 2026 11:57:38.123           the form of network devices
 * </pre>
 */
final class MessageTimes {
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int MONTH_CHARS = 3;
  private static final int SHORT_BYTES = "Nov 23 11:57:38".length();
  private static final int ISO_BYTES = "2026-11-23T11:57:38".length();

  /** The most years to a leap day, since 1900 and 2100 are no leap years. */
  private static final int YEARS_TO_LEAP_DAY = 8;

  /** The time in which no zone changes its offset twice: 15 minutes. */
  private static final long OFFSET_TICKS = 15 * 60 * Ticks.PER_SECOND;

  private static final long DAY_TICKS = 24 * Ticks.PER_HOUR;

  /** The length from which a text is no time. */
  private static final int BYTES_MAX = 64;

  private final Rfc3339 iso = new Rfc3339(Ticks.UNIX_EPOCH);
  private final ZoneRules zone;
  private final byte[] withZone = new byte[BYTES_MAX + 1];

  private long nowTicks;
  private long yearsOf = Long.MIN_VALUE;
  private int thisYear;

  // These keep the offset of the last local time.
  private long offsetOf = Long.MIN_VALUE;
  private long offsetTicks;

  // These keep the last minute of RFC 3164 by its bytes, since most messages share the minute of
  // the one before.
  private final byte[] minuteText = new byte[SHORT_BYTES - 3];
  private long minuteTicks = Rfc3339.NOT_A_TIME;

  /** The end of the time that was read last. */
  private int end;

  MessageTimes(ZoneId zone) {
    this.zone = zone.getRules();
  }

  /** Sets the time of receipt of the next messages. */
  void now(long ticks) {
    nowTicks = ticks;
    long hour = ticks / Ticks.PER_HOUR;
    if (hour != yearsOf) {
      yearsOf = hour;
      minuteTicks = Rfc3339.NOT_A_TIME;
      long seconds = Math.floorDiv(ticks - Ticks.UNIX_EPOCH, Ticks.PER_SECOND);
      thisYear =
          LocalDateTime.ofEpochSecond(seconds, 0, zone.getOffset(Instant.ofEpochSecond(seconds)))
              .getYear();
    }
  }

  int end() {
    return end;
  }

  /**
   * Returns the time in {@code [from, to)}; {@link Rfc3339#NOT_A_TIME} unless all of it is an ISO
   * time.
   */
  long iso(byte[] b, int from, int to) {
    int length = to - from;
    if (length < ISO_BYTES || length >= BYTES_MAX) {
      return Rfc3339.NOT_A_TIME;
    }
    end = to;
    long ticks = iso.parse(b, from, to);
    return ticks == Rfc3339.NOT_A_TIME ? isoOfZone(b, from, to) : ticks;
  }

  private long isoOfZone(byte[] b, int from, int to) {
    byte last = b[to - 1];
    if (last < '0' || last > '9') {
      return Rfc3339.NOT_A_TIME;
    }
    System.arraycopy(b, from, withZone, 0, to - from);
    withZone[to - from] = 'Z';
    long local = iso.parse(withZone, 0, to - from + 1);
    return local == Rfc3339.NOT_A_TIME ? local : utc(local);
  }

  /** Reads the time with a month's name at {@code from}; it may end before {@code to}. */
  long named(byte[] b, int from, int to) {
    if (to - from < SHORT_BYTES) {
      return Rfc3339.NOT_A_TIME;
    }
    int textEnd = from + minuteText.length;
    if (minuteTicks != Rfc3339.NOT_A_TIME
        && Arrays.equals(b, from, textEnd, minuteText, 0, minuteText.length)) {
      return withSecond(minuteTicks, b, textEnd, to);
    }
    int month = month(b, from);
    int day = dayOrHour(b, from + 4);
    if (month == 0 || b[from + 3] != ' ' || b[from + 6] != ' ' || day < 1) {
      return Rfc3339.NOT_A_TIME;
    }
    int year = number(b, from + 7, 4, to);
    boolean hasYear = year >= 0 && from + 12 <= to && b[from + 11] == ' ';
    int clock = from + (hasYear ? 12 : 7);
    long minute = minuteOfDay(b, clock, to);
    if (minute < 0) {
      return Rfc3339.NOT_A_TIME;
    }
    long ofDay = minute * 60 * Ticks.PER_SECOND;
    long ticks = hasYear ? dated(year, month, day, ofDay) : nearest(month, day, ofDay);
    if (ticks == Rfc3339.NOT_A_TIME) {
      return ticks;
    }
    long result = withSecond(ticks, b, clock + 5, to);
    if (!hasYear && result != Rfc3339.NOT_A_TIME) {
      System.arraycopy(b, from, minuteText, 0, minuteText.length);
      minuteTicks = ticks;
    }
    return result;
  }

  /** Adds {@code :38} or {@code :38.123} to a minute. */
  private long withSecond(long minute, byte[] b, int at, int to) {
    int second = at + 3 <= to && b[at] == ':' ? number(b, at + 1, 2, to) : -1;
    if (second < 0 || second > 60) {
      return Rfc3339.NOT_A_TIME;
    }
    long ticks = minute + Math.min(second, 59) * Ticks.PER_SECOND;
    int i = at + 3;
    if (i + 1 < to && b[i] == '.' && isDigit(b[i + 1])) {
      long unit = Ticks.PER_SECOND / 10;
      for (i++; i < to && isDigit(b[i]); i++) {
        ticks += (b[i] - '0') * unit;
        unit /= 10;
      }
    }
    end = i;
    return ticks;
  }

  private static int month(byte[] b, int from) {
    for (int month = 0; month < 12; month++) {
      int at = month * MONTH_CHARS;
      if (b[from] == MONTHS.charAt(at)
          && b[from + 1] == MONTHS.charAt(at + 1)
          && b[from + 2] == MONTHS.charAt(at + 2)) {
        return month + 1;
      }
    }
    return 0;
  }

  /**
   * Returns the number of two digits, of which the first may be a space; below 0 if there is none.
   */
  private static int dayOrHour(byte[] b, int at) {
    return b[at] == ' ' && isDigit(b[at + 1]) ? b[at + 1] - '0' : number(b, at, 2, at + 2);
  }

  /** Returns the minute of the day in {@code 11:57}; below 0 if there is none. */
  private static int minuteOfDay(byte[] b, int at, int to) {
    if (at + 5 > to || b[at + 2] != ':') {
      return -1;
    }
    int hour = dayOrHour(b, at);
    int minute = number(b, at + 3, 2, to);
    return hour < 0 || hour > 23 || minute < 0 || minute > 59 ? -1 : hour * 60 + minute;
  }

  private static int number(byte[] b, int from, int digits, int to) {
    if (from + digits > to) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < from + digits; i++) {
      if (!isDigit(b[i])) {
        return -1;
      }
      value = value * 10 + b[i] - '0';
    }
    return value;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  private long dated(int year, int month, int day, long ofDay) {
    return day > CivilDate.days(year, month)
        ? Rfc3339.NOT_A_TIME
        : utc(Ticks.UNIX_EPOCH + CivilDate.epochDay(year, month, day) * DAY_TICKS + ofDay);
  }

  private long nearest(int month, int day, long ofDay) {
    int years = month == 2 && day == 29 ? YEARS_TO_LEAP_DAY : 1;
    long best = Rfc3339.NOT_A_TIME;
    for (int year = thisYear - years; year <= thisYear + years; year++) {
      long ticks = dated(year, month, day, ofDay);
      if (ticks != Rfc3339.NOT_A_TIME
          && (best == Rfc3339.NOT_A_TIME
              || Math.abs(ticks - nowTicks) < Math.abs(best - nowTicks))) {
        best = ticks;
      }
    }
    return best;
  }

  /**
   * Returns the UTC of a local time in the zone; where clocks are set back, the earlier of two
   * times.
   */
  private long utc(long local) {
    long part = Math.floorDiv(local - Ticks.UNIX_EPOCH, OFFSET_TICKS);
    if (part != offsetOf) {
      long seconds = part * (OFFSET_TICKS / Ticks.PER_SECOND);
      ZoneOffset offset = zone.getOffset(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC));
      offsetTicks = offset.getTotalSeconds() * Ticks.PER_SECOND;
      offsetOf = part;
    }
    return local - offsetTicks;
  }
}
