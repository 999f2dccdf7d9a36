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

/** Publishes directory records, seals rows and erases columns in the background. Thread-safe. */
final class Housekeeping implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Housekeeping.class);

  private static final Duration PUBLISH_EVERY = Duration.ofSeconds(1);

  /** Requests wait for a look that is younger than the lease, which is 1 s at most. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private static final Duration ERASE_EVERY_MAX = Duration.ofSeconds(1);

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final Connection connection;
  private final OwnRows ownRows;
  private final Sealer sealer;
  private final TableEraser eraser;
  private final ScheduledExecutorService publishing =
      Executors.newSingleThreadScheduledExecutor(
          new DaemonThreads("hourglass-cassandra-publishing"));
  private final ScheduledExecutorService sealing =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-cassandra-sealing"));

  private final ScheduledExecutorService erasing =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-cassandra-erasing"));

  Housekeeping(
      Connection connection,
      OwnRows ownRows,
      Sealer sealer,
      CassandraErasures erasures,
      CassandraOptions options) {
    this.connection = connection;
    this.ownRows = ownRows;
    this.sealer = sealer;
    this.eraser = erasures.eraser();
    every(publishing, PUBLISH_EVERY, ownRows::publishDue);
    every(sealing, options.sealEvery(), () -> sealer.pass(connection.tables()));
    every(publishing, LOOK_EVERY, () -> started(erasures.look()));
    Duration quarter = options.eraseAfter().dividedBy(4);
    Duration eraseEvery = quarter.compareTo(ERASE_EVERY_MAX) < 0 ? quarter : ERASE_EVERY_MAX;
    every(publishing, eraseEvery, () -> started(eraser.keepClaim()));
    every(erasing, eraseEvery, () -> eraser.pass(connection.tables()));
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

  /** Leaves the outcome to those who need it. */
  private static void started(CompletionStage<?> stage) {
    stage.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            logger.debug("erasures: not looked at: {}", failure.toString());
          }
        });
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
    eraser.close();
    erasing.shutdownNow();
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
