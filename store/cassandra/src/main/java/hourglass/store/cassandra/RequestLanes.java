package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import hourglass.access.DaemonThreads;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.RequestWindow;
import hourglass.store.cassandra.erasure.ErasureTables;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The queues of requests to the cluster, and the threads that process the answers. Writes wait for
 * claims and for first times, and all requests for looks at erasures, so these have queues of their
 * own. Thread-safe.
 *
 * @param readers process the answers of all requests but claims
 * @param claimThread processes the answers of claims
 */
record RequestLanes(
    RequestWindow reads,
    RequestWindow writes,
    RequestWindow firstTimes,
    RequestWindow claims,
    RequestWindow erasures,
    ExecutorService readers,
    ExecutorService claimThread) {
  /** The limit of queued reads; each returns some hundred KB later. */
  private static final int READS_WAITING_MAX = 10_000;

  /**
   * The limit of queued first times, some hundred bytes each: some writes of the smallest events,
   * by one process.
   */
  private static final int FIRST_TIMES_WAITING_MAX = 100_000;

  /** The most claim requests at a time; each covers a row or two. */
  private static final int CLAIMS_RUNNING_MAX = 64;

  /** The limit of queued claim requests: about twenty of the largest claims, of 1,024 rows. */
  private static final int CLAIMS_WAITING_MAX = 20_000;

  /** The most requests for the tables of erasures at a time. */
  private static final int ERASURES_RUNNING_MAX = 32;

  /**
   * Creates the queues. That of writes has no limit, since {@link Writer} bounds the bytes of
   * writes; that of erasures has none, since the columns of an erasure are limited.
   */
  static RequestLanes of(int requestsMax) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    return new RequestLanes(
        new RequestWindow("reads", requestsMax, READS_WAITING_MAX),
        new RequestWindow("writes", requestsMax, Integer.MAX_VALUE),
        new RequestWindow("first times", requestsMax, FIRST_TIMES_WAITING_MAX),
        new RequestWindow("claims", CLAIMS_RUNNING_MAX, CLAIMS_WAITING_MAX),
        new RequestWindow("erasures", ERASURES_RUNNING_MAX, Integer.MAX_VALUE),
        Executors.newFixedThreadPool(threads, new DaemonThreads("hourglass-cassandra-reader")),
        Executors.newSingleThreadExecutor(new DaemonThreads("hourglass-cassandra-claims")));
  }

  /** Prepares the tables on a session. Blocks. */
  Tables prepare(CqlSession session, CassandraOptions options) {
    String keyspace = options.keyspace();
    Cql ofClaims = new Cql(session, keyspace, claims, claims, claimThread);
    Cql ofFirstTimes = new Cql(session, keyspace, firstTimes, firstTimes, readers);
    Cql ofErasures = new Cql(session, keyspace, erasures, erasures, readers);
    return Tables.prepare(
        new Cql(session, keyspace, reads, writes, readers),
        new Claims.Lane(
            new HoursTable(ofClaims), new DirectoryTable(ofClaims), new ClaimsTable(ofClaims)),
        new FirstTimesTable(ofFirstTimes, options),
        ErasureTables.prepare(ofErasures, options.serialConsistency(), options.remember()),
        options);
  }

  List<RequestWindow> windows() {
    return List.of(reads, writes, firstTimes, claims, erasures);
  }

  /** Ends the threads, and waits for each kind at most this long. */
  void close(Duration atMost) {
    DaemonThreads.close(claimThread, atMost);
    DaemonThreads.close(readers, atMost);
  }
}
