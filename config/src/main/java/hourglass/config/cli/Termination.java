package hourglass.config.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the process in order, with exit code 0, when a signal asks for it. Thread-safe. */
final class Termination {
  /** Supervisors kill after 10 s. Acknowledged events are safe in any case. */
  private static final Duration PATIENCE = Duration.ofSeconds(9);

  private static final Logger log = LoggerFactory.getLogger(Termination.class);

  private volatile AutoCloseable running = () -> {};
  private final AtomicBoolean ending = new AtomicBoolean();

  private Termination() {}

  /** From now on a signal ends the process; before anything runs, at once. */
  static Termination install() {
    Termination termination = new Termination();
    Signals.onEnd(termination::end);
    return termination;
  }

  /** Sets the part to close on a signal. */
  void closes(AutoCloseable whatRuns) {
    running = whatRuns;
  }

  /** Waits for the end of the process. */
  static void await() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  private void end() {
    if (ending.compareAndSet(false, true)) {
      Runtime.getRuntime().halt(closes(running, PATIENCE) ? 0 : 1);
    }
  }

  private static boolean closes(AutoCloseable whatRuns, Duration patience) {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Thread closing =
        new Thread(
            () -> {
              try {
                whatRuns.close();
                closed.complete(null);
              } catch (Exception | Error e) {
                closed.completeExceptionally(e);
              }
            },
            "closing");
    closing.start();
    try {
      closed.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      log.warn(
          "closing takes longer than {} s, so it is cut short; all that was acknowledged is safe",
          patience.toSeconds());
      return true;
    } catch (InterruptedException | ExecutionException e) {
      log.warn("did not close in order; the next start recovers what was acknowledged", e);
      return false;
    }
  }
}
