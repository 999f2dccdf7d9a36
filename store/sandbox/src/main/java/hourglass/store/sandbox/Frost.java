package hourglass.store.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Keeps a process from running (SIGSTOP) until it is let go (SIGCONT).
 *
 * <p>A shell does both, and the second when its input ends: a frozen server cannot see that this
 * JVM has died, but the shell does, and lets it run and see.
 */
public final class Frost implements AutoCloseable {
  private static final String SCRIPT = "kill -STOP $0 && echo; read -r _; kill -CONT $0";

  private final Process shell;

  private Frost(Process shell) {
    this.shell = shell;
  }

  /** Returns when the process stands still. */
  public static Frost over(long pid) {
    try {
      Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid)).start();
      if (shell.getInputStream().read() < 0) {
        throw new SandboxException("process " + pid + " cannot be stopped");
      }
      return new Frost(shell);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
