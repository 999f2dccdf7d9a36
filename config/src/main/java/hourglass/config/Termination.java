package hourglass.config;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process in order on SIGTERM and SIGINT, with exit code 0. A JVM by itself ends with 143
 * there, hence the halt at the end of a shutdown hook. Thread-safe.
 */
final class Termination implements AutoCloseable {
  /** Supervisors kill after 10 s. What is acknowledged is safe by then in any case. */
  private static final Duration PATIENCE = Duration.ofSeconds(9);

  private static final Logger log = LoggerFactory.getLogger(Termination.class);

  private final AtomicReference<@Nullable Hourglass> running = new AtomicReference<>();
  private final Thread hook = new Thread(this::terminate, "termination");

  private Termination() {}

  /** From now on a signal ends the process; before anything runs, at once. */
  static Termination install() {
    Termination termination = new Termination();
    Runtime.getRuntime().addShutdownHook(termination.hook);
    return termination;
  }

  /** What to close first when a signal comes. */
  void closes(Hourglass hourglass) {
    running.set(hourglass);
  }

  /** Waits for the signal; it never returns normally. */
  static void await() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  /** Closes what runs, and leaves signals to the JVM again. */
  @Override
  public void close() {
    Hourglass hourglass = running.getAndSet(null);
    if (hourglass != null) {
      hourglass.close();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("a signal came meanwhile", e);
    }
  }

  private void terminate() {
    Hourglass hourglass = running.getAndSet(null);
    int code = hourglass == null || closes(hourglass, PATIENCE) ? 0 : 1;
    Runtime.getRuntime().halt(code);
  }

  private static boolean closes(Hourglass hourglass, Duration patience) {
    try {
      CompletableFuture.runAsync(hourglass::close, work -> new Thread(work, "closing").start())
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (Exception e) {
      log.warn("did not close in order; the next start recovers what was acknowledged", e);
      return false;
    }
  }
}
