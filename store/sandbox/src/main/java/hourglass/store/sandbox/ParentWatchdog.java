package hourglass.store.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The main class of every server of the sandbox: runs the server's own, and ends the process when
 * standard input ends. That is a pipe, which the kernel closes even if the parent is killed with
 * -9.
 */
final class ParentWatchdog {
  /** Time for a server to stop in order. */
  private static final long PATIENCE_MILLIS = 5_000;

  private ParentWatchdog() {}

  public static void main(String[] args) throws Exception {
    Thread watchdog = new Thread(() -> endWith(System.in), "parent-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    Class.forName(args[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
  }

  private static void endWith(InputStream parent) {
    try {
      while (parent.read() >= 0) {
        // nothing is ever sent
      }
    } catch (IOException e) {
      // the same as its end
    }
    new Thread(() -> System.exit(0), "parent-watchdog-exit").start();
    try {
      Thread.sleep(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(0);
  }
}
