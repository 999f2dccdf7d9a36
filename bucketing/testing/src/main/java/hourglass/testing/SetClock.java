package hourglass.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A clock that a test sets by a file, for one process or for several at once. */
public final class SetClock extends UtcClock {
  private static final String FILE = "HOURGLASS_TEST_CLOCK";
  private static final String AHEAD = "HOURGLASS_TEST_CLOCK_AHEAD";

  private final Path file;
  private final Duration ahead;

  private SetClock(Path file, Duration ahead) {
    this.file = file;
    this.ahead = ahead;
  }

  /** Returns the environment of a process whose clock is ahead of the clock of the file. */
  public static Map<String, String> environment(Path file, Duration ahead) {
    return Map.of(FILE, file.toString(), AHEAD, ahead.toString());
  }

  public static SetClock ofEnvironment() {
    return new SetClock(Path.of(System.getenv(FILE)), Duration.parse(System.getenv(AHEAD)));
  }

  /** Sets the clock of a file to the machine's clock and a time ahead of it. */
  public static void set(Path file, Duration ahead) throws IOException {
    Path made = Files.writeString(file.resolveSibling("clock.new"), ahead.toString());
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public Instant instant() {
    try {
      return Instant.now().plus(Duration.parse(Files.readString(file))).plus(ahead);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
