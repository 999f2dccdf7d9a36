package hourglass.query.values;

import org.HdrHistogram.packedarray.IterationValue;
import org.HdrHistogram.packedarray.PackedLongArray;

/**
 * How often numbers occur, each to within a thousandth of itself. Not thread-safe.
 *
 * <p>The cells are those of an HdrHistogram of three digits, laid over all doubles, which no
 * histogram of the library spans: 1,024 between each power of two and the next, on both sides of
 * zero; what is nearer to zero than 2.2e-308 has wider ones. They are counted in its packed array,
 * so that a cell without numbers costs nothing.
 *
 * <pre>
 * sign 1 | exponent 11 | fraction 52         a double's bits; the first 10 of the fraction count
 * |---- cell, 22 bits, in order ---|
 * </pre>
 */
final class NumberCells {
  /** Of a double's bits, those that do not tell cells apart. */
  private static final int WITHIN_BITS = 42;

  /** Cells on one side of zero. */
  private static final int SIDE = 1 << (63 - WITHIN_BITS);

  private final PackedLongArray counts = new PackedLongArray(2 * SIDE);
  private long numbers;

  /**
   * Counts a number.
   *
   * @param number finite, and no negative zero
   */
  void add(double number) {
    counts.increment(cell(number));
    numbers++;
  }

  /** Cells are numbered as their numbers are ordered. */
  private static int cell(double number) {
    long bits = Double.doubleToRawLongBits(number);
    int magnitude = (int) ((bits & Long.MAX_VALUE) >>> WITHIN_BITS);
    return bits < 0 ? SIDE - 1 - magnitude : SIDE + magnitude;
  }

  /** The memory that it takes, roughly. */
  long bytes() {
    return (long) Long.BYTES * counts.getPhysicalLength();
  }

  /**
   * The numbers that so many thousandths of all are not above: for each the shortest decimal of its
   * cell.
   *
   * @param thousandths ascending, each from 1 to 1000; there must be a number
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

  /** Counted from 1: the nearest rank. */
  private long rank(int thousandths) {
    return Math.max(1, (numbers * thousandths + 999) / 1000);
  }

  private static double number(int cell) {
    return cell < SIDE ? 0 - magnitude(SIDE - 1 - cell) : magnitude(cell - SIDE);
  }

  private static double magnitude(int cell) {
    double low = Double.longBitsToDouble((long) cell << WITHIN_BITS);
    double high = Double.longBitsToDouble((cell + 1L) << WITHIN_BITS);
    return ShortestDecimal.in(low, high);
  }
}
