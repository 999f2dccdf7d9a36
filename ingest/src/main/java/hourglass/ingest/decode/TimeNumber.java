package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import java.util.stream.LongStream;

/**
 * Reads a number as a time since 1970, exactly, into {@link Ticks}. Its unit follows from its size:
 *
 * <pre>
 * digits before the point    unit            the years that have a row
 * up to 11                   seconds         946684800 ... 4102444799
 * 12 to 14                   milliseconds    946684800000 ...
 * 15 to 17                   microseconds    946684800000000 ...
 * more                       nanoseconds     946684800000000000 ...
 * </pre>
 *
 * <p>So each time of 2000-2099 has one reading in each unit, and none is mistaken for another.
 */
final class TimeNumber {
  /** The result for a number beyond all units, later than any event may be. */
  static final long TOO_LARGE = Long.MAX_VALUE;

  // The number 10^18 fits a long with room for the sign.
  private static final int DIGITS_MAX = 18;
  private static final long[] POWERS =
      LongStream.iterate(1, power -> power * 10).limit(DIGITS_MAX + 1).toArray();

  private TimeNumber() {}

  static boolean isNumber(JsonScanner json, byte[] b, int from, int to) {
    boolean begins = from < to && (b[from] == '-' || (char) (b[from] - '0') < 10);
    return begins && json.scalar(b, from) == to;
  }

  /** Returns the time of a number, in ticks; negative numbers are before 1970. */
  static long parse(byte[] b, int from, int to) {
    boolean negative = b[from] == '-';
    long digits = 0;
    int count = 0;
    int exponent = 0;
    boolean point = false;
    int i = negative ? from + 1 : from;
    for (; i < to && (b[i] | 0x20) != 'e'; i++) {
      if (b[i] == '.') {
        point = true;
        continue;
      }
      if (count < DIGITS_MAX) {
        digits = digits * 10 + (b[i] - '0');
        count += digits == 0 ? 0 : 1;
        exponent -= point ? 1 : 0;
      } else {
        exponent += point ? 0 : 1;
      }
    }
    exponent += i < to ? exponent(b, i + 1, to) : 0;
    if (digits == 0) {
      return Ticks.UNIX_EPOCH;
    }
    return negative ? Ticks.UNIX_EPOCH - 1 : ticks(digits, exponent, count + exponent);
  }

  /** Returns the number after the e, limited so that sums with it cannot overflow. */
  private static int exponent(byte[] b, int from, int to) {
    boolean negative = b[from] == '-';
    int value = 0;
    int i = negative || b[from] == '+' ? from + 1 : from;
    for (; i < to && value < 100_000_000; i++) {
      value = value * 10 + (b[i] - '0');
    }
    return negative ? -value : value;
  }

  /**
   * Returns the ticks of {@code digits * 10^exponent} units, a number with so many digits before
   * the point.
   */
  private static long ticks(long digits, int exponent, int wholeDigits) {
    int shift = exponent + ticksExponent(wholeDigits);
    if (wholeDigits > 19 || shift > DIGITS_MAX) {
      return TOO_LARGE;
    }
    if (shift < 0) {
      return Ticks.UNIX_EPOCH + (shift < -DIGITS_MAX ? 0 : digits / POWERS[-shift]);
    }
    long high = Math.multiplyHigh(digits, POWERS[shift]);
    long ticks = digits * POWERS[shift];
    return high != 0 || ticks < 0 || ticks > TOO_LARGE - Ticks.UNIX_EPOCH
        ? TOO_LARGE
        : Ticks.UNIX_EPOCH + ticks;
  }

  /** Returns the power of ten of ticks in a unit. */
  private static int ticksExponent(int wholeDigits) {
    if (wholeDigits <= 11) {
      return 7;
    }
    if (wholeDigits <= 14) {
      return 4;
    }
    return wholeDigits <= 17 ? 1 : -2;
  }
}
