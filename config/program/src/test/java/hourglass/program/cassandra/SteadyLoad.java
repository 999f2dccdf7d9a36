package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.PushedBatches;
import hourglass.program.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@link PatientClient}s at work. Writers push batches and look for what was acknowledged; readers
 * ask for the newest events all the time.
 */
final class SteadyLoad implements AutoCloseable {
  private static final int WRITERS = 4;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> clients = new ArrayList<>();
  private final List<ServerProcess> ingest;
  private final List<ServerProcess> query;
  private final PushedBatches batches;
  private final int batchMax;
  private final CallLog pushes = new CallLog("pushes");
  private final CallLog queries = new CallLog("queries");
  private volatile boolean ending;

  private SteadyLoad(
      List<ServerProcess> ingest, List<ServerProcess> query, PushedBatches batches, int batchMax) {
    this.ingest = List.copyOf(ingest);
    this.query = List.copyOf(query);
    this.batches = batches;
    this.batchMax = batchMax;
  }

  /**
   * @param batchMax of events in a request
   */
  static SteadyLoad start(
      List<ServerProcess> ingest,
      List<ServerProcess> query,
      PushedBatches batches,
      int batchMax,
      Random random) {
    SteadyLoad load = new SteadyLoad(ingest, query, batches, batchMax);
    for (int i = 0; i < WRITERS; i++) {
      int first = i;
      SplittableRandom own = new SplittableRandom(random.nextLong());
      load.clients.add(load.threads.submit(() -> load.write(first, own)));
    }
    for (ServerProcess server : query) {
      load.clients.add(load.threads.submit(() -> load.read(server)));
    }
    return load;
  }

  CallLog pushes() {
    return pushes;
  }

  CallLog queries() {
    return queries;
  }

  /**
   * Waits for the given number of further acknowledged events, and for some time; fails if a client
   * failed.
   */
  void awaitMore(int events, Duration atLeast) throws Exception {
    int target = batches.acknowledgedEvents() + events;
    long untilNanos = System.nanoTime() + atLeast.toNanos();
    await()
        .atMost(PatientClient.GIVE_UP_AFTER)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                anyEnded()
                    || batches.acknowledgedEvents() >= target
                        && System.nanoTime() - untilNanos >= 0);
    check();
  }

  /** Fails if a client ended by itself. */
  void check() throws Exception {
    if (anyEnded()) {
      finish();
      throw new AssertionError("a client ended by itself");
    }
  }

  private boolean anyEnded() {
    return clients.stream().anyMatch(Future::isDone);
  }

  /** Waits until every batch begun is acknowledged; fails if a client failed. */
  void finish() throws Exception {
    ending = true;
    for (Future<?> client : clients) {
      client.get(PatientClient.GIVE_UP_AFTER.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private @Nullable Void write(int first, SplittableRandom own) throws InterruptedException {
    PatientClient client = new PatientClient(ingest, query, pushes, queries, first);
    while (!ending) {
      client.push(batches, batches.take(1 + own.nextInt(batchMax), true), own);
      LockSupport.parkNanos(PatientClient.PAUSE_NANOS);
    }
    return null;
  }

  private @Nullable Void read(ServerProcess server) throws InterruptedException {
    PatientClient client = new PatientClient(ingest, query, pushes, queries, 0);
    while (!ending) {
      HttpResponse<String> answer =
          client.ask(server, "/api/v1/events?order=desc&limit=200&" + batches.events().range());
      if (answer != null) {
        assertThat(new JsonObject(answer.body()).getBoolean("complete")).isTrue();
      }
      LockSupport.parkNanos(PatientClient.PAUSE_NANOS);
    }
    return null;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
