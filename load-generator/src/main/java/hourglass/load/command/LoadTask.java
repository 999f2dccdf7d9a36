package hourglass.load.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of every subcommand of load: its output and its exit code. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
public abstract class LoadTask implements Callable<Integer> {
  @Spec private CommandSpec spec;

  public final InstantSource clock = Clock.systemUTC();
  public final Nanos nanos = Nanos.SYSTEM;

  /**
   * Does it.
   *
   * @return whether the run succeeded
   */
  protected abstract boolean run() throws IOException, InterruptedException;

  @Override
  public Integer call() throws InterruptedException {
    try {
      return run() ? 0 : 1;
    } catch (LoadFailure | IOException e) {
      err().println("load: " + e.getMessage());
      err().flush();
      return 1;
    }
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

  public void requireRange(String option, long value, long min, long max) {
    require(value >= min && value <= max, option, value, "%d to %d".formatted(min, max));
  }
}
