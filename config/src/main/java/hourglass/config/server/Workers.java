package hourglass.config.server;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that decode, merge and encode. One a core for each side, so that queries cannot hold
 * up writes. Bytes in flight and queries under way bound the queues. Thread-safe.
 */
record Workers(ExecutorService ingest, ThreadPoolExecutor query) implements AutoCloseable {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  Workers() {
    this(pool("ingest"), pool("query"));
  }

  @Override
  public void close() throws InterruptedException {
    query.shutdown();
    query.getQueue().clear(); // an interrupt could break a file that a query reads
    ingest.shutdown();
    if (!ingest.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      ingest.shutdownNow();
    }
  }

  private static ThreadPoolExecutor pool(String name) {
    return new ThreadPoolExecutor(
        THREADS,
        THREADS,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }
}
