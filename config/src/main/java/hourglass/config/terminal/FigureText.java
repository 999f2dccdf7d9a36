package hourglass.config.terminal;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats values of answers as cells of tables. */
final class FigureText {
  /** The most digits of a number that is shown without an exponent. */
  private static final int PLAIN_DIGITS = 20;

  private static final MathContext ROUNDED = new MathContext(6);

  private FigureText() {}

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Formats a share, such as {@code 12.5%}. The text is empty if the whole is 0. */
  static String share(long count, long of) {
    return of == 0 ? "" : String.format(Locale.ROOT, "%.1f%%", 100.0 * count / of);
  }

  /**
   * Formats all digits of a number, or a text without quotes. The result is empty if the value is
   * absent or null.
   */
  static String exact(@Nullable Object value) {
    return value instanceof BigDecimal number ? plain(number) : value instanceof String s ? s : "";
  }

  /** Formats a number to six digits. The result is empty for anything else. */
  static String rounded(@Nullable Object value) {
    return value instanceof BigDecimal number ? plain(number.round(ROUNDED)) : "";
  }

  /** Formats a value of an event, so that {@code "1"} and 1 differ. */
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
