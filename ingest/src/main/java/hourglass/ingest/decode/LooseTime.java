package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.store.text.Rfc3339;

/**
 * Reads the times that programs write at the beginning of a text, with a zone or without. Not
 * thread-safe.
 *
 * <pre>
 * 2026-11-20T08:30:00.123+01:00    2026-11-20 08:30:00,123    2026/11/20 08:30:00
 * 2026-11-20 08:30:00.123 UTC      2026-11-20 08:30:00 +0100
 * </pre>
 *
 * <p>An offset after a blank has whole quarters of an hour and at most 14 hours, so that another
 * number is not taken for one.
 */
final class LooseTime {
  private static final int CLOCK_BYTES = "2026-11-20T08:30:00".length();

  /** The digits of a fraction beyond these are below {@link Ticks}. */
  private static final int FRACTION_DIGITS_MAX = 9;

  private static final int OFFSET_HOURS_MAX = 14;

  /** Room for a clock, a fraction and an offset, in steps of eight bytes. */
  private static final int CAPACITY = 48;

  private final Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
  private final byte[] text = new byte[CAPACITY];
  private int length;
  private int end;
  private boolean isLocal;

  /**
   * The ticks of the time at {@code from}; {@link Rfc3339#NOT_A_TIME} if there is none. A time
   * without a zone is read as UTC, and {@link #isLocal} is true.
   */
  long read(byte[] b, int from, int to) {
    if (to - from < CLOCK_BYTES || !hasShape(b, from)) {
      return Rfc3339.NOT_A_TIME;
    }
    System.arraycopy(b, from, text, 0, CLOCK_BYTES);
    text[4] = '-';
    text[7] = '-';
    length = CLOCK_BYTES;
    end = fraction(b, from + CLOCK_BYTES, to);
    int zoneEnd = zone(b, end, to);
    isLocal = zoneEnd == end;
    end = zoneEnd;
    return times.parse(text, 0, length, isLocal);
  }

  /** The end of the time that was read last. */
  int end() {
    return end;
  }

  /** Whether the time that was read last has no zone. */
  boolean isLocal() {
    return isLocal;
  }

  private static boolean hasShape(byte[] b, int from) {
    byte dash = b[from + 4];
    return (dash == '-' || dash == '/')
        && b[from + 7] == dash
        && b[from + 13] == ':'
        && b[from + 16] == ':';
  }

  private int fraction(byte[] b, int at, int to) {
    if (at + 1 >= to || b[at] != '.' && b[at] != ',' || !isDigit(b[at + 1])) {
      return at;
    }
    text[length++] = '.';
    int i = at + 1;
    for (; i < to && isDigit(b[i]); i++) {
      if (i - at <= FRACTION_DIGITS_MAX) {
        text[length++] = b[i];
      }
    }
    return i;
  }

  /** Adds the zone at a position, if there is one; returns its end. */
  private int zone(byte[] b, int at, int to) {
    if (at < to && (b[at] | 0x20) == 'z' && isEnd(b, at + 1, to)) {
      text[length++] = 'Z';
      return at + 1;
    }
    boolean isApart = at < to && b[at] == ' ';
    int from = isApart ? at + 1 : at;
    if (isApart && (isName(b, from, to, "UTC") || isName(b, from, to, "GMT"))) {
      text[length++] = 'Z';
      return from + 3;
    }
    int offsetEnd = offsetEnd(b, from, to);
    if (offsetEnd == from || isApart && !isUsual(b, from, offsetEnd)) {
      return at;
    }
    System.arraycopy(b, from, text, length, offsetEnd - from);
    length += offsetEnd - from;
    return offsetEnd;
  }

  /** The end of {@code +01:00}, {@code +0100} or {@code +01}; {@code from} if none is there. */
  private static int offsetEnd(byte[] b, int from, int to) {
    if (from + 3 > to || b[from] != '+' && b[from] != '-') {
      return from;
    }
    int hours = digitsEnd(b, from + 1, to);
    boolean hasMinutes = hours == from + 3 && hours < to && b[hours] == ':';
    int i = hasMinutes ? digitsEnd(b, hours + 1, to) : hours;
    int bytes = i - from;
    boolean isOffset = hasMinutes ? bytes == 6 : bytes == 5 || bytes == 3;
    return isOffset && isEnd(b, i, to) ? i : from;
  }

  private static boolean isUsual(byte[] b, int from, int to) {
    int hours = (b[from + 1] - '0') * 10 + b[from + 2] - '0';
    int minutes = to - from < 5 ? -1 : (b[to - 2] - '0') * 10 + b[to - 1] - '0';
    return hours <= OFFSET_HOURS_MAX && minutes >= 0 && minutes < 60 && minutes % 15 == 0;
  }

  private static int digitsEnd(byte[] b, int from, int to) {
    int i = from;
    while (i < to && isDigit(b[i])) {
      i++;
    }
    return i;
  }

  private static boolean isName(byte[] b, int from, int to, String name) {
    if (from + name.length() > to || !isEnd(b, from + name.length(), to)) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (b[from + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether no letter or digit is at a position. */
  static boolean isEnd(byte[] b, int at, int to) {
    return at >= to || !isDigit(b[at]) && ((b[at] | 0x20) < 'a' || (b[at] | 0x20) > 'z');
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }
}
