package hourglass.load.command;

import hourglass.bucketing.Hour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Gives options the label and the converter of their types, so that only exceptions name them. */
final class OptionTypes implements IModelTransformer {
  private static final Map<Class<?>, String> LABELS =
      Map.of(
          Duration.class, "DURATION",
          Hour.class, "HOUR",
          Path.class, "FILE",
          int.class, "N",
          Integer.class, "N",
          long.class, "N",
          Long.class, "N",
          double.class, "N",
          Double.class, "N");

  /** Replaces every option, so that their order stays. */
  @Override
  public CommandSpec transform(CommandSpec command) {
    List.copyOf(command.options()).forEach(each -> command.remove(each).add(typed(each)));
    return command;
  }

  private static OptionSpec typed(OptionSpec option) {
    OptionSpec.Builder typed = OptionSpec.builder(option);
    if (option.paramLabel().startsWith("<")) { // of the field, so none was given
      typed.paramLabel(LABELS.getOrDefault(option.type(), option.paramLabel()));
    }
    if (option.type() == Duration.class) {
      typed.converters(new Durations());
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
}
