package hourglass.store.embedded.page;

import hourglass.store.CorruptException;
import org.jspecify.annotations.Nullable;

/**
 * How a field writes its decimal numbers, each kept as a whole number of 10^-scaleMax. Immutable.
 *
 * <pre>
 *   scaleMax (1)  digits after the point, 0 to 18
 *   scaleMin (1)  zeros at the end are left out, down to so many digits; without digits, no point
 *
 *   200, 404             0 0        1.50, 2.25     2 2
 *   0.5, 12.25           2 1        3, 0.5         1 0
 * </pre>
 *
 * @param scaleMax the most digits after the point
 * @param scaleMin the least
 */
record DecimalText(int scaleMax, int scaleMin) {
  /** A sign, a point, and a zero before it. */
  static final int BYTES_MAX = Decimals.DIGITS_MAX + 3;

  /**
   * Reads all values of a field.
   *
   * @param numbers receives them
   * @param scales scratch of the same length
   * @return how they are written, or null if no such way gives back exactly these bytes
   */
  static @Nullable DecimalText parse(Field field, byte[] bytes, long[] numbers, int[] scales) {
    int max = 0;
    int min = Decimals.DIGITS_MAX;
    for (int i = 0; i < field.count(); i++) {
      int scale = parse(bytes, field.start(i), field.end(i), i, numbers);
      if (scale < 0) {
        return null;
      }
      scales[i] = scale;
      max = Math.max(max, scale);
      min = Math.min(min, scale);
    }
    return aligned(field, bytes, numbers, scales, max, min) ? new DecimalText(max, min) : null;
  }

  /**
   * Gives all numbers the greatest scale; false if zeros at an end say that others were left out.
   */
  private static boolean aligned(
      Field field, byte[] bytes, long[] numbers, int[] scales, int max, int min) {
    if (max == 0) {
      return true;
    }
    for (int i = 0; i < field.count(); i++) {
      boolean zeroAtEnd = scales[i] > min && bytes[field.end(i) - 1] == '0';
      if (zeroAtEnd || field.length(i) + max - scales[i] > Decimals.DIGITS_MAX) {
        return false;
      }
      numbers[i] *= Decimals.power(max - scales[i]);
    }
    return true;
  }

  /** Reads one number without its point; its digits after the point, or -1 if it is none. */
  private static int parse(byte[] bytes, int from, int to, int i, long[] numbers) {
    boolean negative = from < to && bytes[from] == '-';
    int first = negative ? from + 1 : from;
    if (to - first > Decimals.DIGITS_MAX || first >= to) {
      return -1;
    }
    long value = 0;
    int point = -1;
    for (int at = first; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
      } else if (bytes[at] == '.' && point < 0) {
        point = at;
      } else {
        return -1;
      }
    }
    numbers[i] = negative ? -value : value;
    int whole = (point < 0 ? to : point) - first;
    boolean canonical = whole == 1 || whole > 1 && bytes[first] != '0';
    if (!canonical || point == to - 1 || negative && value == 0) {
      return -1;
    }
    return point < 0 ? 0 : to - point - 1;
  }

  static DecimalText read(PageInput in) {
    int max = in.getByte();
    int min = in.getByte();
    if (max > Decimals.DIGITS_MAX || min > max) {
      throw new CorruptException("page: decimals of " + min + " to " + max + " digits");
    }
    return new DecimalText(max, min);
  }

  void describe(PageOutput description) {
    description.putByte(scaleMax);
    description.putByte(scaleMin);
  }

  /** Bytes of {@link #write}. */
  int length(long number) {
    long value = Math.abs(number);
    int scale = scale(value);
    int whole = Math.max(1, Decimals.digits(value) - scaleMax);
    return whole + (number < 0 ? 1 : 0) + (scale == 0 ? 0 : scale + 1);
  }

  private int scale(long value) {
    int scale = scaleMax;
    for (long rest = value; scale > scaleMin && rest % 10 == 0; rest /= 10) {
      scale--;
    }
    return scale;
  }

  /** Writes a number below 10^18 either way; the position after it. */
  int write(long number, byte[] out, int at) {
    long value = number;
    int start = at;
    if (number < 0) {
      out[start++] = '-';
      value = -number;
    }
    if (scaleMax == 0) {
      int digits = Decimals.digits(value);
      Decimals.write(value, digits, out, start);
      return start + digits;
    }
    int whole = Math.max(1, Decimals.digits(value) - scaleMax);
    // All digits go one place to the right; then those before the point come back.
    Decimals.write(value, whole + scaleMax, out, start + 1);
    System.arraycopy(out, start + 1, out, start, whole);
    int end = start + whole + 1 + scaleMax;
    int endMin = start + whole + 1 + scaleMin;
    while (end > endMin && out[end - 1] == '0') {
      end--;
    }
    out[start + whole] = '.';
    return end == start + whole + 1 ? end - 1 : end;
  }
}
