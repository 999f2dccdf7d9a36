package hourglass.config.server;

import hourglass.access.DaemonThreads;
import hourglass.access.FairExecutor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The threads that decode, read, merge and encode, shared fairly between clients: some for each
 * side, so that queries cannot hold up writes. Bytes in flight and queries under way bound the
 * queues. Thread-safe.
 */
record Workers(
    ThreadPoolExecutor ingestThreads,
    FairExecutor ingest,
    ThreadPoolExecutor queryThreads,
    FairExecutor query)
    implements AutoCloseable {
  /** A client alone keeps all processors busy, and more threads of it would not be faster. */
  private static final int OF_CLIENT_MAX = Runtime.getRuntime().availableProcessors();

  /** As many busy clients leave a free thread to one more, whose small request begins at once. */
  private static final int BUSY_CLIENTS = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  static Workers start() {
    ThreadPoolExecutor ingest = pool("ingest");
    ThreadPoolExecutor query = pool("query");
    return new Workers(ingest, share(ingest), query, share(query));
  }

  @Override
  public void close() throws InterruptedException {
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

  /** Processor time of the calling thread: a client pays nothing for waiting for a processor. */
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
