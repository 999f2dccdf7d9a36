package hourglass.load.event;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Rfc3339;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Reads times as {@link Ticks}: RFC 3339 with any offset, or seconds, milliseconds, microseconds or
 * nanoseconds distinguished by magnitude. Digits finer than a tick are cut off. A leap second is
 * the last tick of its minute.
 */
public final class JsonTimes {
  public static final long NONE = Rfc3339.NOT_A_TIME;

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d{0,30})(\\.\\d{1,30})?([eE][+-]?\\d{1,3})?");

  private JsonTimes() {}

  static long ofNumber(String number) {
    BigDecimal value = new BigDecimal(number);
    double size = Math.abs(value.doubleValue());
    // The limits lie between the numbers of the years 2000 to 2099 in one unit and in the next.
    int shift = size < 1e11 ? 7 : size < 1e14 ? 4 : size < 1e17 ? 1 : -2;
    BigDecimal ticks = value.scaleByPowerOfTen(shift).setScale(0, RoundingMode.FLOOR);
    return ticks.precision() > 18 ? NONE : Ticks.UNIX_EPOCH + ticks.longValueExact();
  }

  /** Reads RFC 3339, or a number as text. Returns {@link #NONE} for any other text. */
  static long ofText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long ticks = new Rfc3339(Ticks.UNIX_EPOCH).parse(bytes, 0, bytes.length);
    return ticks == NONE && NUMBER.matcher(text).matches() ? ofNumber(text) : ticks;
  }
}
