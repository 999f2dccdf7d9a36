package hourglass.query.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Never runs a task twice at a time, but again after a wake-up. Never blocks. Thread-safe. */
final class SerialTask implements Runnable {
  private final Executor executor;
  private final Runnable task;
  private final Consumer<Throwable> onFailure;
  private final AtomicInteger wakeUps = new AtomicInteger();

  /** A rejection by the executor is a failure, too. */
  SerialTask(Executor executor, Runnable task, Consumer<Throwable> onFailure) {
    this.executor = executor;
    this.task = task;
    this.onFailure = onFailure;
  }

  void wake() {
    if (wakeUps.getAndIncrement() == 0) {
      submit();
    }
  }

  private void submit() {
    try {
      executor.execute(this);
    } catch (RejectedExecutionException e) {
      onFailure.accept(e);
    }
  }

  @Override
  public void run() {
    int seen = wakeUps.get();
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      onFailure.accept(e);
    }
    if (wakeUps.addAndGet(-seen) > 0) {
      submit();
    }
  }
}
