package hourglass.store.pages;

import hourglass.store.FieldFilter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The bounds that a filter sets for the values of a field, decided on their encoding. Not
 * thread-safe.
 */
interface ValueBounds {
  /** Whether the next value is within the bounds. The value stays the next one. */
  boolean containNext();

  /**
   * Returns the bounds; null if the filter sets none, or the values can only be compared as text.
   *
   * @param quoted whether the values are strings
   */
  static @Nullable ValueBounds of(FieldFilter filter, int field, Values values, boolean quoted) {
    if (values instanceof DecimalValues decimals && !quoted) {
      return Whole.of(filter, field, decimals);
    }
    String only = filter.only(field);
    if (only == null || !quoted || !(values instanceof HexValues hex)) {
      return null;
    }
    long[] wanted = hex.parse(only.getBytes(StandardCharsets.UTF_8));
    return wanted == null ? () -> false : () -> hex.isNext(wanted);
  }

  /** The bounds of a filter on a field of decimals, as whole numbers in the unit of the page. */
  record Whole(DecimalValues values, long least, long greatest) implements ValueBounds {
    private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Returns the bounds; null if the filter sets none. */
    static @Nullable ValueBounds of(FieldFilter filter, int field, DecimalValues values) {
      double least = filter.least(field);
      double greatest = filter.greatest(field);
      if (Double.isInfinite(least) && Double.isInfinite(greatest)) {
        return null;
      }
      return new Whole(
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

    @Override
    public boolean containNext() {
      long number = values.peek();
      return number >= least && number <= greatest;
    }
  }
}
