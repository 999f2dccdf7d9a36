package hourglass.program;

import hourglass.config.cli.TunedServe;
import hourglass.config.server.Hourglass;
import hourglass.testing.SetClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** {@code hourglass serve} by a {@link SetClock}. */
public final class SetClockServe {
  private SetClockServe() {}

  /** Starts a server by the clock of a file. */
  public static ServerProcess start(Path folder, Path clock, String... settings)
      throws IOException {
    return start(folder, clock, Duration.ZERO, settings);
  }

  /** Starts a server whose clock is ahead of that of a file. */
  public static ServerProcess start(Path folder, Path clock, Duration ahead, String... settings)
      throws IOException {
    return ServerProcess.startBy(
        SetClockServe.class, folder, SetClock.environment(clock, ahead), settings);
  }

  public static void main(String[] arguments) {
    List<String> assignments =
        Arrays.stream(arguments).filter(argument -> argument.contains("=")).toList();
    Hourglass server = Hourglass.start(TunedServe.settings(assignments), SetClock.ofEnvironment());
    System.out.println("ready " + server.address());
  }
}
