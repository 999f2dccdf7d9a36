package hourglass.store.cassandra;

import hourglass.access.DaemonThreads;
import hourglass.store.UnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes directory records and seals rows in the background. Thread-safe. */
final class Housekeeping implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Housekeeping.class);

  private static final Duration PUBLISH_EVERY = Duration.ofSeconds(1);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final Connection connection;
  private final OwnRows ownRows;
  private final Sealer sealer;
  private final ScheduledExecutorService publishing =
      Executors.newSingleThreadScheduledExecutor(
          new DaemonThreads("hourglass-cassandra-publishing"));
  private final ScheduledExecutorService sealing =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-cassandra-sealing"));

  Housekeeping(Connection connection, OwnRows ownRows, Sealer sealer, Duration sealEvery) {
    this.connection = connection;
    this.ownRows = ownRows;
    this.sealer = sealer;
    every(publishing, PUBLISH_EVERY, ownRows::publishDue);
    every(sealing, sealEvery, () -> sealer.pass(connection.tables()));
  }

  private static void every(ScheduledExecutorService thread, Duration pause, Runnable work) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> tryIt(work), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Runs work whose failure must not end the schedule. Other components report an unavailable
   * cluster.
   */
  private static void tryIt(Runnable work) {
    try {
      work.run();
    } catch (UnavailableException e) {
      logger.debug("housekeeping waits: {}", e.toString());
    } catch (RuntimeException e) {
      logger.warn("housekeeping failed, goes on: {}", e.toString());
    }
  }

  /** Publishes the exact state of all rows. */
  CompletionStage<Void> publishNow() {
    return ownRows.publishAll();
  }

  /** Publishes the exact state of all rows, then seals every row that is due. */
  CompletionStage<Void> sealNow() {
    return ownRows.publishAll().thenRunAsync(() -> sealer.pass(connection.tables()), sealing);
  }

  /** Waits at most {@link #CLOSE_WAIT} for the last directory records. */
  @Override
  public void close() {
    publishing.shutdown();
    sealing.shutdownNow();
    try {
      ownRows.publishAll().get(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      logger.warn(
          "closed before the directory had all counts: they are bounds until rows are sealed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
