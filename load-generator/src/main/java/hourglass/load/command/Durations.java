package hourglass.load.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 3s}, {@code 10m}, {@code 1h}, {@code 2d}. */
final class Durations implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 500ms, 3s, 10m, 1h");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  static String text(Object value) {
    if (!(value instanceof Duration duration)) {
      return value.toString();
    }
    if (duration.toDays() > 0) {
      return duration.toDays() + "d";
    }
    long millis = duration.toMillis();
    return millis % 1_000 == 0 ? duration.toSeconds() + "s" : millis + "ms";
  }
}
