package hourglass.store.embedded;

import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Reader threads with a bounded queue. */
final class Readers implements Closeable {
  /** Enough for hundreds of readers with a few slices each. */
  private static final int WAITING_MAX = 4_096;

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final String kind;
  private final ThreadPoolExecutor threads;

  /** Held by reads in the threads of callers, and for good once this is closed. */
  private final ReadWriteLock open = new ReentrantReadWriteLock();

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

  /**
   * Reads in the calling thread, which may take less time than a switch of threads. Refused while
   * this is closing.
   */
  <T> CompletionStage<T> readHere(Supplier<T> reading) {
    if (!open.readLock().tryLock()) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
    try {
      return CompletableFuture.completedFuture(reading.get());
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      open.readLock().unlock();
    }
  }

  /** Awaits reads for some seconds. */
  @Override
  public void close() {
    threads.shutdown();
    long endNanos = System.nanoTime() + PATIENCE.toNanos();
    try {
      var unused = open.writeLock().tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS); // for good
      if (!threads.awaitTermination(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
