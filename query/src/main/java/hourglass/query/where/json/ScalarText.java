package hourglass.query.where.json;

import hourglass.bytes.JsonNumber;
import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import hourglass.bytes.JsonText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * The canonical spelling of JSON scalars: equal values have equal bytes. {@code 1.50}, {@code
 * 15e-1} and {@code 1.5} are one number, {@code "\}{@code u0041"} and {@code "A"} one string. A
 * string never equals a number. All digits of numbers count.
 */
public final class ScalarText {
  /** The most digits of a whole number that is written with digits alone. */
  private static final int PLAIN_DIGITS = 18;

  private ScalarText() {}

  public static boolean begins(byte first) {
    return first != '{' && first != '[';
  }

  public static boolean isSpelled(byte[] bytes, int from, int to) {
    if (bytes[from] == '"') {
      return !JsonScan.hasEscape(bytes, from + 1, to - 1);
    }
    return !JsonNumber.begins(bytes[from]) || isPlain(bytes, from, to);
  }

  private static boolean isPlain(byte[] bytes, int from, int to) {
    boolean hasPoint = false;
    for (int at = bytes[from] == '-' ? from + 1 : from; at < to; at++) {
      if (bytes[at] == '.') {
        hasPoint = true;
      } else if (bytes[at] < '0' || bytes[at] > '9') {
        return false;
      }
    }
    int first = bytes[from] == '-' ? from + 1 : from;
    return hasPoint
        ? bytes[first] != '0' && bytes[to - 1] != '0'
        : to - first <= PLAIN_DIGITS && (first == from || bytes[first] != '0');
  }

  public static byte[] of(byte[] bytes, int from, int to) {
    if (bytes[from] == '"') {
      String text = JsonString.decode(bytes, from + 1, to - 1);
      return new JsonText().string(text).toBytes();
    }
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return JsonNumber.begins(bytes[from])
        ? number(text).getBytes(StandardCharsets.US_ASCII)
        : text.getBytes(StandardCharsets.UTF_8);
  }

  private static String number(String text) {
    try {
      BigDecimal number = new BigDecimal(text).stripTrailingZeros();
      long digits = (long) number.precision() - number.scale(); // of 1e2147483647: 2^31
      boolean isShort = number.scale() <= 0 && digits <= PLAIN_DIGITS;
      return isShort ? number.toPlainString() : number.toString();
    } catch (ArithmeticException | NumberFormatException e) {
      return text; // the exponent exceeds 31 bits
    }
  }
}
