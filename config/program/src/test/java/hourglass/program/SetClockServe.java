package hourglass.program;

import hourglass.config.server.Hourglass;
import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import hourglass.testing.SetClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

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
    Settings settings = Settings.load(new SettingsSources(null, Map.of(), assignments));
    Hourglass server = Hourglass.start(settings, SetClock.ofEnvironment());
    System.out.println("ready " + server.address());
  }
}
