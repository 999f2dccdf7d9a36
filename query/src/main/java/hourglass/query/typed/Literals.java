package hourglass.query.typed;

import hourglass.bytes.JsonText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts values of a typed filter to constants of CEL. */
final class Literals {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,3})?");

  private static final Pattern DATE =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\d(?:Z|[T ]\\d\\d:\\d\\d.*)?");

  /** The most digits of a number. More have no meaning for a double, and would need time. */
  private static final int DIGITS_MAX = 40;

  private Literals() {}

  static String text(String value) {
    return new JsonText().string(value).toString();
  }

  /** Returns a constant for a number; null if the text is not one. */
  static @Nullable String number(String text) {
    if (text.length() > DIGITS_MAX || !NUMBER.matcher(text).matches()) {
      return null;
    }
    BigDecimal number = new BigDecimal(text.endsWith(".") ? text + "0" : text);
    boolean isWhole = number.stripTrailingZeros().scale() <= 0 && !isFraction(text);
    if (isWhole && number.toBigInteger().bitLength() < Long.SIZE) {
      return number.toBigInteger().toString();
    }
    double value = number.doubleValue();
    if (Double.isInfinite(value)) {
      return null;
    }
    String plain = exact(number, value) ? Double.toString(value) : number.toPlainString();
    return isFraction(plain) ? plain : plain + ".0";
  }

  private static boolean isFraction(String text) {
    return text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
  }

  private static boolean exact(BigDecimal number, double value) {
    return new BigDecimal(value).compareTo(number) == 0 || number.scale() < 0;
  }

  /**
   * Returns all constants that a value may stand for: a number, {@code true}, {@code false} or
   * {@code null}, and a text.
   */
  static List<String> of(Node.Value value) {
    List<String> all = new ArrayList<>();
    if (!value.isQuoted()) {
      String number = number(value.text());
      if (number != null) {
        all.add(number);
      } else if (List.of("true", "false", "null").contains(value.text())) {
        all.add(value.text());
      }
    }
    all.add(text(value.text()));
    return all;
  }

  /** Returns a constant for a comparison of order; null if the order of such texts means little. */
  static @Nullable String ordered(Node.Value value) {
    if (value.isQuoted()) {
      return text(value.text());
    }
    String number = number(value.text());
    return number != null ? number : isDate(value.text()) ? text(value.text()) : null;
  }

  static boolean isDate(String text) {
    return DATE.matcher(text).matches();
  }

  /** Whether the parts on both sides of two dots have an order; one of them may be empty. */
  static boolean isRange(String text, int dots) {
    String least = text.substring(0, dots);
    String most = text.substring(dots + "..".length());
    boolean isThree = most.startsWith(".");
    return !isThree && !(least.isEmpty() && most.isEmpty()) && isBound(least) && isBound(most);
  }

  private static boolean isBound(String text) {
    return text.isEmpty() || number(text) != null || isDate(text);
  }
}
