package hourglass.config.cli;

import hourglass.config.server.Hourglass;
import hourglass.config.settings.Settings;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "serve", description = "Starts the roles and serves until SIGTERM or SIGINT.")
final class ServeCommand implements Callable<Integer> {
  @Mixin private SettingsArguments arguments = new SettingsArguments();

  @Option(
      names = "--print-config",
      description = "print every setting with its value and its source, and stop")
  private boolean printsConfig;

  @Override
  public Integer call() throws InterruptedException {
    if (printsConfig) {
      System.out.print(Settings.text(arguments.sources()));
      return 0;
    }
    Termination termination = Termination.install();
    serve(Settings.load(arguments.sources()), Clock.systemUTC(), termination);
    return 0;
  }

  /** Starts the roles, says so, and serves until a signal. */
  static void serve(Settings settings, Clock clock, Termination termination)
      throws InterruptedException {
    Hourglass hourglass = Hourglass.start(settings, clock);
    termination.closes(hourglass);
    System.out.println("ready " + hourglass.address());
    Termination.await();
  }
}
