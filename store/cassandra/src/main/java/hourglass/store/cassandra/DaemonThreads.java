package hourglass.store.cassandra;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Creates threads of one name, which do not keep the process alive. */
record DaemonThreads(String name) implements ThreadFactory {
  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Lets an executor finish its accepted work. */
  static void close(ExecutorService executor, Duration atMost) {
    executor.shutdown();
    try {
      executor.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
