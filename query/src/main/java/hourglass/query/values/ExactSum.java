package hourglass.query.values;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * The exact sum of doubles, independent of their order. Not thread-safe.
 *
 * <p>After Neal, Fast exact summation using small and large superaccumulators (2015). The sum is a
 * fixed-point number of limbs, carried only now and then.
 *
 * <pre>
 * limb i counts units of 2^(32 i - 1075)
 * a double is 53 bits from bit e on, in the three limbs from e / 32 on; e: its biased exponent
 * </pre>
 */
final class ExactSum {
  private static final int LIMB_BITS = 32;
  private static final long LIMB_MASK = (1L << LIMB_BITS) - 1;

  /** The number of limbs: those of the largest exponent, 2046, and one for carries. */
  private static final int LIMBS = 2046 / LIMB_BITS + 4;

  private static final int FRACTION_BITS = 1075;
  private static final int MANTISSA_BITS = 52;

  /**
   * The number of decimal digits of a mean before it is rounded to a double. The middle of two
   * doubles has at most 768 digits. A quotient near it differs within the first 660 digits, so
   * these digits round as all would.
   */
  private static final MathContext DIGITS = new MathContext(800);

  /** The most numbers between two carries. Each adds less than 2^32 to a limb, which holds 2^63. */
  private static final int ADDENDS_TO_CARRY = 1 << 30;

  private final long[] limbs = new long[LIMBS];
  private int addends;

  /**
   * Adds a number several times. The {@code number} must be finite, and {@code times} at most
   * {@link #ADDENDS_TO_CARRY}.
   */
  void add(double number, int times) {
    if (addends > ADDENDS_TO_CARRY - times) {
      carry();
    }
    addends += times;
    long bits = Double.doubleToRawLongBits(number);
    int biased = (int) (bits >>> MANTISSA_BITS) & 0x7ff;
    long fraction = bits & ((1L << MANTISSA_BITS) - 1);
    long mantissa = biased == 0 ? fraction : fraction | (1L << MANTISSA_BITS);
    int exponent = Math.max(1, biased);
    int limb = exponent / LIMB_BITS;
    int shift = exponent % LIMB_BITS;
    long factor = bits < 0 ? -times : times;
    limbs[limb] += factor * ((mantissa << shift) & LIMB_MASK);
    limbs[limb + 1] += factor * ((mantissa >>> (LIMB_BITS - shift)) & LIMB_MASK);
    limbs[limb + 2] += factor * ((mantissa >>> LIMB_BITS) >>> (LIMB_BITS - shift));
  }

  /**
   * Moves the carries up. This leaves 32 bits in each limb except the last, which keeps the sign.
   */
  private void carry() {
    addends = 0;
    for (int i = 0; i + 1 < LIMBS; i++) {
      limbs[i + 1] += limbs[i] >> LIMB_BITS;
      limbs[i] &= LIMB_MASK;
    }
  }

  /**
   * Returns the mean, rounded once to the nearest double, ties to even.
   *
   * @param count at least 1
   */
  double mean(long count) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = LIMBS - 1; i >= 0; i--) {
      sum = sum.shiftLeft(LIMB_BITS).add(BigInteger.valueOf(limbs[i]));
    }
    BigDecimal divisor = new BigDecimal(BigInteger.valueOf(count).shiftLeft(FRACTION_BITS));
    double mean = new BigDecimal(sum).divide(divisor, DIGITS).doubleValue();
    return mean + 0.0; // no negative zero
  }
}
