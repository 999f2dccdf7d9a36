package hourglass.store.embedded;

import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs reads on threads of its own with a bounded queue, on the threads of a caller, or in the
 * calling thread.
 */
final class Readers implements Closeable {
  /** The most reads that wait: enough for hundreds of readers with a few slices each. */
  private static final int WAITING_MAX = 4_096;

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final String kind;
  private final ThreadPoolExecutor own;
  private final Executor threads;

  /** Held for reading by each read, and for writing for good once this is closed. */
  private final ReadWriteLock open;

  Readers(String kind, int count) {
    this(kind, pool(kind, count));
  }

  private Readers(String kind, ThreadPoolExecutor own) {
    this(kind, own, own, new ReentrantReadWriteLock());
  }

  private Readers(String kind, ThreadPoolExecutor own, Executor threads, ReadWriteLock open) {
    this.kind = kind;
    this.own = own;
    this.threads = threads;
    this.open = open;
  }

  private static ThreadPoolExecutor pool(String kind, int count) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        count,
        count,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(WAITING_MAX),
        task -> new Thread(task, "hourglass-" + kind + "-" + number.incrementAndGet()));
  }

  /** Returns readers that use other threads, until these readers are closed. */
  Readers on(Executor others) {
    return new Readers(kind, own, others, open);
  }

  /** Submits a read. The stage fails with {@link UnavailableException} once this is closed. */
  <T> CompletionStage<T> submit(Supplier<T> reading) {
    if (own.isShutdown()) {
      return closed();
    }
    Supplier<CompletionStage<T>> task =
        threads == own ? () -> readLocked(reading) : () -> readHere(reading);
    try {
      return CompletableFuture.supplyAsync(task, threads).thenCompose(Function.identity());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          threads == own
              ? new OverloadedException(WAITING_MAX + " " + kind + "s are waiting", RETRY_AFTER)
              : e);
    }
  }

  /**
   * Reads in the calling thread, which may cost less time than a switch of threads. The read is
   * refused once this is closing.
   */
  <T> CompletionStage<T> readHere(Supplier<T> reading) {
    return own.isShutdown() ? closed() : readLocked(reading);
  }

  private <T> CompletionStage<T> readLocked(Supplier<T> reading) {
    if (!open.readLock().tryLock()) {
      return closed();
    }
    try {
      return CompletableFuture.completedFuture(reading.get());
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      open.readLock().unlock();
    }
  }

  private static <T> CompletionStage<T> closed() {
    return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
  }

  /** Waits some seconds for running reads: first on its own threads, then on those of callers. */
  @Override
  public void close() {
    own.shutdown();
    try {
      if (!own.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        own.shutdownNow();
      }
      var unused = open.writeLock().tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS); // kept
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
