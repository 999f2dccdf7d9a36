package hourglass.load.command;

import hourglass.command.OptionTypes;
import hourglass.command.WrongOptionException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of every subcommand: its options, output and exit code. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    modelTransformer = OptionTypes.class)
public abstract class LoadTask implements Callable<Integer> {
  @Spec private CommandSpec spec;

  public final InstantSource clock = Clock.systemUTC();
  public final Nanos nanos = Nanos.SYSTEM;

  /** Registers an action for each signal that would otherwise end the process. */
  public Consumer<Runnable> onSignal = action -> {};

  protected abstract boolean run() throws IOException, InterruptedException;

  @Override
  public Integer call() throws InterruptedException {
    try {
      spec.options().forEach(this::checkRange);
      return run() ? 0 : 1;
    } catch (WrongOptionException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    } catch (LoadFailure | IOException e) {
      CommandSpec parent = spec.parent();
      String program = parent == null ? spec.name() : parent.name();
      err().println(program + ": " + e.getMessage());
      err().flush();
      return 1;
    }
  }

  private void checkRange(OptionSpec option) {
    Range range =
        option.userObject() instanceof Field field ? field.getAnnotation(Range.class) : null;
    Object value = option.getValue();
    if (range != null && value != null) {
      String[] words = range.value().split(" ", -1);
      double max = words[1].equals("to") ? number(words[2]) : Double.MAX_VALUE;
      boolean right = number(value) >= number(words[0]) && number(value) <= max;
      require(right, option.longestName(), OptionTypes.text(value), range.value());
    }
  }

  private static double number(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof Duration duration) {
      return duration.toMillis();
    }
    String text = value.toString();
    return Character.isLetter(text.charAt(text.length() - 1))
        ? OptionTypes.duration(text).toMillis()
        : Double.parseDouble(text);
  }

  /**
   * Returns options for a report: {@code --look-every} becomes {@code look_every}, and a duration
   * becomes {@code look_every_seconds}, in seconds.
   */
  public JsonObject figures(String... options) {
    JsonObject figures = new JsonObject();
    for (String name : options) {
      OptionSpec option = spec.findOption(name);
      String key = name.substring(2).replace('-', '_');
      Object value = option.getValue();
      if (option.type() == Duration.class) {
        figures.put(key + "_seconds", value == null ? null : number(value) / 1e3);
      } else {
        figures.put(key, value);
      }
    }
    return figures;
  }

  public PrintWriter out() {
    return spec.commandLine().getOut();
  }

  public PrintWriter err() {
    return spec.commandLine().getErr();
  }

  public ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  public void require(boolean right, String option, @Nullable Object value, String allowed) {
    if (!right) {
      throw wrongUsage("%s: %s, want %s".formatted(option, value, allowed));
    }
  }

  public void requireFile(String option, @Nullable Path path) {
    Path folder = path == null ? null : path.toAbsolutePath().getParent();
    boolean right =
        path == null || folder != null && Files.isDirectory(folder) && !Files.isDirectory(path);
    require(right, option, path, "a file in a folder that is there");
  }

  /** Requires that a path is a folder, or may be created as one later. */
  public void requireFolder(String option, @Nullable Path path) {
    boolean right = path == null || !Files.exists(path) || Files.isDirectory(path);
    require(right, option, path, "a folder");
  }
}
