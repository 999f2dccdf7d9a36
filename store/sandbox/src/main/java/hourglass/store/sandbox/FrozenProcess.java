package hourglass.store.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Suspends a process (SIGSTOP) until it is closed (SIGCONT). A shell sends both signals, the second
 * also when this JVM has died: a frozen server cannot notice that itself.
 */
public final class FrozenProcess implements AutoCloseable {
  private static final String SCRIPT = "kill -STOP $0 && echo; read -r _; kill -CONT $0";

  private final Process shell;

  private FrozenProcess(Process shell) {
    this.shell = shell;
  }

  /** Returns when the process has stopped. */
  public static FrozenProcess over(long pid) {
    try {
      Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid)).start();
      if (shell.getInputStream().read() < 0) {
        throw new SandboxException("process " + pid + " cannot be stopped");
      }
      // The process needs a thread to run once more to take the signal, which may take long.
      while (isRunning(pid)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      return new FrozenProcess(shell);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether the process runs; false without its file. In it, the state follows the name in
   * parentheses (proc(5)).
   */
  private static boolean isRunning(long pid) throws IOException {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'T' && state != 'Z'; // stopped, or ended
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    shell.onExit().join();
  }

  /** Sends no signal, since the number of an ended process may belong to another one. */
  void discard() {
    shell.destroyForcibly().onExit().join();
  }
}
