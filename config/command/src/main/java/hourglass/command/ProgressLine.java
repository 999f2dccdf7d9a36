package hourglass.command;

import java.io.Console;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows progress: on a terminal in one line that changes, elsewhere in a plain line every few
 * seconds.
 */
public record ProgressLine(PrintWriter out, boolean terminal, long plainMillis) {
  private static final long TERMINAL_MILLIS = 250;
  private static final long PLAIN_MILLIS = 3_000;
  private static final long PLAIN_MILLIS_FOR_LONG = 30_000;
  private static final String ERASE_LINE = "\r\u001b[K";

  public static ProgressLine on(PrintWriter out) {
    return new ProgressLine(out, isTerminal(), PLAIN_MILLIS);
  }

  /** Returns progress for a run of days, with fewer lines so that its log stays short. */
  public static ProgressLine onForLong(PrintWriter out) {
    return new ProgressLine(out, isTerminal(), PLAIN_MILLIS_FOR_LONG);
  }

  public static ProgressLine silent() {
    return new ProgressLine(new PrintWriter(Writer.nullWriter()), false, PLAIN_MILLIS_FOR_LONG);
  }

  /**
   * Returns whether a person sees the output. Since JDK 22 a console also exists without a
   * terminal.
   */
  @SuppressWarnings("SystemConsoleNull") // since JDK 22 it is never null, so isTerminal is called
  public static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException before22) {
      return true;
    }
  }

  /** Prints a line. Safe for any thread. */
  public void say(String line) {
    out.println(terminal ? ERASE_LINE + line : line);
    out.flush();
  }

  public Watch watch(Supplier<String> line) {
    return new Watch(line);
  }

  public final class Watch implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private Watch(Supplier<String> line) {
      thread = new Thread(() -> repeat(line), "load-progress");
      thread.setDaemon(true);
      thread.start();
    }

    private void repeat(Supplier<String> line) {
      long millis = terminal ? TERMINAL_MILLIS : plainMillis;
      try {
        while (!closed.await(millis, TimeUnit.MILLISECONDS)) {
          show(line.get());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void show(String line) {
      if (terminal) {
        out.print(ERASE_LINE + line);
        out.flush();
      } else {
        say(line);
      }
    }

    @Override
    public void close() {
      closed.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (terminal) {
        out.print(ERASE_LINE);
        out.flush();
      }
    }
  }
}
