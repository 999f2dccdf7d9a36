package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushedBatches.Batch;
import hourglass.program.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
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
 * Clients that do not give up. Writers push batches until each is acknowledged, under one key and
 * with another process after each failure, as {@code load} does; then they look whether a query
 * process of chance shows what was acknowledged. Readers ask for the newest events all the time.
 */
final class SteadyLoad implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(20);
  private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(3);

  /** Left to the other clients, which share a machine with the servers. */
  private static final long PAUSE_NANOS = 50_000_000;

  private static final String NEWEST =
      "/api/v1/events?order=desc&limit=200&" + NumberedEvents.range();

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

  /** Waits until so many more events are acknowledged, and for some time; fails as a client did. */
  void awaitMore(int events, Duration atLeast) throws Exception {
    int target = batches.acknowledgedEvents() + events;
    long untilNanos = System.nanoTime() + atLeast.toNanos();
    await()
        .atMost(GIVE_UP_AFTER)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                anyEnded()
                    || batches.acknowledgedEvents() >= target
                        && System.nanoTime() - untilNanos >= 0);
    check();
  }

  /** Fails as a client did, if one ended by itself. */
  void check() throws Exception {
    if (anyEnded()) {
      finish();
      throw new AssertionError("a client ended by itself");
    }
  }

  private boolean anyEnded() {
    return clients.stream().anyMatch(Future::isDone);
  }

  /** Waits until every batch that was begun is acknowledged; fails as a client did. */
  void finish() throws Exception {
    ending = true;
    for (Future<?> client : clients) {
      client.get(GIVE_UP_AFTER.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private @Nullable Void write(int first, SplittableRandom own) throws InterruptedException {
    HttpClient client = PushedBatches.newClient();
    int target = first;
    while (!ending) {
      Batch batch = batches.take(1 + own.nextInt(batchMax), true);
      long untilNanos = System.nanoTime() + GIVE_UP_AFTER.toNanos();
      for (int attempt = 1; !isPushed(client, pick(ingest, target), batch); attempt++) {
        assertThat(System.nanoTime() - untilNanos).as("never taken").isNegative();
        target++;
        LockSupport.parkNanos(PAUSE_NANOS * Math.min(attempt, 10));
      }
      int number = batch.from() + own.nextInt(batch.to() - batch.from());
      checkShown(client, pick(query, own.nextInt(query.size())), number);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return null;
  }

  private static ServerProcess pick(List<ServerProcess> servers, int i) {
    return servers.get(i % servers.size());
  }

  private boolean isPushed(HttpClient client, ServerProcess server, Batch batch)
      throws InterruptedException {
    try {
      HttpResponse<String> answer = batches.push(client, server, batch);
      return isWell(answer, pushes);
    } catch (IOException e) {
      pushes.failed(e.toString());
      return false;
    }
  }

  /**
   * Asks for one event that is acknowledged. Without an answer the writer goes on: were all writers
   * to wait here, nobody would see how pushes fare.
   */
  private void checkShown(HttpClient client, ServerProcess server, int number)
      throws InterruptedException {
    NumberedEvents events = batches.events();
    Instant time = Instant.ofEpochMilli(events.timeMillis(number));
    String path =
        "/api/v1/events?format=raw&limit=all&type=%s&from=%s&to=%s"
            .formatted(events.type(number), time, time.plusMillis(1));
    HttpResponse<String> answer = ask(client, server, path);
    if (answer != null) {
      assertThat(answer.body().lines()).as("acknowledged").containsOnlyOnce(events.payload(number));
    }
  }

  private @Nullable Void read(ServerProcess server) throws InterruptedException {
    HttpClient client = PushedBatches.newClient();
    while (!ending) {
      HttpResponse<String> answer = ask(client, server, NEWEST);
      if (answer != null) {
        assertThat(new JsonObject(answer.body()).getBoolean("complete")).isTrue();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return null;
  }

  private @Nullable HttpResponse<String> ask(HttpClient client, ServerProcess server, String path)
      throws InterruptedException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri(path)).timeout(ANSWER_PATIENCE).build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      return isWell(answer, queries) ? answer : null;
    } catch (IOException e) {
      queries.failed(e.toString());
      return null;
    }
  }

  /** Records an answer; a refusal must say when to retry. */
  private static boolean isWell(HttpResponse<String> answer, CallLog log) {
    if (answer.statusCode() == 200) {
      log.succeeded();
      return true;
    }
    assertThat(answer.statusCode()).as(answer.body()).isIn(429, 503);
    assertThat(answer.headers().firstValueAsLong("retry-after").orElse(0)).isPositive();
    log.failed(answer.statusCode() + " " + new JsonObject(answer.body()).getString("detail"));
    return false;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
