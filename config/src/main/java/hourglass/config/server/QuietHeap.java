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
 * collector that stops the program shrinks the heap in full collections alone, and a quiet process
 * has none: it would keep the memory of its busiest moment.
 */
final class QuietHeap {
  private static final Duration PERIOD = Duration.ofSeconds(15);

  /** The processor time in a period up to which a collection of some 100 ms disturbs nobody. */
  private static final long QUIET_NANOS = PERIOD.toNanos() / 10;

  /** A heap that is hardly larger than at its start is not worth a collection. */
  private static final long GROWN_BYTES_MIN = 64L << 20;

  /**
   * A heap that could not shrink is collected again once it has grown by this, and by a quarter.
   */
  private static final long REGROWN_BYTES_MIN = 32L << 20;

  private final LongSupplier cpuNanos;
  private final Supplier<MemoryUsage> heap;
  private final Runnable collect;
  private long cpuNanosBefore;

  /** What was committed after the last collection here. */
  private long committedAfter;

  /** Whether that collection made the heap smaller, so that the next one may, too. */
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

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : System.nanoTime(); // never quiet
  }

  /** To be called once a period. */
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
