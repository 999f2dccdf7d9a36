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

/** The threads that read: unpacking is work for the processor, so there are as many as of those. */
final class Readers implements Closeable {
  /**
   * Reads waiting at once; a reader asks for a few slices at a time, so this is hundreds of them.
   */
  private static final int WAITING_MAX = 4_096;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final ThreadPoolExecutor threads;

  Readers() {
    int processors = Runtime.getRuntime().availableProcessors();
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            processors,
            processors,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> new Thread(task, "hourglass-read-" + number.incrementAndGet()));
  }

  <T> CompletionStage<T> submit(Supplier<T> reading) {
    try {
      return CompletableFuture.supplyAsync(reading, threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new OverloadedException(WAITING_MAX + " reads are waiting", RETRY_AFTER));
    }
  }

  /** Finishes the reads that were taken. */
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
