package hourglass.config.server;

import hourglass.access.DaemonThreads;
import hourglass.access.FairExecutor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The threads that decode, read, merge and encode, shared fairly between clients. Ingest and query
 * each have their own threads, so that queries cannot delay writes. Limits on the bytes in flight
 * and on the queries under way bound the queues. Thread-safe.
 */
record Workers(
    ThreadPoolExecutor ingestThreads,
    FairExecutor ingest,
    ThreadPoolExecutor queryThreads,
    FairExecutor query,
    ExecutorService waiting)
    implements AutoCloseable {
  /**
   * The most threads that one client may use. They keep all processors busy, so more would not be
   * faster.
   */
  private static final int OF_CLIENT_MAX = Runtime.getRuntime().availableProcessors();

  /**
   * The number of clients that may use all their threads while one thread stays free for another
   * client, whose small request then begins at once.
   */
  private static final int BUSY_CLIENTS = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  static Workers start() {
    ThreadPoolExecutor ingest = pool("ingest");
    ThreadPoolExecutor query = pool("query");
    return new Workers(
        ingest,
        share(ingest),
        query,
        share(query),
        Executors.newCachedThreadPool(new DaemonThreads("query-loop")));
  }

  @Override
  public void close() throws InterruptedException {
    waiting.shutdown();
    queryThreads.shutdown();
    queryThreads.getQueue().clear(); // an interrupt could break a file that a query reads
    ingestThreads.shutdown();
    if (!ingestThreads.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      ingestThreads.shutdownNow();
    }
  }

  private static FairExecutor share(ThreadPoolExecutor threads) {
    return new FairExecutor(threads, OF_CLIENT_MAX, cpuClock());
  }

  /**
   * Returns a clock of the processor time of the calling thread, so that a client is not charged
   * for the time it waits for a processor.
   */
  private static LongSupplier cpuClock() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported()
        ? threads::getCurrentThreadCpuTime
        : System::nanoTime;
  }

  private static ThreadPoolExecutor pool(String name) {
    int count = BUSY_CLIENTS * OF_CLIENT_MAX + 1;
    return new ThreadPoolExecutor(
        count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads(name));
  }
}
