package hourglass.store.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a process from running (SIGSTOP) until it is let go (SIGCONT).
 *
 * <p>A shell does both, and the second when its input ends: a frozen server cannot see that this
 * JVM has died, but the shell does, and lets it run and see.
 */
public final class FrozenProcess implements AutoCloseable {
  private static final String SCRIPT = "kill -STOP $0 && echo; read -r _; kill -CONT $0";

  private final Process shell;

  private FrozenProcess(Process shell) {
    this.shell = shell;
  }

  /** Returns when the process stands still. */
  public static FrozenProcess over(long pid) {
    try {
      Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid)).start();
      if (shell.getInputStream().read() < 0) {
        throw new SandboxException("process " + pid + " cannot be stopped");
      }
      // A thread of it has to run once more to take the signal, which takes long on a busy machine.
      while (isRunning(pid)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      return new FrozenProcess(shell);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * By proc(5): the state follows the name in parentheses. Without a proc, signals are believed.
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

  /** Returns when the process runs again. */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    shell.onExit().join();
  }

  /** The process is gone: its number may soon be another's, so nothing is sent to it. */
  void discard() {
    shell.destroyForcibly().onExit().join();
  }
}
