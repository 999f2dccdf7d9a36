package hourglass.config.server;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The threads that decode, merge and encode. One a core for each side, so that queries cannot hold
 * up writes. Bytes in flight and queries under way bound the queues. Thread-safe.
 */
final class Workers implements AutoCloseable {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final ExecutorService ingest = pool("ingest");
  private final ExecutorService query = pool("query");

  ExecutorService ingest() {
    return ingest;
  }

  ExecutorService query() {
    return query;
  }

  @Override
  public void close() throws InterruptedException {
    query.shutdownNow();
    ingest.shutdown();
    if (!ingest.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      ingest.shutdownNow();
    }
  }

  private static ExecutorService pool(String name) {
    return Executors.newFixedThreadPool(
        THREADS,
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }
}
