package hourglass.program.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import hourglass.program.Program;
import hourglass.store.cassandra.SteppedSealer;
import hourglass.testing.SetClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A {@link SteppedSealer} as a child process; used by one thread at a time. */
final class SealerProcess implements AutoCloseable {
  private final Process process;
  private final Path err;
  private final BufferedReader says;
  private final Writer tells;
  private final List<String> steps;

  /** The fate of a sealer at a step. */
  enum Next {
    GO_ON,
    DIE,
    /** Somewhere behind the step. */
    GO_ON_AND_DIE
  }

  /** How a pass ended. */
  enum End {
    PASSED,
    /** The cluster did not answer. */
    FAILED,
    DIED
  }

  private SealerProcess(Process process, Path err) throws IOException {
    this.process = process;
    this.err = err;
    this.says = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    this.tells = process.outputWriter(UTF_8);
    String ready = hear();
    if (!ready.startsWith("ready ")) {
      process.destroyForcibly();
      throw new AssertionError("did not start: " + ready + log());
    }
    this.steps = List.of(ready.substring(6).split(","));
  }

  /** Returns when it takes orders; its clock is ahead of that of a file. */
  static SealerProcess start(Path folder, Path clock, Duration ahead, String... settings)
      throws IOException {
    Path err = Files.createTempFile(folder, "sealer", ".err");
    ProcessBuilder builder = Program.builder(SteppedSealer.class, settings);
    builder.environment().putAll(SetClock.environment(clock, ahead));
    return new SealerProcess(
        builder.directory(folder.toFile()).redirectError(err.toFile()).start(), err);
  }

  /** The names of all steps, in their order. */
  List<String> steps() {
    return steps;
  }

  /**
   * Lets it look through all hours once, and seal and clean up what is due.
   *
   * @param atStep is asked after each step, while the sealer stands still
   */
  End pass(Function<String, Next> atStep) throws IOException {
    tell("pass");
    String line = hear();
    for (; line.startsWith("at "); line = hear()) {
      Next next = atStep.apply(line.substring(3));
      if (next != Next.DIE) {
        tell("on");
      }
      if (next != Next.GO_ON) {
        kill();
        return End.DIED;
      }
    }
    return line.equals("passed") ? End.PASSED : End.FAILED;
  }

  /** Whether all rows of all hours are sealed, and cleaned up. */
  boolean isSettled() throws IOException {
    tell("settled");
    String[] words = hear().split(" ");
    return words[0].equals("settled") && words[1].equals(words[3]);
  }

  private void tell(String order) throws IOException {
    tells.write(order + "\n");
    tells.flush();
  }

  private String hear() throws IOException {
    String line = says.readLine();
    if (line == null) {
      throw new AssertionError("ended by itself: " + log());
    }
    return line;
  }

  String log() {
    try {
      return Files.readString(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
