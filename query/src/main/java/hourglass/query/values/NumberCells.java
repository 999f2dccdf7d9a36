package hourglass.query.values;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.HdrHistogram.packedarray.IterationValue;
import org.HdrHistogram.packedarray.PackedLongArray;

/**
 * A histogram of numbers, each to within a thousandth of itself. Not thread-safe.
 *
 * <p>The cells are those of an HdrHistogram of three digits, 1,024 between powers of two, but cover
 * all doubles, which no histogram of the library does.
 *
 * <pre>
 * sign 1 | exponent 11 | fraction 52         a double's bits; the first 10 of the fraction count
 *        |--- cell, 21 bits ---|             in order, after those of numbers that are subnormal
 * </pre>
 *
 * A number nearer to zero than 2.2e-308 is subnormal: it has no exponent of its own, and a fraction
 * with fewer digits. Multiplied by 2^52, it is like the others.
 */
final class NumberCells {
  private static final int WITHIN_BITS = 42;

  private static final int CELLS_A_POWER = 1 << (52 - WITHIN_BITS);

  /**
   * The number of cells of zero and of subnormal numbers, besides those that scaled numbers have
   * anyway.
   */
  private static final int SUBNORMAL = 52 * CELLS_A_POWER;

  /** The cell of the smallest number with an exponent. */
  private static final int FIRST_NORMAL = SUBNORMAL + CELLS_A_POWER;

  private static final double SCALE = 0x1p52;

  /** The number of cells of one sign. */
  private static final int SIDE = SUBNORMAL + (1 << (63 - WITHIN_BITS));

  /** The number of decimal digits that identify every double. */
  private static final int DIGITS_MAX = 17;

  /**
   * The length up to which the array is doubled. The library's array grows by a sixteenth, each
   * time with a copy.
   */
  private static final int DOUBLED_MAX = 2_048;

  private PackedLongArray counts = new PackedLongArray(2 * SIDE);
  private int length = counts.getPhysicalLength();
  private long numbers;

  /** Adds a number several times. It must be finite, and not a negative zero. */
  void add(double number, int times) {
    counts.add(cell(number), times);
    numbers += times;
    if (counts.getPhysicalLength() > length && length <= DOUBLED_MAX) {
      PackedLongArray larger = new PackedLongArray(2 * SIDE, 2 * length);
      larger.add(counts);
      counts = larger;
      length = counts.getPhysicalLength();
    }
  }

  void addAll(NumberCells others) {
    counts.add(others.counts);
    numbers += others.numbers;
  }

  /** The number of cells that contain numbers. */
  int size() {
    int size = 0;
    for (IterationValue ignored : counts.nonZeroValues()) {
      size++;
    }
    return size;
  }

  /**
   * Returns the numbers at two ranks, counted from 0. The second rank must not be the smaller one.
   */
  double[] atRanks(long lower, long upper) {
    long passed = 0;
    int first = -1;
    int last = 0;
    for (IterationValue cell : counts.nonZeroValues()) {
      passed += cell.getValue();
      last = cell.getIndex();
      first = first < 0 && passed > lower ? last : first;
      if (passed > upper) {
        break;
      }
    }
    return new double[] {number(first), number(last)};
  }

  /** Returns the cell of a number. Cells have the order of their numbers. */
  private static int cell(double number) {
    double size = Math.abs(number);
    int magnitude =
        size < Double.MIN_NORMAL ? cellOfBits(size * SCALE) : SUBNORMAL + cellOfBits(size);
    return number < 0 ? SIDE - 1 - magnitude : SIDE + magnitude;
  }

  private static int cellOfBits(double size) {
    return (int) (Double.doubleToRawLongBits(size) >>> WITHIN_BITS);
  }

  long bytes() {
    return (long) Long.BYTES * counts.getPhysicalLength();
  }

  /**
   * Returns quantiles, each the shortest decimal of its cell. There must be a number.
   *
   * @param thousandths ascending, each from 1 to 1000
   */
  double[] quantiles(int... thousandths) {
    double[] found = new double[thousandths.length];
    int next = 0;
    long passed = 0;
    for (IterationValue cell : counts.nonZeroValues()) {
      passed += cell.getValue();
      while (next < found.length && passed >= rank(thousandths[next])) {
        found[next++] = number(cell.getIndex());
      }
    }
    return found;
  }

  /** Returns the rank of a quantile, counted from 1. */
  private long rank(int thousandths) {
    return Math.max(1, (numbers * thousandths + 999) / 1000);
  }

  private static double number(int cell) {
    return cell < SIDE ? 0 - magnitude(SIDE - 1 - cell) : magnitude(cell - SIDE);
  }

  private static double magnitude(int cell) {
    if (cell >= FIRST_NORMAL) {
      return shortest(firstOf(cell - SUBNORMAL), firstOf(cell - SUBNORMAL + 1));
    }
    // The smallest numbers have fewer digits than cells have, so each has its own cell.
    double low = firstOf(cell) / SCALE;
    return shortest(low, Math.max(Math.nextUp(low), firstOf(cell + 1) / SCALE));
  }

  private static double firstOf(int cellOfBits) {
    return Double.longBitsToDouble((long) cellOfBits << WITHIN_BITS);
  }

  /**
   * Returns the smallest of the decimals with the fewest digits in {@code [low, high)}, which
   * probably is the one that was written.
   *
   * @param low at least zero
   * @param high above {@code low}; may be infinite
   */
  static double shortest(double low, double high) {
    BigDecimal exact = BigDecimal.valueOf(low);
    for (int digits = 1; digits < DIGITS_MAX; digits++) {
      double rounded = exact.round(new MathContext(digits, RoundingMode.CEILING)).doubleValue();
      if (rounded >= low && rounded < high) {
        return rounded;
      }
    }
    return low;
  }
}
