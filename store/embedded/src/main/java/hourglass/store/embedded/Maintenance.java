package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.RetentionOutlook;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.maintenance.CloseDeadline;
import hourglass.store.embedded.maintenance.Eraser;
import hourglass.store.embedded.maintenance.Flusher;
import hourglass.store.embedded.maintenance.RowSealer;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs all tasks that change pages on one thread, so they need no lock against each other. */
final class Maintenance implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(Maintenance.class);

  private static final Duration ROLL_IDLE_EVERY = Duration.ofMillis(250);
  private static final Duration SEAL_EVERY = Duration.ofSeconds(30);
  private static final Duration RETAIN_EVERY = Duration.ofMinutes(1);

  private final EmbeddedOptions options;
  private final LogWriter logWriter;
  private final Flusher flusher;
  private final RowSealer sealer;
  private final Deletions deletions;
  private final LateArrivalIndex lateArrivals;
  private final FirstTimeIndex firstTimes;
  private final CloseDeadline deadline;
  private final List<HolderMeters> holders;
  private final ScheduledThreadPoolExecutor thread;
  private final ErasureTurns erasures;

  /** The backups that read files of late arrivals, first times and erasures. */
  private final AtomicInteger keepers;

  /** The turns of erasures, of which one at most is queued, besides the periodic ones. */
  private record ErasureTurns(Eraser eraser, AtomicBoolean isQueued) {}

  Maintenance(
      EmbeddedOptions options,
      LogWriter logWriter,
      Flusher flusher,
      RowSealer sealer,
      Deletions deletions,
      LateArrivalIndex lateArrivals,
      FirstTimeIndex firstTimes,
      CloseDeadline deadline,
      List<HolderMeters> holders,
      ScheduledThreadPoolExecutor thread,
      Eraser eraser,
      AtomicInteger keepers) {
    this.options = options;
    this.logWriter = logWriter;
    this.flusher = flusher;
    this.sealer = sealer;
    this.deletions = deletions;
    this.lateArrivals = lateArrivals;
    this.firstTimes = firstTimes;
    this.deadline = deadline;
    this.holders = holders;
    this.thread = thread;
    this.erasures = new ErasureTurns(eraser, new AtomicBoolean());
    this.keepers = keepers;
  }

  static ScheduledThreadPoolExecutor thread() {
    ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "hourglass-pages"));
    // After a close, no task is retried: the log keeps columns that were not flushed.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return thread;
  }

  void start() {
    thread.execute(flusher::flush);
    eraseSoon();
    thread.execute(this::freeBytesLeft);
    every(ROLL_IDLE_EVERY, () -> quietly("ending idle segments", this::rollIfIdle));
    every(SEAL_EVERY, this::sealForAWhile);
    every(HolderMeters.PUBLISH_EVERY, () -> holders.forEach(HolderMeters::publish));
    every(RETAIN_EVERY, this::retainNow);
    every(Eraser.PASS_EVERY, () -> erase(erasures.eraser()::pass));
    every(budgetPeriod(), this::keepBudget);
    every(FirstTimeIndex.FORGET_EVERY, () -> quietly("first times", this::forgetFirstTimes));
  }

  private Duration budgetPeriod() {
    Duration pause = options.budget().passPause();
    return pause.compareTo(RETAIN_EVERY) < 0 ? pause : RETAIN_EVERY;
  }

  private void rollIfIdle() {
    deletions.clock().sample();
    var unused = logWriter.roll(options.flushIdle(), options.flushAge());
  }

  private void every(Duration period, Runnable task) {
    long millis = period.toMillis();
    var unused = thread.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
  }

  CompletableFuture<Void> flushAll() {
    return logWriter.roll(Duration.ZERO, Duration.ZERO).thenRunAsync(flusher::flush, thread);
  }

  /** Work on the pages thread that returns something. */
  interface Task<T> {
    T run() throws IOException;
  }

  /**
   * Runs a task on the pages thread. The future fails with UnavailableException if the disk fails,
   * or the store is closed.
   */
  CompletableFuture<Void> run(Pass task) {
    try {
      return CompletableFuture.runAsync(() -> runNow(task), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
  }

  private void runNow(Pass task) {
    try {
      task.run();
    } catch (IOException e) {
      throw new UnavailableException(options.dir() + ": " + FileProblem.of(e), e);
    }
  }

  /**
   * Flushes what was acknowledged before, and then runs a task on the same thread. The future fails
   * with UnavailableException if the flush failed, or the store is closing.
   */
  <T> CompletableFuture<T> afterFlush(Task<T> task) {
    return logWriter
        .roll(Duration.ZERO, Duration.ZERO)
        .thenApplyAsync(
            rolled -> {
              if (!flusher.flush()) {
                flusher.check();
                throw new UnavailableException("the store is closing");
              }
              try {
                return task.run();
              } catch (IOException e) {
                throw new UnavailableException(options.dir() + ": " + FileProblem.of(e), e);
              }
            },
            thread);
  }

  /**
   * Keeps files of late arrivals, first times and erasures as they are, or longer, until as many
   * calls of {@link #releaseSmallFiles}.
   */
  void keepSmallFiles() {
    keepers.incrementAndGet();
  }

  void releaseSmallFiles() {
    keepers.decrementAndGet();
  }

  private void forgetFirstTimes() throws IOException {
    if (keepers.get() == 0) {
      firstTimes.forget();
    }
  }

  /** Goes on with erasures for a while, and again after waiting tasks. */
  private void erase(BooleanSupplier pass) {
    quietly(
        "erasures",
        () -> {
          if (!pass.getAsBoolean() && !deadline.isClosing()) {
            eraseSoon();
          }
        });
  }

  /** Queues a turn of the erasures, unless one waits already. */
  void eraseSoon() {
    if (!erasures.isQueued().getAndSet(true)) {
      thread.execute(
          () -> {
            erasures.isQueued().set(false);
            erase(erasures.eraser()::goOn);
          });
    }
  }

  private void forgetErasures() throws IOException {
    if (keepers.get() == 0) {
      erasures.eraser().forget(options.erasureRemember());
    }
  }

  CompletableFuture<Void> seal() {
    return flushAll().thenRunAsync(() -> quietly("sealing", this::sealWhole), thread);
  }

  private void sealWhole() throws IOException {
    boolean all = sealSome();
    while (!all && !deadline.isClosing()) {
      all = sealSome();
    }
  }

  private boolean sealSome() throws IOException {
    return sealer.pass();
  }

  private void sealForAWhile() {
    quietly(
        "sealing",
        () -> {
          if (!sealSome() && !deadline.isClosing()) {
            thread.execute(this::sealForAWhile);
          }
        });
  }

  CompletableFuture<Void> retain() {
    return CompletableFuture.runAsync(
        () -> {
          retainNow();
          keepBudget();
          quietly("first times", this::forgetFirstTimes);
        },
        thread);
  }

  private void retainNow() {
    quietly("retention", deletions.expiry()::pass);
    quietly("retention of late arrivals", this::retainLateArrivals);
    quietly("erasures that are forgotten", this::forgetErasures);
  }

  private void retainLateArrivals() throws IOException {
    if (keepers.get() > 0) {
      return;
    }
    long fromMillis =
        deletions.clock().instant().toEpochMilli() - options.retention().lateArrivals().toMillis();
    lateArrivals.retain(fromMillis, options.arrivalsBytesMax());
  }

  CompletionStage<Void> drop(Hour hour) {
    return drop(hour, () -> deletions.requested().drop(hour));
  }

  CompletionStage<Void> drop(TypeHour of) {
    return drop(of.hour(), () -> deletions.requested().drop(of));
  }

  private CompletionStage<Void> drop(Hour hour, Pass dropping) {
    try {
      return CompletableFuture.runAsync(() -> dropNow(hour, dropping), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
  }

  private void dropNow(Hour hour, Pass dropping) {
    try {
      freeingAfter(dropping);
    } catch (IOException e) {
      throw new UnavailableException(hour + ": cannot be dropped: " + FileProblem.of(e), e);
    }
  }

  private void keepBudget() {
    quietly("budget of the disk", () -> freeingAfter(deletions.budget()::pass));
  }

  /** Goes on where a process ended that had dropped hours. */
  private void freeBytesLeft() {
    quietly("bytes of dropped hours", () -> freeingAfter(deletions.requested()::freeBytesLeft));
  }

  /** Runs what may drop hours; then the rest of their bytes is freed between other tasks. */
  private void freeingAfter(Pass dropping) throws IOException {
    boolean wasFreeing = deletions.requested().isFreeing(); // a turn is queued already
    try {
      dropping.run();
    } finally {
      if (!wasFreeing) {
        quietly("bytes of dropped hours", this::freeRest);
      }
    }
  }

  /** Queues a turn that frees bytes, after waiting tasks, until nothing is left to do. */
  private void freeRest() {
    if (deletions.requested().isFreeing() && !deadline.isClosing()) {
      thread.execute(() -> quietly("bytes of dropped hours", this::freeSome));
    }
  }

  private void freeSome() {
    try {
      deletions.requested().freeSome();
    } finally {
      freeRest(); // also after a failure: no other task queues a turn
    }
  }

  CompletionStage<RetentionOutlook> outlook(int hoursMax) {
    try {
      return CompletableFuture.supplyAsync(() -> outlookNow(hoursMax), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
  }

  private RetentionOutlook outlookNow(int hoursMax) {
    try {
      return deletions.budget().outlook(hoursMax);
    } catch (IOException e) {
      throw new UnavailableException("the disk cannot be measured: " + e, e);
    }
  }

  /** Work on the pages thread that returns nothing. */
  interface Pass {
    void run() throws IOException;
  }

  /** Logs a failure of a task. The executor would drop it, and end the task's repetition. */
  private static void quietly(String what, Pass pass) {
    try {
      pass.run();
    } catch (IOException | RuntimeException e) {
      logger.warn("{}: {}", what, e.toString(), e);
    } catch (Error e) {
      logger.error("{}: {}", what, e.toString(), e);
    }
  }

  @Override
  public void close() {
    deadline.begin();
    logWriter.roll(Duration.ZERO, Duration.ZERO).exceptionally(e -> null).join();
    logWriter.close();
    thread.shutdown();
    // The wait has no limit: the lock must not be released while pages are being written.
    Uninterrupted.await(() -> thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
  }
}
