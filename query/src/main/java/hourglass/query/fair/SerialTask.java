package hourglass.query.fair;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Runs a task after each wake-up, but never twice at a time. Never blocks. Thread-safe. */
public final class SerialTask implements Runnable {
  private final Executor executor;
  private final Task task;
  private final Consumer<Throwable> onFailure;
  private final AtomicInteger wakeUps = new AtomicInteger();

  /** The work of one run. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /** A rejection by the executor is passed to {@code onFailure}, too. */
  public SerialTask(Executor executor, Task task, Consumer<Throwable> onFailure) {
    this.executor = executor;
    this.task = task;
    this.onFailure = onFailure;
  }

  public void wake() {
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
    } catch (IOException | RuntimeException | Error e) {
      onFailure.accept(e);
    }
    if (wakeUps.addAndGet(-seen) > 0) {
      submit();
    }
  }
}
