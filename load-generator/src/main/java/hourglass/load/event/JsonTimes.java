package hourglass.load.event;

import hourglass.bucketing.Ticks;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/**
 * Times as events carry them, in {@link Ticks}: RFC 3339 with any offset, or numbers of seconds,
 * milliseconds, microseconds or nanoseconds distinguished by magnitude. Digits finer than a tick
 * are cut off. The second of a leap is the last tick of its minute.
 */
public final class JsonTimes {
  /** Not a time. */
  public static final long NONE = Long.MIN_VALUE;

  /** Between the numbers of 2000 to 2099 in one unit and in the next. */
  private static final double SECONDS_BELOW = 1e11;

  private static final double MILLIS_BELOW = 1e14;
  private static final double MICROS_BELOW = 1e17;

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d{0,30})(\\.\\d{1,30})?([eE][+-]?\\d{1,3})?");

  private JsonTimes() {}

  /** Ticks of a JSON number. */
  static long ofNumber(String number) {
    BigDecimal value = new BigDecimal(number);
    double size = Math.abs(value.doubleValue());
    int shift = size < SECONDS_BELOW ? 7 : size < MILLIS_BELOW ? 4 : size < MICROS_BELOW ? 1 : -2;
    BigDecimal ticks = value.scaleByPowerOfTen(shift).setScale(0, RoundingMode.FLOOR);
    return ticks.precision() > 18 ? NONE : Ticks.UNIX_EPOCH + ticks.longValueExact();
  }

  /** Ticks of {@code 2026-11-20T08:00:00.000331+01:00}, of a number as text, or {@link #NONE}. */
  static long ofText(String text) {
    long ticks = new Rfc3339(text).ticks();
    return ticks == NONE && NUMBER.matcher(text).matches() ? ofNumber(text) : ticks;
  }

  /** Reads one time from left to right. */
  private static final class Rfc3339 {
    private static final int LEAP_SECOND = 60;

    private final String text;
    private int at;
    private boolean bad;

    Rfc3339(String text) {
      this.text = text;
    }

    long ticks() {
      long seconds = date() * 86_400;
      separator();
      seconds += number(2) * 3600L;
      expect(':');
      seconds += number(2) * 60L;
      expect(':');
      int second = number(2);
      long fraction = fraction();
      if (second == LEAP_SECOND) {
        second = LEAP_SECOND - 1;
        fraction = Ticks.PER_SECOND - 1;
      }
      seconds += second - offsetSeconds();
      return bad || at != text.length()
          ? NONE
          : Ticks.UNIX_EPOCH + seconds * Ticks.PER_SECOND + fraction;
    }

    private long date() {
      int year = number(4);
      expect('-');
      int month = number(2);
      expect('-');
      int day = number(2);
      try {
        return bad ? 0 : LocalDate.of(year, month, day).toEpochDay();
      } catch (DateTimeException e) {
        bad = true;
        return 0;
      }
    }

    private void separator() {
      char c = peek();
      bad |= c != 'T' && c != 't' && c != ' ';
      at++;
    }

    private long fraction() {
      if (peek() != '.') {
        return 0;
      }
      at++;
      int start = at;
      long ticks = 0;
      for (; isDigit(peek()); at++) {
        if (at - start < 7) {
          ticks = ticks * 10 + (peek() - '0');
        }
      }
      bad |= at == start;
      for (int digits = at - start; digits < 7; digits++) {
        ticks *= 10;
      }
      return ticks;
    }

    private long offsetSeconds() {
      char c = peek();
      at++;
      if (c == 'Z' || c == 'z') {
        return 0;
      }
      bad |= c != '+' && c != '-';
      int hours = number(2);
      expect(':');
      int seconds = hours * 3600 + number(2) * 60;
      return c == '-' ? -seconds : seconds;
    }

    private int number(int digits) {
      int value = 0;
      for (int i = 0; i < digits; i++, at++) {
        bad |= !isDigit(peek());
        value = value * 10 + (peek() - '0');
      }
      return value;
    }

    private void expect(char c) {
      bad |= peek() != c;
      at++;
    }

    private char peek() {
      return at < text.length() ? text.charAt(at) : '\0';
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }
  }
}
