package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushedBatches.Batch;
import hourglass.program.ServerProcess;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A client that does not give up: it pushes a batch until that is acknowledged, under one key and
 * with another process after each failure, as {@code load} does. Used by one thread.
 */
final class PatientClient {
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(20);
  static final Duration GIVE_UP_AFTER = Duration.ofMinutes(3);

  /** Pause between two calls: servers, nodes and clients share a machine. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(Tier.length(200, 200, 50));

  private final HttpClient client = PushedBatches.newClient();
  private final List<ServerProcess> ingest;
  private final List<ServerProcess> query;
  private final CallLog pushes;
  private final CallLog queries;
  private int target;

  /**
   * @param target where it pushes at first
   */
  PatientClient(
      List<ServerProcess> ingest,
      List<ServerProcess> query,
      CallLog pushes,
      CallLog queries,
      int target) {
    this.ingest = ingest;
    this.query = query;
    this.pushes = pushes;
    this.queries = queries;
    this.target = target;
  }

  /** Pushes a batch, then checks whether a random query process shows the acknowledged events. */
  void push(PushedBatches batches, Batch batch, SplittableRandom random)
      throws InterruptedException {
    long untilNanos = System.nanoTime() + GIVE_UP_AFTER.toNanos();
    for (int attempt = 1; !isPushed(batches, batch); attempt++) {
      assertThat(System.nanoTime() - untilNanos).as("never taken").isNegative();
      target++;
      LockSupport.parkNanos(PAUSE_NANOS * Math.min(attempt, 10));
    }
    int number = batch.from() + random.nextInt(batch.to() - batch.from());
    checkShown(batches.events(), query.get(random.nextInt(query.size())), number);
  }

  private boolean isPushed(PushedBatches batches, Batch batch) throws InterruptedException {
    try {
      return isWell(batches.push(client, ingest.get(target % ingest.size()), batch), pushes);
    } catch (IOException e) {
      pushes.failed(e.toString());
      return false;
    }
  }

  /**
   * Asks for one acknowledged event. Without an answer the client goes on to push: all clients
   * might wait here otherwise, and no push be tried.
   */
  private void checkShown(NumberedEvents events, ServerProcess server, int number)
      throws InterruptedException {
    Instant time = Instant.ofEpochMilli(events.timeMillis(number));
    String path =
        "/api/v1/events?format=raw&limit=all&type=%s&from=%s&to=%s"
            .formatted(events.type(number), time, time.plusMillis(1));
    HttpResponse<String> answer = ask(server, path);
    if (answer != null) {
      assertThat(answer.body().lines()).as("acknowledged").containsOnlyOnce(events.payload(number));
    }
  }

  /** Null: there was no whole answer, and the client was told so. */
  @Nullable HttpResponse<String> ask(ServerProcess server, String path)
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
}
