package hourglass.store.embedded.codec;

import hourglass.store.FieldFilter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The bounds of a filter on a field of decimals, as the whole numbers that a page has of them. */
record NumberBounds(DecimalValues values, long least, long greatest) {
  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Null if the filter has none. */
  static @Nullable NumberBounds of(FieldFilter filter, int field, DecimalValues values) {
    double least = filter.least(field);
    double greatest = filter.greatest(field);
    if (Double.isInfinite(least) && Double.isInfinite(greatest)) {
      return null;
    }
    return new NumberBounds(
        values,
        Double.isInfinite(least)
            ? Long.MIN_VALUE
            : whole(least, values.scaleMax(), RoundingMode.CEILING),
        Double.isInfinite(greatest)
            ? Long.MAX_VALUE
            : whole(greatest, values.scaleMax(), RoundingMode.FLOOR));
  }

  private static long whole(double number, int scale, RoundingMode rounding) {
    return new BigDecimal(number)
        .movePointRight(scale)
        .setScale(0, rounding)
        .max(LONG_MIN)
        .min(LONG_MAX)
        .longValueExact();
  }

  /** Whether the next value is within; it stays the next one. */
  boolean containNext() {
    long number = values.peek();
    return number >= least && number <= greatest;
  }
}
