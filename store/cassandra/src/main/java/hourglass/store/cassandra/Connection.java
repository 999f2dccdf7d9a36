package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import hourglass.access.DaemonThreads;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.driver.DriverMetrics;
import hourglass.store.cassandra.driver.Nodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects and prepares the tables in the background, and retries until both succeed. Then the
 * driver maintains the connections. Thread-safe.
 */
final class Connection implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Connection.class);

  private static final Duration PAUSE_FIRST = Duration.ofMillis(500);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final Supplier<CqlSession> connect;
  private final Function<CqlSession, Tables> prepare;
  private final MeterRegistry meters;
  private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-cassandra-connect"));

  private volatile @Nullable Tables tables;
  private volatile String reason = "not connected yet";
  private volatile boolean isClosing;

  /** Begins to connect. Both functions block; {@code prepare} creates or checks the schema. */
  Connection(
      Supplier<CqlSession> connect, Function<CqlSession, Tables> prepare, MeterRegistry meters) {
    this.connect = connect;
    this.prepare = prepare;
    this.meters = meters;
    thread.execute(() -> attempt(PAUSE_FIRST));
  }

  private void attempt(Duration pause) {
    CqlSession made = null;
    try {
      made = connect.get();
      tables = prepare.apply(made);
      thread.shutdown();
    } catch (RuntimeException | Error e) { // the executor would drop an Error unseen
      if (made != null) {
        closeAsync(made);
      }
      report(e instanceof Error ? e.toString() : String.valueOf(DriverFailures.of(e).getMessage()));
    }
    firstAttempt.complete(null);
    if (!thread.isShutdown()) {
      Duration doubled = pause.multipliedBy(2);
      Duration next = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
      var unused = thread.schedule(() -> attempt(next), pause.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void report(String failure) {
    if (!failure.equals(reason)) {
      logger.warn("cannot connect, trying on: {}", failure);
    }
    reason = failure;
  }

  void awaitFirstAttempt(Duration atMost) {
    try {
      firstAttempt.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      logger.info("not connected after {}, goes on in the background", atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the tables. Throws {@link UnavailableException} with the reason while there is no
   * connection.
   */
  Tables tables() {
    Tables now = tables;
    if (now == null) {
      throw new UnavailableException(reason);
    }
    return now;
  }

  /** Returns the tables like {@link #tables}, but refuses requests once the store closes. */
  Tables tablesForRequest() {
    if (isClosing) {
      throw new UnavailableException("the store is closed");
    }
    return tables();
  }

  boolean isClosing() {
    return isClosing;
  }

  /** Refuses further requests. The tables stay open for the work that ends the store. */
  void beginClose() {
    isClosing = true;
  }

  /** The session; null while there is no connection. */
  @Nullable CqlSession session() {
    Tables now = tables;
    return now == null ? null : now.cql().session();
  }

  long nodes(NodeState state) {
    CqlSession session = session();
    return session == null ? 0 : Nodes.count(session, state);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    DaemonThreads.close(thread, CLOSE_WAIT);
    CqlSession open = session();
    if (open != null) {
      closeAsync(open).toCompletableFuture().join();
    }
  }

  private CompletionStage<Void> closeAsync(CqlSession session) {
    return session
        .closeAsync()
        .whenComplete((ok, e) -> DriverMetrics.remove(session.getName(), meters));
  }
}
