package hourglass.query.logql;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads durations as Go and Prometheus write them, sizes, and numbers. */
public final class Quantities {
  /** The most characters of a quantity, which bounds the work of an exponent. */
  public static final int CHARS_MAX = 64;

  private static final Map<String, Double> NANOS =
      Map.ofEntries(
          Map.entry("ns", 1e0),
          Map.entry("us", 1e3),
          Map.entry("\u00b5s", 1e3),
          Map.entry("ms", 1e6),
          Map.entry("s", 1e9),
          Map.entry("m", 60e9),
          Map.entry("h", 3_600e9),
          Map.entry("d", 86_400e9),
          Map.entry("w", 604_800e9),
          Map.entry("y", 31_536_000e9));

  private static final String POWERS = "KMGTPE";

  private static final Pattern DURATION =
      Pattern.compile("-?(?:\\d+(?:\\.\\d+)?(?:ns|us|\u00b5s|ms|s|m|h|d|w|y))+");
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)([a-z\u00b5]+)");
  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d+)?) ?(?:([KMGTPE])(i)?)?B?", Pattern.CASE_INSENSITIVE);
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?0*\\d{1,3})?");

  private Quantities() {}

  /** Reads a duration, in nanoseconds; null if the text is not one. */
  public static @Nullable Double nanos(String text) {
    if (text.length() > CHARS_MAX || !DURATION.matcher(text).matches()) {
      return null;
    }
    double nanos = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      nanos += Double.parseDouble(part.group(1)) * NANOS.getOrDefault(part.group(2), 0.0);
    }
    return text.charAt(0) == '-' ? -nanos : nanos;
  }

  /** Reads a size, in bytes, where K is 1,000 and Ki 1,024; null if the text is not one. */
  public static @Nullable Double bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (text.length() > CHARS_MAX || !size.matches()) {
      return null;
    }
    double number = Double.parseDouble(size.group(1));
    String power = size.group(2);
    if (power == null) {
      return number;
    }
    int exponent = 1 + POWERS.indexOf(Character.toUpperCase(power.charAt(0)));
    return number * Math.pow(size.group(3) == null ? 1_000 : 1_024, exponent);
  }

  /** Reads a finite number; null if the text is not one, or is too large. */
  public static @Nullable Double number(String text) {
    if (text.length() > CHARS_MAX || !NUMBER.matcher(text).matches()) {
      return null;
    }
    Double number = Double.valueOf(text);
    return number.isInfinite() ? null : number;
  }

  /** Returns a number as Prometheus writes a sample: in decimal digits, as few as identify it. */
  public static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
