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
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks queries of the process's own once, at a quiet moment after its first use, so that the JVM
 * has compiled their code when a client asks. Until then, most of the time of an answer is spent in
 * the interpreter. An unused process does not practise, since compiled code takes memory.
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

  /** The quiet periods between two looks for something to read. */
  private static final int LOOK_PERIODS = 60;

  /** The processor time since the start that shows that somebody uses the process. */
  private static final long USED_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier cpuNanos;
  private final long budgetNanos;

  /** Asks a round of queries until a condition holds; false if there is nothing to read yet. */
  private final Predicate<BooleanSupplier> practice;

  private final long startNanos;
  private long cpuNanosBefore;
  private int quietPeriods;
  private boolean isOver;

  /**
   * @param cpuNanos the processor time of the process
   * @param practice asks a round of queries, until the condition that it gets holds; returns false
   *     if there was nothing to read
   */
  WarmUp(LongSupplier cpuNanos, Duration budget, Predicate<BooleanSupplier> practice) {
    this.cpuNanos = cpuNanos;
    this.budgetNanos = budget.toNanos();
    this.practice = practice;
    startNanos = cpuNanos.getAsLong();
    cpuNanosBefore = startNanos;
  }

  /** Watches this process, until it has practised or the returned part is closed. */
  static AutoCloseable start(Foundation on) {
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
            on.settings().warmUp(),
            enough -> {
              boolean[] hasRead = {false};
              BooleanSupplier ends = () -> thread.isShutdown() || enough.getAsBoolean();
              turns.run(() -> hasRead[0] = queries.round(turns, ends) > 0);
              return hasRead[0];
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
    return thread::shutdown; // an interrupt could break a file that a query reads
  }

  boolean isOver() {
    return isOver;
  }

  /** Practises if this is a moment for it. Call it once a period, until it {@link #isOver}. */
  void check() {
    long now = cpuNanos.getAsLong();
    quietPeriods = now - cpuNanosBefore <= QUIET_NANOS ? quietPeriods + 1 : 0;
    boolean isUsed = now - startNanos >= USED_NANOS;
    if (isUsed && quietPeriods >= QUIET_PERIODS) {
      practise(now + budgetNanos);
    }
    cpuNanosBefore = cpuNanos.getAsLong();
  }

  private void practise(long endNanos) {
    try {
      do {
        if (!practice.test(() -> cpuNanos.getAsLong() >= endNanos)
            && cpuNanos.getAsLong() < endNanos) {
          quietPeriods = -LOOK_PERIODS;
          return;
        }
      } while (cpuNanos.getAsLong() < endNanos);
    } catch (RuntimeException | Error e) {
      // A client whose query fails gets an error of its own.
      logger.debug("practice queries end early", e);
    }
    isOver = true;
  }
}
