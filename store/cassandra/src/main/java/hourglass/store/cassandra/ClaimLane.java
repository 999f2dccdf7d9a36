package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.RequestWindow;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A request window and a thread for claims alone. Writes wait for claims, so a claim must not wait
 * for writes or for the decoding of query results. Thread-safe.
 */
final class ClaimLane {
  /** Claims are few, and each request covers a row or two. */
  private static final int RUNNING_MAX = 64;

  /** Room for about twenty of the largest claims, which have 1,024 rows. */
  private static final int WAITING_MAX = 20_000;

  private final RequestWindow requests = new RequestWindow("claims", RUNNING_MAX, WAITING_MAX);

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread made = new Thread(work, "hourglass-cassandra-claims");
            made.setDaemon(true);
            return made;
          });

  /** The tables that a claim reads and writes. */
  ClaimTables tables(CqlSession session, String keyspace) {
    Cql cql = new Cql(session, requests, requests, thread);
    return new ClaimTables(
        new HoursTable(cql, keyspace),
        new DirectoryTable(cql, keyspace),
        new ClaimsTable(cql, keyspace));
  }

  RequestWindow requests() {
    return requests;
  }

  /** Processes the answers that have arrived. */
  void close(Duration atMost) {
    thread.shutdown();
    try {
      thread.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
