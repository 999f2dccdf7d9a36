package hourglass.config.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and shows durations and sizes as people write them: {@code 30d}, {@code 10 min}, {@code 1
 * MiB}.
 */
final class Quantity {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");

  /** A unit of {@code size} nanoseconds or bytes. It is shown by its first name. */
  private record Unit(long size, List<String> names) {
    static Unit of(long size, String... names) {
      return new Unit(size, List.of(names));
    }
  }

  /**
   * The units of durations. A quantity is shown in the first unit that divides it, so units after
   * that of size 1 are only read.
   */
  private static final List<Unit> NANOS =
      List.of(
          Unit.of(86_400_000_000_000L, "d", "day", "days"),
          Unit.of(3_600_000_000_000L, "h", "hour", "hours"),
          Unit.of(60_000_000_000L, "min", "m", "minute", "minutes"),
          Unit.of(1_000_000_000L, "s", "sec", "second", "seconds"),
          Unit.of(1_000_000L, "ms", "millisecond", "milliseconds"),
          Unit.of(1_000L, "us", "microsecond", "microseconds"),
          Unit.of(1L, "ns", "nanosecond", "nanoseconds"));

  private static final List<Unit> BYTES =
      List.of(
          Unit.of(1L << 40, "TiB", "T", "t"),
          Unit.of(1L << 30, "GiB", "G", "g"),
          Unit.of(1L << 20, "MiB", "M", "m"),
          Unit.of(1L << 10, "KiB", "K", "k"),
          Unit.of(1L, "B", "", "byte", "bytes"),
          Unit.of(1_000_000_000_000L, "TB"),
          Unit.of(1_000_000_000L, "GB"),
          Unit.of(1_000_000L, "MB"),
          Unit.of(1_000L, "kB", "KB"));

  private Quantity() {}

  /**
   * Reads a duration, which is a number with a unit. Only 0 needs no unit. A day has 24 hours.
   *
   * @throws IllegalArgumentException if the text is not a duration, or longer than 2^63 ns (292
   *     years)
   */
  static Duration duration(String text) {
    return text.equals("0") ? Duration.ZERO : Duration.ofNanos(read(text, NANOS));
  }

  /**
   * Reads a size in bytes. A number without a unit counts bytes; a fraction of a byte is refused.
   */
  static long bytes(String text) {
    return read(text, BYTES);
  }

  static String show(Duration duration) {
    return show(duration.toNanos(), NANOS);
  }

  static String showBytes(long bytes) {
    return show(bytes, BYTES);
  }

  private static String show(long quantity, List<Unit> units) {
    return units.stream()
        .filter(unit -> quantity != 0 && quantity % unit.size() == 0)
        .findFirst()
        .map(unit -> quantity / unit.size() + " " + unit.names().get(0))
        .orElse("0");
  }

  private static long read(String text, List<Unit> units) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    BigDecimal number = new BigDecimal(matcher.group(1));
    String name = matcher.group(2);
    return units.stream()
        .filter(unit -> unit.names().contains(name))
        .findFirst()
        .map(unit -> times(number, unit.size()))
        .orElseThrow(IllegalArgumentException::new);
  }

  private static long times(BigDecimal number, long size) {
    try {
      return number.multiply(BigDecimal.valueOf(size)).longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
