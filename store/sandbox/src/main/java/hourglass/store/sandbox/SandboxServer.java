package hourglass.store.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server that ends with this JVM and logs to a file. It can be killed, frozen and started again.
 * Thread-safe.
 */
public class SandboxServer {
  /** Half a minute on an idle machine; a busy machine of two cores needs minutes. */
  static final Duration START_PATIENCE = Duration.ofMinutes(6);

  /** A server that does not stop by then is killed; this process has 10 s to end. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(6);

  private static final long POLL_MILLIS = 50;
  private static final int TAIL_LINES = 40;

  private final String name;
  private final JavaCommand command;
  private final Path folder;
  private volatile @Nullable Process process;
  private volatile long logStart;
  private @Nullable FrozenProcess frozen;

  SandboxServer(String name, JavaCommand command, Path folder) {
    this.name = name;
    this.command = command;
    this.folder = folder;
  }

  public final Path log() {
    return folder.resolve("output.log");
  }

  /** Changes with the next start. */
  public final long pid() {
    return running().pid();
  }

  /** Also true of a frozen process. */
  public final boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  final synchronized boolean isAwake() {
    return isAlive() && frozen == null;
  }

  /** Returns when the process is gone. */
  public final synchronized void kill() {
    running().destroyForcibly();
    running().onExit().join();
    forgetFrozen();
  }

  private void forgetFrozen() {
    if (frozen != null) {
      frozen.discard();
      frozen = null;
    }
  }

  /**
   * Sends SIGSTOP: connections stay, nothing is answered. Returns when the process stands still.
   */
  public final synchronized void freeze() {
    if (frozen == null && isAlive()) {
      frozen = FrozenProcess.over(pid());
    }
  }

  public final synchronized void thaw() {
    if (frozen != null) {
      frozen.close();
      frozen = null;
    }
  }

  final void beginStop() {
    thaw();
    running().destroy();
  }

  /** Sends SIGTERM, then SIGKILL if that does not suffice; returns when the process is gone. */
  public final void stop() {
    beginStop();
    try {
      if (!running().waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  final void launch() {
    System.err.println("sandbox: starting " + name);
    forgetFrozen();
    try {
      Files.createDirectories(folder);
      logStart = Files.exists(log()) ? Files.size(log()) : 0;
      process =
          command
              .endingWithParent()
              .builder(folder.resolve("java.args"))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log().toFile()))
              .start();
    } catch (IOException e) {
      throw new SandboxException(name + " cannot be started: " + e, e);
    }
  }

  final void requireEnded() {
    if (isAlive()) {
      throw new IllegalStateException(name + " runs");
    }
  }

  /**
   * Waits until a condition holds.
   *
   * @param endNanos by {@link System#nanoTime}
   * @throws SandboxException with the end of the log if the process or the time ends first
   */
  final void await(long endNanos, BooleanSupplier ready) throws InterruptedException {
    Process current = running();
    // Also after it is ready: another process may answer in place of one that ended.
    while (!ready.getAsBoolean() || !current.isAlive()) {
      if (!current.isAlive()) {
        throw new SandboxException(name + " ended by itself: " + tail(log(), logStart));
      }
      if (System.nanoTime() - endNanos >= 0) {
        throw new SandboxException(name + " is not ready in time: " + tail(log(), logStart));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  static long startEndNanos() {
    return System.nanoTime() + START_PATIENCE.toNanos();
  }

  private Process running() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return current;
  }

  final String output() {
    return text(log(), logStart);
  }

  private static String text(Path log, long start) {
    try {
      byte[] all = Files.readAllBytes(log);
      int from = (int) Math.min(start, all.length);
      return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String tail(Path log, long start) {
    List<String> lines = text(log, start).lines().toList();
    return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
        .map(line -> "\n  " + line)
        .collect(Collectors.joining("", "the end of " + log + ":", ""));
  }
}
