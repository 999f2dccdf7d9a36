package hourglass.store.embedded;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.testing.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A process of its own that opens a store, says how that went, and waits to be killed. */
final class AnotherStore implements AutoCloseable {
  static final String OPENED = "opened";

  private final Process process;
  private final BufferedReader lines;

  private AnotherStore(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  static AnotherStore start(Path dir) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path")));
    command.add(AnotherStore.class.getName());
    command.add(dir.toString());
    return new AnotherStore(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** Takes a directory. */
  public static void main(String[] args) throws IOException {
    try (EmbeddedStore store = SampleStore.open(Path.of(args[0]), new SystemDisk())) {
      Expectation.await(store.write(new RandomWrites(new Random(1), 1).next()));
      System.out.println(OPENED);
      int unused = System.in.read(); // until whoever started this is gone, too
    } catch (UnavailableException e) {
      System.out.println(e.getMessage());
    }
  }

  /** Returns the answer of the process to its attempt to open the store. */
  String answer() throws IOException {
    return Objects.requireNonNull(lines.readLine(), "it ended without an answer");
  }

  long pid() {
    return process.pid();
  }

  /** Kills the process like kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("process " + pid() + " cannot be killed");
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
