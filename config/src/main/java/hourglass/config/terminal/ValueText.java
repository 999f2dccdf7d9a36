package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.SafeText;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Formats values of answers as cells of tables. */
final class ValueText {
  private ValueText() {}

  /**
   * Formats all digits of a number, or a text without quotes. The result is empty if the value is
   * absent or null.
   */
  static String exact(@Nullable Object value) {
    return value instanceof BigDecimal number
        ? FigureText.decimal(number)
        : value instanceof String text ? text : "";
  }

  /** Formats a number to six digits. The result is empty for anything else. */
  static String rounded(@Nullable Object value) {
    return value instanceof BigDecimal number ? FigureText.rounded(number) : "";
  }

  /** Formats a value of an event, so that {@code "1"} and 1 differ. */
  static String of(@Nullable Object value) {
    if (value instanceof String text) {
      boolean isAmbiguous = text.matches("-?[0-9].*|true|false|null|");
      return isAmbiguous ? SafeText.quoted(text) : SafeText.line(text);
    }
    return value == JsonTree.NULL
        ? "null"
        : value instanceof BigDecimal number ? FigureText.decimal(number) : String.valueOf(value);
  }
}
