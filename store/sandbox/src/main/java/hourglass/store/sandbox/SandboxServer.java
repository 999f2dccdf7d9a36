package hourglass.store.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server that ends with this JVM and logs to a file. It can be killed, frozen and started again.
 * Thread-safe.
 */
public class SandboxServer {
  /**
   * The longest wait for a start. It takes half a minute on an idle machine, and minutes on two
   * busy cores.
   */
  static final Duration START_PATIENCE = Duration.ofMinutes(6);

  /** A server that does not stop by then is killed; this process has 10 s to end. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(6);

  /**
   * The longest wait for a server that writes an archive of classes while it stops, once for all
   * later starts.
   */
  private static final Duration ARCHIVE_PATIENCE = Duration.ofMinutes(1);

  private static final long POLL_MILLIS = 50;
  private static final int TAIL_LINES = 40;

  /** The exit codes of a server that ended by itself, or by SIGTERM. */
  private static final Set<Integer> ENDED_IN_ORDER = Set.of(0, 128 + 15);

  private final String name;
  private final JavaCommand command;
  private final Path folder;
  private final Path archives;
  private volatile @Nullable Process process;
  private volatile @Nullable ServerArchive archive;
  private volatile long logStart;
  private @Nullable FrozenProcess frozen;

  SandboxServer(String name, JavaCommand command, Path folder) {
    this(name, command, folder, ServerArchive.folder());
  }

  SandboxServer(String name, JavaCommand command, Path folder, Path archives) {
    this.name = name;
    this.command = command;
    this.folder = folder;
    this.archives = archives;
  }

  public final Path log() {
    return folder.resolve("output.log");
  }

  /** Changes with the next start. */
  public final long pid() {
    return running().pid();
  }

  /** Whether the process exists, even if it is frozen. */
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
    takeArchive();
  }

  private void forgetFrozen() {
    if (frozen != null) {
      frozen.discard();
      frozen = null;
    }
  }

  /**
   * Sends SIGSTOP, after which connections stay open and get no answers. Returns when the process
   * has stopped.
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
      ServerArchive made = archive;
      Duration patience = made != null && made.isMade() ? ARCHIVE_PATIENCE : STOP_PATIENCE;
      if (running().waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        takeArchive();
      } else {
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
    ServerArchive own = ServerArchive.of(command, archives);
    archive = own;
    try {
      Files.createDirectories(folder);
      logStart = Files.exists(log()) ? Files.size(log()) : 0;
      Process started =
          own.command()
              .builder(folder.resolve("java.args"))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log().toFile()))
              .start();
      process = started;
      var unused =
          started
              .onExit()
              .thenAccept(ended -> own.ended(ENDED_IN_ORDER.contains(ended.exitValue())));
    } catch (IOException e) {
      throw new SandboxException(name + " cannot be started: " + e, e);
    }
  }

  /** After the end of the process. */
  private void takeArchive() {
    ServerArchive last = archive;
    if (last != null) {
      last.ended(ENDED_IN_ORDER.contains(running().exitValue()));
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
    // The process is checked even after it is ready: another may answer in place of one that ended.
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
