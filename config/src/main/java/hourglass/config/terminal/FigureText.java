package hourglass.config.terminal;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values of answers as cells of tables. */
final class FigureText {
  /** Beyond these digits a number is shown with an exponent. */
  private static final int PLAIN_DIGITS = 20;

  private static final MathContext ROUNDED = new MathContext(6);

  private FigureText() {}

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** As in {@code 12.5%}; empty of nothing. */
  static String share(long count, long of) {
    return of == 0 ? "" : String.format(Locale.ROOT, "%.1f%%", 100.0 * count / of);
  }

  /** All digits of a number, a text without quotes; empty if absent or null. */
  static String exact(@Nullable Object value) {
    return value instanceof BigDecimal number ? plain(number) : value instanceof String s ? s : "";
  }

  /** A number to six digits. */
  static String rounded(@Nullable Object value) {
    return value instanceof BigDecimal number ? plain(number.round(ROUNDED)) : "";
  }

  /** A value that an event has, so that {@code "1"} and 1 differ. */
  static String value(@Nullable Object value) {
    if (value instanceof String text) {
      boolean isAmbiguous = text.matches("-?[0-9].*|true|false|null|");
      return isAmbiguous ? SafeText.quoted(text) : SafeText.line(text);
    }
    return value == JsonTree.NULL
        ? "null"
        : value instanceof BigDecimal number ? plain(number) : String.valueOf(value);
  }

  private static String plain(BigDecimal number) {
    boolean isShort = (long) number.precision() - number.scale() < PLAIN_DIGITS;
    boolean isFine = number.scale() < PLAIN_DIGITS;
    if (!isShort || !isFine) {
      return number.toString();
    }
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return stripped.toPlainString();
  }
}
