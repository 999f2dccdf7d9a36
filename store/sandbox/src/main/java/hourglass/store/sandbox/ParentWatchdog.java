package hourglass.store.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The main class of every server that is started here: runs the server's own, and ends the process
 * when standard input does.
 *
 * <p>Standard input is a pipe from the JVM that started it. The kernel closes that pipe even if
 * that JVM is killed with -9, which no shutdown hook outlives.
 */
final class ParentWatchdog {
  /** A server may put its files in order first, but not for ever. */
  private static final long PATIENCE_MILLIS = 5_000;

  private ParentWatchdog() {}

  /**
   * Runs a server.
   *
   * @param args the main class of the server, and its arguments
   */
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
