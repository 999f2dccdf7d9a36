package hourglass.config;

import hourglass.config.server.Hourglass;
import hourglass.program.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** {@code hourglass serve} by a clock that a test sets, also from one process to the next. */
public final class SetClockServe {
  private static final String FILE = "HOURGLASS_TEST_CLOCK";

  private SetClockServe() {}

  /** Starts a server by the clock of a file. */
  public static ServerProcess start(Path folder, Path clock, String... settings)
      throws IOException {
    return ServerProcess.startBy(
        SetClockServe.class, folder, Map.of(FILE, clock.toString()), settings);
  }

  /** Sets the clock that a file stands for, by how far it is ahead. */
  public static void set(Path clock, Duration ahead) throws IOException {
    Path made = Files.writeString(clock.resolveSibling("clock.new"), ahead.toString());
    Files.move(made, clock, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  public static void main(String[] arguments) {
    List<String> assignments =
        Arrays.stream(arguments).filter(argument -> argument.contains("=")).toList();
    Settings settings = Settings.load(new SettingsSources(null, Map.of(), assignments));
    Hourglass server = Hourglass.start(settings, new SetClock(Path.of(System.getenv(FILE))));
    System.out.println("ready " + server.address());
  }

  private static final class SetClock extends Clock {
    private final Path file;

    SetClock(Path file) {
      this.file = file;
    }

    @Override
    public Instant instant() {
      try {
        return Instant.now().plus(Duration.parse(Files.readString(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new IllegalArgumentException("UTC only");
    }
  }
}
