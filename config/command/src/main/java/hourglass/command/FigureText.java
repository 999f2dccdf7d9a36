package hourglass.command;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats figures for people, alike in every locale. */
public final class FigureText {
  /** The most digits of a number that is shown without an exponent. */
  private static final int PLAIN_DIGITS = 20;

  private static final MathContext ROUNDED = new MathContext(6);

  private static final List<Map.Entry<String, Duration>> UNITS =
      List.of(
          Map.entry("d", Duration.ofDays(1)),
          Map.entry("h", Duration.ofHours(1)),
          Map.entry("m", Duration.ofMinutes(1)),
          Map.entry("s", Duration.ofSeconds(1)));

  private FigureText() {}

  public static String format(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  public static String count(long count) {
    return format("%,d", count);
  }

  /** Formats a share, such as {@code 12.5%}. The text is empty if the whole is 0. */
  public static String share(long count, long of) {
    return of == 0 ? "" : format("%.1f%%", 100.0 * count / of);
  }

  /** Formats a number, or returns words if it is absent. */
  public static String orNotGiven(String format, @Nullable Double value) {
    return value == null ? "(not given)" : format(format, value);
  }

  /** Formats bytes in whole megabytes, without the unit, or returns words if they are absent. */
  public static String megabytes(@Nullable Double bytes) {
    return orNotGiven("%,.0f", bytes == null ? null : bytes / 1e6);
  }

  /** Formats all digits of a number, without an exponent unless there are very many. */
  public static String decimal(BigDecimal number) {
    boolean isShort = (long) number.precision() - number.scale() < PLAIN_DIGITS;
    boolean isFine = number.scale() < PLAIN_DIGITS;
    if (!isShort || !isFine) {
      return number.toString();
    }
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return stripped.toPlainString();
  }

  public static String decimal(double number) {
    return decimal(new BigDecimal(String.valueOf(number)));
  }

  /** Formats a number to six digits. */
  public static String rounded(BigDecimal number) {
    return decimal(number.round(ROUNDED));
  }

  /** Formats a duration in the greatest unit of which it is a multiple, as options accept it. */
  public static String duration(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    for (Map.Entry<String, Duration> unit : UNITS) {
      if (duration.toMillis() % unit.getValue().toMillis() == 0) {
        return duration.dividedBy(unit.getValue()) + unit.getKey();
      }
    }
    return duration.toMillis() + "ms";
  }
}
