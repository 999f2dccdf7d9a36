package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.Decimals;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decimals of one style, kept as whole numbers of 10^-scaleMax.
 *
 * <pre>
 *   scaleMax (1)  digits after the point, 0 to 18
 *   scaleMin (1)  zeros at the end are left out, down to so many digits; without digits, no point
 *   exponent (1)  plus 1; see {@link TimePrediction}; 0 for no prediction
 *
 *   200, 404             0 0        1.50, 2.25     2 2
 *   0.5, 12.25           2 1        3, 0.5         1 0
 * </pre>
 */
final class DecimalValues extends Values {
  /** The unit of the times that predict the numbers; -1 if none do. */
  int exponent = -1;

  private final int scaleMax;
  private final int scaleMin;
  private long[] numbers = new long[0];

  private DecimalValues(int scaleMax, int scaleMin) {
    this.scaleMax = scaleMax;
    this.scaleMin = scaleMin;
  }

  /** Parses all values of a field; null if no style reproduces exactly their bytes. */
  static @Nullable DecimalValues parse(Field field, byte[] bytes, long[] numbers, int[] scales) {
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
    return aligned(field, bytes, numbers, scales, max, min) ? new DecimalValues(max, min) : null;
  }

  /** Gives all numbers the greatest scale; false if a zero at an end would be left out. */
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

  /**
   * Parses a decimal as a number without the point. Returns the count of digits after the point, or
   * -1 if it is no decimal.
   */
  private static int parse(byte[] bytes, int from, int to, int i, long[] numbers) {
    boolean negative = from < to && bytes[from] == '-';
    int first = negative ? from + 1 : from;
    int length = to - first;
    int point = length <= Long.BYTES ? parseShort(bytes, first, length, i, numbers) : -1;
    if (length > Long.BYTES && length <= Decimals.DIGITS_MAX + 1) {
      point = parseLong(bytes, first, length, i, numbers);
    }
    if (point < 0) {
      return -1;
    }
    long value = numbers[i];
    numbers[i] = negative ? -value : value;
    boolean canonical = point == 1 || bytes[first] != '0';
    if (!canonical || point == length - 1 || negative && value == 0) {
      return -1;
    }
    return length == point ? 0 : length - point - 1;
  }

  /**
   * Parses up to eight bytes. Returns the position of the point, {@code length} if there is none,
   * or -1 if it is no number.
   */
  private static int parseShort(byte[] bytes, int from, int length, int i, long[] numbers) {
    if (length < 1) {
      return -1;
    }
    long word = ByteWords.head(bytes, from, length);
    int point = ByteWords.point(word);
    int digits = length;
    if (point < Long.BYTES) {
      long before = (1L << point * Byte.SIZE) - 1;
      word = word & before | word >>> 8 & ~before;
      digits--;
    } else {
      point = length;
    }
    if (point == 0) {
      return -1;
    }
    numbers[i] = Decimals.parse(word, digits);
    return numbers[i] < 0 ? -1 : point;
  }

  /** Parses 9 to 19 bytes, like {@link #parseShort}; nanoseconds since 1970 have 19. */
  private static int parseLong(byte[] bytes, int from, int length, int i, long[] numbers) {
    long value = 0;
    int point = length;
    for (int at = 0; at < length; at++) {
      int digit = bytes[from + at] - '0';
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
      } else if (bytes[from + at] == '.' && point == length) {
        point = at;
      } else {
        return -1;
      }
    }
    numbers[i] = value;
    return point == 0 || value < 0 ? -1 : point;
  }

  static DecimalValues read(PageInput in) {
    int max = in.getByte();
    int min = in.getByte();
    if (max > Decimals.DIGITS_MAX || min > max) {
      throw new CorruptException("page: decimals of " + min + " to " + max + " digits");
    }
    DecimalValues values = new DecimalValues(max, min);
    values.exponent = in.getByte() - 1;
    if (values.exponent > TimePrediction.EXPONENT_MAX) {
      throw new CorruptException(
          "page: numbers of 10^-" + values.exponent + " seconds are unknown");
    }
    return values;
  }

  void describe(PageOutput description) {
    description.putByte(scaleMax);
    description.putByte(scaleMin);
    description.putByte(exponent + 1);
  }

  /** The next value, as a whole number of 10^-scaleMax. */
  long peek() {
    return numbers[next];
  }

  int scaleMax() {
    return scaleMax;
  }

  @Override
  void load(ValuesSource source, int count, Supplier<long[]> ticks) {
    numbers =
        exponent < 0 ? source.numbers(count) : source.numbersFromTimes(count, exponent, ticks);
    source.check(numbers, -Long.MAX_VALUE);
  }

  @Override
  void pass(ValuesSource source, int count) {
    source.passNumbers(count);
  }

  @Override
  boolean mayHave(ByteSearch text) {
    return text.isOf("0123456789.-");
  }

  @Override
  long length() {
    long number = numbers[next++];
    long value = Math.abs(number);
    int scale = scale(value);
    long whole = Math.max(1, Decimals.digits(value) - scaleMax);
    return whole + (number < 0 ? 1 : 0) + (scale == 0 ? 0 : scale + 1);
  }

  private int scale(long value) {
    int scale = scaleMax;
    for (long rest = value; scale > scaleMin && rest % 10 == 0; rest /= 10) {
      scale--;
    }
    return scale;
  }

  /** Writes the next value. It may write 7 bytes beyond the returned position. */
  @Override
  int write(byte[] out, int at, int end) {
    return write(numbers[next++], out, at);
  }

  /**
   * Writes a number that {@link #peek} returned. It may write 7 bytes beyond the returned position.
   */
  int write(long number, byte[] out, int at) {
    long value = Math.abs(number);
    out[at] = '-';
    int start = number < 0 ? at + 1 : at;
    int digits = Math.max(Decimals.digits(value), scaleMax + 1);
    if (scaleMax == 0) {
      Decimals.write(value, digits, out, start);
      return start + digits;
    }
    int scale = scale(value);
    int whole = digits - scaleMax;
    if (digits < Long.BYTES) {
      writeShort(value, digits, whole, out, start);
    } else {
      Decimals.write(value, digits, out, start + 1);
      System.arraycopy(out, start + 1, out, start, whole);
      out[start + whole] = '.';
    }
    return start + whole + (scale == 0 ? 0 : scale + 1);
  }

  private static void writeShort(long value, int digits, int whole, byte[] out, int at) {
    long word = Decimals.word(value, digits);
    int shift = whole * Byte.SIZE;
    long before = word & (1L << shift) - 1;
    long after = word >>> shift << shift + Byte.SIZE;
    ByteWords.set(out, at, before | (long) '.' << shift | after);
  }
}
