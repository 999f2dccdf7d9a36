package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Rfc3339;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Reads the times that programs write at the beginning of a text, with or without a zone. Not
 * thread-safe.
 *
 * <pre>
 * 2026-11-20T08:30:00.123+01:00    2026-11-20 08:30:00,123    2026/11/20 08:30:00
 * 2026-11-20 08:30:00.123 UTC      2026-11-20 08:30:00 +0100
 * </pre>
 *
 * <p>An offset after a blank consists of whole quarters of an hour and lies from -11:45 to +14:45,
 * so that another number is not mistaken for one. A comma begins a fraction of three, six or nine
 * digits, which no other comma follows. Names of zones except UTC and GMT are not read, since most
 * mean several.
 */
final class LooseTime {
  private static final int CLOCK_BYTES = "2026-11-20T08:30:00".length();

  /** The most digits of a fraction. The digits after them are below {@link Ticks}. */
  private static final int FRACTION_DIGITS_MAX = 9;

  private static final int OFFSET_HOURS_MAX = 14;
  private static final int OFFSET_HOURS_WEST_MAX = 11;

  /** The words that change the meaning of a clock: halves of a day, and usual names of zones. */
  private static final Set<String> OTHERS =
      Set.of(
          ("AM PM am pm EST EDT CST CDT MST MDT PST PDT AKST HST CET CEST EET EEST WET WEST BST IST MSK"
                  + " SAST JST KST HKT SGT AEST AEDT ACST AWST NZST NZDT")
              .split(" ", -1));

  /** The bytes of a clock, a fraction and an offset, in steps of eight bytes. */
  private static final int CAPACITY = 48;

  private final Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
  private final byte[] text = new byte[CAPACITY];
  private int length;
  private int end;
  private boolean isLocal;
  private boolean isOther;

  /**
   * Returns the ticks of the time at {@code from}; {@link Rfc3339#NOT_A_TIME} if there is none. A
   * time without a zone is read as UTC, and {@link #isLocal} is true.
   */
  long read(byte[] b, int from, int to) {
    isOther = false;
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
    isOther = isLocal && isOther(b, end, to);
    end = zoneEnd;
    if (isOther) {
      return Rfc3339.NOT_A_TIME;
    }
    return times.parse(text, 0, length, isLocal);
  }

  /** Returns the end of the time that was read last. */
  int end() {
    return end;
  }

  /** Returns whether the time that was read last has no zone. */
  boolean isLocal() {
    return isLocal;
  }

  /** Returns whether a name of a zone or of half a day follows the clock, so that it is no time. */
  boolean isOther() {
    return isOther;
  }

  private static boolean isOther(byte[] b, int at, int to) {
    if (at + 1 >= to || b[at] != ' ') {
      return false;
    }
    int end = at + 1;
    while (end < to && (b[end] | 0x20) >= 'a' && (b[end] | 0x20) <= 'z') {
      end++;
    }
    boolean isBracketed = b[at + 1] == '[' && at + 2 < to && (b[at + 2] == '+' || b[at + 2] == '-');
    String word = new String(b, at + 1, end - at - 1, StandardCharsets.ISO_8859_1);
    return isBracketed || OTHERS.contains(word) && isEnd(b, end, to);
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
    int digits = digitsEnd(b, at + 1, to) - at - 1;
    boolean isFraction = digits % 3 == 0 && (at + digits + 1 >= to || b[at + digits + 1] != ',');
    if (b[at] == ',' && !isFraction) {
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

  /** Adds the zone at a position, if there is one, and returns its end. */
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

  /**
   * Returns the end of {@code +01:00}, {@code +0100} or {@code +01}; {@code from} if none is there.
   */
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
    int most = b[from] == '-' ? OFFSET_HOURS_WEST_MAX : OFFSET_HOURS_MAX;
    return hours <= most && minutes >= 0 && minutes < 60 && minutes % 15 == 0;
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

  /** Returns whether no letter or digit is at a position. */
  static boolean isEnd(byte[] b, int at, int to) {
    return at >= to || !isDigit(b[at]) && ((b[at] | 0x20) < 'a' || (b[at] | 0x20) > 'z');
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }
}
