package hourglass.config.server;

import hourglass.access.DaemonThreads;
import hourglass.access.FairExecutor;
import hourglass.query.fair.QueryThread;
import hourglass.query.service.PracticeQueries;
import hourglass.query.service.QueryService;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks queries of the process's own, so that a client need not wait for the classes and the
 * compiler. At the first quiet moment, or once a client has asked, it asks each query once, about
 * few events, by which the classes are loaded. After the first use of the process it asks at a
 * quiet moment until their code is compiled; an unused process does not go on, since compiled code
 * takes memory.
 *
 * <p>The work is bounded by the processor time that the whole process spends meanwhile, the JVM's
 * compilers included. The queries take turns with those of clients, as one more client.
 */
final class WarmUp {
  private static final Logger logger = LoggerFactory.getLogger(WarmUp.class);

  private static final String LANE = "warm-up";

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** The processor time within a period up to which the process is quiet. */
  private static final long QUIET_NANOS = PERIOD.toNanos() / 5;

  /** The number of quiet periods, one after the other, that are long enough to be no mere gap. */
  private static final int QUIET_PERIODS = 5;

  /** The periods between two looks for something to read. */
  private static final int LOOK_PERIODS = 60;

  /** The processor time besides practice that shows that somebody uses the process. */
  private static final long USED_NANOS = Duration.ofSeconds(1).toNanos();

  /** Queries that read stored events. */
  interface Practice {
    /**
     * Asks each query once.
     *
     * @param isFirst whether this is only to load classes
     * @param enough ends the round once it is true; asked by any thread
     * @return false if there was nothing to read yet
     */
    boolean round(boolean isFirst, BooleanSupplier enough);
  }

  private final LongSupplier cpuNanos;
  private final LongSupplier nanos;
  private final BooleanSupplier isAsked;
  private final Practice practice;

  /** The processor time that is left for practice. */
  private long budgetNanos;

  private long cpuNanosBefore;
  private long usedNanos;
  private int quietPeriods;

  /** The periods until the next look for something to read. */
  private int restPeriods;

  private volatile boolean hasBegun;
  private boolean isOver;

  /**
   * @param cpuNanos the processor time of the process
   * @param nanos a monotonic clock
   * @param isAsked whether a client has asked a query
   */
  WarmUp(
      LongSupplier cpuNanos,
      LongSupplier nanos,
      BooleanSupplier isAsked,
      Duration budget,
      Practice practice) {
    this.cpuNanos = cpuNanos;
    this.nanos = nanos;
    this.isAsked = isAsked;
    this.budgetNanos = budget.toNanos();
    this.practice = practice;
    cpuNanosBefore = cpuNanos.getAsLong();
  }

  /**
   * Watches a process, until it has practised or this is closed.
   *
   * @param thread looks and practises
   */
  record Watch(WarmUp warmUp, ScheduledExecutorService thread) implements AutoCloseable {
    /** Whether each query was asked once. Thread-safe. */
    boolean hasBegun() {
      return warmUp.hasBegun();
    }

    /** Ends the watch without an interrupt, which could break a file that a query reads. */
    @Override
    public void close() {
      thread.shutdown();
    }
  }

  /** Watches this process; {@code isAsked} tells whether a client has asked a query. */
  static Watch start(Foundation on, BooleanSupplier isAsked) {
    FairExecutor.Lane lane = on.workers().query().lane(LANE);
    QueryService service =
        new QueryService(
                on.store(), on.settings().query(), on.clock(), on.workers().query(), on.rowCache())
            .with(access -> access.on(lane, lane, on.workers().waiting()));
    PracticeQueries queries = new PracticeQueries(on.store(), service, on.clock());
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-warm-up"));
    QueryThread turns = new QueryThread(lane, thread::isShutdown, () -> {});
    WarmUp warmUp =
        new WarmUp(
            QuietHeap::cpuNanos,
            System::nanoTime,
            isAsked,
            on.settings().warmUp(),
            (isFirst, enough) -> {
              BooleanSupplier ends = () -> thread.isShutdown() || enough.getAsBoolean();
              return turns.call(own -> queries.round(own, isFirst, ends) > 0);
            });
    Runnable check =
        () -> {
          warmUp.check();
          if (warmUp.isOver) {
            thread.shutdown();
          }
        };
    var unused =
        thread.scheduleWithFixedDelay(
            check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    return new Watch(warmUp, thread);
  }

  boolean isOver() {
    return isOver;
  }

  boolean hasBegun() {
    return hasBegun;
  }

  /** Practises if this is a moment for it. Call it once a period, until it {@link #isOver}. */
  void check() {
    long spent = cpuNanos.getAsLong() - cpuNanosBefore;
    usedNanos += spent;
    quietPeriods = spent <= QUIET_NANOS ? quietPeriods + 1 : 0;
    boolean isUsed = usedNanos >= USED_NANOS;
    boolean isQuiet = quietPeriods >= QUIET_PERIODS;
    if (restPeriods > 0) {
      restPeriods--;
    } else if (isQuiet && (isUsed || !hasBegun)) {
      practise(isUsed);
    } else if (!hasBegun && isAsked.getAsBoolean()) {
      practise(false);
    }
    cpuNanosBefore = cpuNanos.getAsLong();
  }

  /** Asks each query once, or until the processor time is spent. */
  private void practise(boolean untilSpent) {
    long begin = cpuNanos.getAsLong();
    Budget budget = new Budget(begin + budgetNanos);
    try {
      do {
        if (!practice.round(!hasBegun, budget) && !budget.isSpent()) {
          restPeriods = LOOK_PERIODS;
          return;
        }
        hasBegun = true;
      } while (untilSpent && !budget.isSpent());
      isOver = budget.isSpent();
    } catch (RuntimeException e) {
      // A client whose query fails gets an error of its own. The store may not be connected yet.
      logger.debug("practice queries end early", e);
      restPeriods = LOOK_PERIODS;
      isOver = budget.isSpent();
    } catch (Error e) {
      FatalErrors.haltIfFatal(e);
      logger.debug("practice queries end for good", e);
      isOver = true;
    } finally {
      budgetNanos -= cpuNanos.getAsLong() - begin;
    }
  }

  /**
   * Whether the processor time is spent. Queries ask every few events, so the processor's clock,
   * which costs a system call, is read only now and then. Thread-safe.
   */
  private final class Budget implements BooleanSupplier {
    private static final long LOOK_NANOS = 10_000_000;

    private final long endNanos;
    private final AtomicLong lookAt = new AtomicLong(nanos.getAsLong());
    private volatile boolean wasSpent;

    private Budget(long endNanos) {
      this.endNanos = endNanos;
    }

    @Override
    public boolean getAsBoolean() {
      long now = nanos.getAsLong();
      long due = lookAt.get();
      if (!wasSpent && now - due >= 0 && lookAt.compareAndSet(due, now + LOOK_NANOS)) {
        wasSpent = isSpent();
      }
      return wasSpent;
    }

    /** Asks the processor's clock. */
    boolean isSpent() {
      return cpuNanos.getAsLong() >= endNanos;
    }
  }
}
