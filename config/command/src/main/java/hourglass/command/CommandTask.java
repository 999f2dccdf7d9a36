package hourglass.command;

import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base of the commands that reach a server: their output, and the checks of their options.
 * Their exit codes are 0 for done, 1 for failed, 2 for wrong usage.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, modelTransformer = OptionTypes.class)
public abstract class CommandTask implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  protected CommandTask() {}

  /** Runs the command with options in their ranges. Returns whether it is done. */
  protected abstract boolean execute() throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    try {
      spec.options().forEach(this::checkRange);
      return execute() ? 0 : 1;
    } catch (WrongOptionException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
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
      Object shown = value instanceof Duration duration ? FigureText.duration(duration) : value;
      require(right, option.longestName(), shown, range.value());
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

  protected final CommandSpec spec() {
    return spec;
  }

  public final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  public final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints a line for the person, separate from the results. */
  protected final void say(String line) {
    err().println(line);
    err().flush();
  }

  public final ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  public final void require(boolean right, String option, @Nullable Object value, String allowed) {
    if (!right) {
      throw wrongUsage("%s: %s, want %s".formatted(option, value, allowed));
    }
  }

  public final void requireFile(String option, @Nullable Path path) {
    Path folder = path == null ? null : path.toAbsolutePath().getParent();
    boolean right =
        path == null || folder != null && Files.isDirectory(folder) && !Files.isDirectory(path);
    require(right, option, path, "a file in a folder that is there");
  }

  /** Requires that a path is a folder, or may be created as one later. */
  public final void requireFolder(String option, @Nullable Path path) {
    boolean right = path == null || !Files.exists(path) || Files.isDirectory(path);
    require(right, option, path, "a folder");
  }
}
