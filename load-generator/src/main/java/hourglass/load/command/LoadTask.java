package hourglass.load.command;

import hourglass.command.CommandTask;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The base of every subcommand: its surroundings, failures and figures. */
@Command(showDefaultValues = true)
public abstract class LoadTask extends CommandTask {
  public final InstantSource clock = Clock.systemUTC();
  public final Nanos nanos = Nanos.SYSTEM;

  /** Registers an action for each signal that would otherwise end the process. */
  public Consumer<Runnable> onSignal = action -> {};

  /** The environment variables of the process, from which options take their defaults. */
  public Map<String, String> environment = Map.of();

  protected abstract boolean run() throws IOException, InterruptedException;

  @Override
  protected final boolean execute() throws InterruptedException {
    try {
      return run();
    } catch (LoadFailure | IOException e) {
      CommandSpec parent = spec().parent();
      say((parent == null ? spec() : parent).name() + ": " + e.getMessage());
      return false;
    }
  }

  /**
   * Returns options for a report: {@code --look-every} becomes {@code look_every}, and a duration
   * becomes {@code look_every_seconds}, in seconds.
   */
  public JsonObject figures(String... options) {
    JsonObject figures = new JsonObject();
    for (String name : options) {
      OptionSpec option = spec().findOption(name);
      String key = name.substring(2).replace('-', '_');
      Object value = option.getValue();
      if (option.type() == Duration.class) {
        Double seconds = value instanceof Duration duration ? duration.toMillis() / 1e3 : null;
        figures.put(key + "_seconds", seconds);
      } else {
        figures.put(key, value);
      }
    }
    return figures;
  }
}
