package hourglass.store.embedded;

import hourglass.store.OverloadedException;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Reader threads with a bounded queue. */
final class Readers implements Closeable {
  /** Enough for hundreds of readers with a few slices each. */
  private static final int WAITING_MAX = 4_096;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final String kind;
  private final ThreadPoolExecutor threads;

  Readers(String kind, int count) {
    this.kind = kind;
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> new Thread(task, "hourglass-" + kind + "-" + number.incrementAndGet()));
  }

  <T> CompletionStage<T> submit(Supplier<T> reading) {
    try {
      return CompletableFuture.supplyAsync(reading, threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new OverloadedException(WAITING_MAX + " " + kind + "s are waiting", RETRY_AFTER));
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
