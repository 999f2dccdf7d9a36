package hourglass.store.sandbox;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One run of a server, which ends with its parent and logs to a file. Thread-safe. */
final class ServerProcess {
  /** A server that does not end in order by then is killed; a process of ours has 10 s to end. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(6);

  private final String name;
  private final Process process;
  private final Path log;
  private final long logStart;
  private @Nullable FrozenProcess frozen;

  private ServerProcess(String name, Process process, Path log, long logStart) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.logStart = logStart;
  }

  /**
   * @param name for messages
   * @param folder its working directory, and that of its log
   */
  static ServerProcess start(String name, JavaCommand command, Path folder) throws IOException {
    Path log = log(folder);
    long logStart = Files.exists(log) ? Files.size(log) : 0;
    Process process =
        command
            .endingWithParent()
            .builder(folder.resolve("java.args"))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    return new ServerProcess(name, process, log, logStart);
  }

  /** The log of a server of that folder; every run appends to it. */
  static Path log(Path folder) {
    return folder.resolve("output.log");
  }

  /**
   * Waits until a condition holds.
   *
   * @throws SandboxException with the end of the log if the process ends first, or time does
   */
  void await(Deadline deadline, BooleanSupplier ready) throws InterruptedException {
    boolean inTime = deadline.await(() -> !process.isAlive() || ready.getAsBoolean());
    if (!process.isAlive()) {
      throw new SandboxException(name + " ended by itself: " + tail());
    }
    if (!inTime) {
      throw new SandboxException(name + " is not ready in time: " + tail());
    }
  }

  long pid() {
    return process.pid();
  }

  /** Whether it lives; a frozen one does. */
  boolean isAlive() {
    return process.isAlive();
  }

  synchronized boolean isFrozen() {
    return frozen != null;
  }

  /** SIGSTOP: it keeps its connections and answers nothing. */
  synchronized void freeze() {
    if (frozen == null && isAlive()) {
      frozen = FrozenProcess.over(process.pid());
    }
  }

  /** SIGCONT. */
  synchronized void thaw() {
    if (frozen != null) {
      frozen.close();
      frozen = null;
    }
  }

  /** SIGKILL; returns when it is gone. */
  synchronized void kill() {
    process.destroyForcibly();
    process.onExit().join();
    if (frozen != null) {
      frozen.discard();
      frozen = null;
    }
  }

  /** SIGTERM, without waiting. */
  void beginStop() {
    thaw();
    process.destroy();
  }

  /** SIGTERM, and SIGKILL if that does not end it; returns when it is gone. */
  void stop() {
    beginStop();
    try {
      if (!process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Its output in this run. */
  String output() {
    return LogTail.text(log, logStart);
  }

  private String tail() {
    return LogTail.of(log, logStart);
  }
}
