package hourglass.load.send;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends a run early. Thread-safe. */
public final class StopSignal {
  private final AtomicReference<@Nullable String> reason = new AtomicReference<>();
  private final CountDownLatch isStopped = new CountDownLatch(1);
  private volatile Runnable onStop = () -> {};

  /** Ends the run. Returns false if it is ending already, in which case the first reason counts. */
  public boolean stop(String why) {
    boolean isFirst = reason.compareAndSet(null, why);
    isStopped.countDown();
    onStop.run();
    return isFirst;
  }

  /** Returns why the run ended early, or null. */
  public @Nullable String reason() {
    return reason.get();
  }

  /** Sets an action for an early end of the run. It runs at once if the run is ending already. */
  void onStop(Runnable action) {
    onStop = action;
    if (reason() != null) {
      action.run();
    }
  }

  /** Waits for some time, or until the run ends early. Returns whether it does. */
  boolean stopsWithin(long nanos) throws InterruptedException {
    return isStopped.await(nanos, TimeUnit.NANOSECONDS);
  }
}
