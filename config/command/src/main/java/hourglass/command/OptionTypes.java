package hourglass.command;

import hourglass.bucketing.Hour;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Gives options the label and the converter of their types, so that only exceptions state them. */
public final class OptionTypes implements IModelTransformer {
  private static final Map<Class<?>, String> LABELS =
      Map.of(Duration.class, "DURATION", Hour.class, "HOUR", Path.class, "FILE");
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, Integer.class, long.class, Long.class, double.class, Double.class);
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})([a-z]+)");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  /** Replaces every option, so that they keep their order. */
  @Override
  public CommandSpec transform(CommandSpec command) {
    List.copyOf(command.options()).forEach(each -> command.remove(each).add(typed(each)));
    return command;
  }

  private static OptionSpec typed(OptionSpec option) {
    OptionSpec.Builder typed = OptionSpec.builder(option);
    if (option.paramLabel().startsWith("<")) { // the name of the field, so no label was given
      String label = NUMBERS.contains(option.type()) ? "N" : option.paramLabel();
      typed.paramLabel(LABELS.getOrDefault(option.type(), label));
    }
    if (option.type() == Duration.class) {
      typed.converters(OptionTypes::duration);
    } else if (option.type() == Hour.class) {
      typed.converters(OptionTypes::hour);
    }
    return typed.build();
  }

  private static Hour hour(String text) {
    try {
      return Hour.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads {@code 500ms}, {@code 3s}, {@code 10m}, {@code 1h}, {@code 2d}.
   *
   * @throws TypeConversionException if the text has another form
   */
  public static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    ChronoUnit unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 500ms, 3s, 10m, 1h");
    }
    return Duration.of(Long.parseLong(matcher.group(1)), unit);
  }
}
