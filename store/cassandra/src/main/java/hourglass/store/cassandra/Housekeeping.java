package hourglass.store.cassandra;

import hourglass.store.UnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Background work: publishes directory records and seals rows. Thread-safe. */
final class Housekeeping implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final Connection connection;
  private final OwnRows ownRows;
  private final Sealer sealer;
  private final ScheduledExecutorService telling = thread("hourglass-cassandra-telling");
  private final ScheduledExecutorService sealing = thread("hourglass-cassandra-sealing");

  Housekeeping(Connection connection, OwnRows ownRows, Sealer sealer, Duration sealEvery) {
    this.connection = connection;
    this.ownRows = ownRows;
    this.sealer = sealer;
    every(telling, LOOK_EVERY, ownRows::look);
    every(sealing, sealEvery, () -> sealer.pass(connection.tables()));
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private static void every(ScheduledExecutorService thread, Duration pause, Runnable work) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> tryIt(work), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A failure must not end the schedule. Other components report an unavailable cluster. */
  private static void tryIt(Runnable work) {
    try {
      work.run();
    } catch (UnavailableException e) {
      log.debug("housekeeping waits: {}", e.toString());
    } catch (RuntimeException e) {
      log.warn("housekeeping failed, goes on: {}", e.toString());
    }
  }

  CompletionStage<Void> sealNow() {
    return ownRows.settleAll().thenRunAsync(() -> sealer.pass(connection.tables()), sealing);
  }

  /** Stops, and waits at most {@link #CLOSE_WAIT} for the last directory records. */
  @Override
  public void close() {
    telling.shutdown();
    sealing.shutdownNow();
    try {
      CompletableFuture<Void> told = ownRows.settleAll();
      told.get(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.warn("closed before the directory knew all: its counts are bounds until rows are sealed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
