package hourglass.config.server;

import hourglass.access.DaemonThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Collects garbage once the process has become quiet after a busy time, so that the heap shrinks. A
 * stop-the-world collector shrinks the heap only in full collections. A quiet process runs none, so
 * it would keep the memory of its busiest moment.
 */
final class QuietHeap {
  private static final Duration PERIOD = Duration.ofSeconds(15);

  /**
   * The processor time within a period up to which the process is quiet, so that a collection of
   * some 100 ms disturbs nobody.
   */
  private static final long QUIET_NANOS = PERIOD.toNanos() / 10;

  /** The growth since the start that makes a collection worthwhile. */
  private static final long GROWN_BYTES_MIN = 64L << 20;

  /**
   * The growth after which a heap that could not shrink is collected again; it must also have grown
   * by a quarter.
   */
  private static final long REGROWN_BYTES_MIN = 32L << 20;

  private final LongSupplier cpuNanos;
  private final Supplier<MemoryUsage> heap;
  private final Runnable collect;
  private long cpuNanosBefore;

  /** The committed bytes of the heap after the last collection that this class ran. */
  private long committedAfter;

  /** Whether that collection made the heap smaller, so that another may do so too. */
  private boolean hasShrunk;

  QuietHeap(LongSupplier cpuNanos, Supplier<MemoryUsage> heap, Runnable collect) {
    this.cpuNanos = cpuNanos;
    this.heap = heap;
    this.collect = collect;
  }

  /** Watches this process until the returned part is closed. */
  static AutoCloseable start() {
    QuietHeap watch =
        new QuietHeap(
            QuietHeap::cpuNanos,
            () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage(),
            System::gc);
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-quiet-heap"));
    var unused =
        thread.scheduleWithFixedDelay(
            watch::check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    return thread::shutdownNow;
  }

  /** Returns the processor time of this process. */
  static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : System.nanoTime(); // unknown, so never quiet
  }

  /** Collects garbage if that is worthwhile. Call it once a period. */
  void check() {
    long now = cpuNanos.getAsLong();
    boolean isQuiet = now - cpuNanosBefore <= QUIET_NANOS;
    MemoryUsage usage = heap.get();
    if (isQuiet && isWorthIt(usage)) {
      collect.run();
      committedAfter = heap.get().getCommitted();
      hasShrunk = committedAfter < usage.getCommitted() - REGROWN_BYTES_MIN;
      now = cpuNanos.getAsLong();
    }
    cpuNanosBefore = now;
  }

  private boolean isWorthIt(MemoryUsage usage) {
    long regrown = Math.max(REGROWN_BYTES_MIN, committedAfter / 4);
    return (hasShrunk || usage.getCommitted() > committedAfter + regrown)
        && usage.getCommitted() > usage.getInit() + GROWN_BYTES_MIN;
  }
}
