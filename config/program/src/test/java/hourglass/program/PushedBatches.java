package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Patience;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbered events sent in batches, and which of them were acknowledged; holds a server to it. Safe
 * for use by several threads, each with a client of its own.
 */
public final class PushedBatches {
  private static final Duration PATIENCE = Patience.LONGEST;

  private final NumberedEvents events;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger acknowledgedEvents = new AtomicInteger();
  private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();

  /** Events {@code [from, to)}, sent as one request. */
  public static final class Batch {
    private final int from;
    private final int to;
    private final @Nullable String key;
    private volatile boolean acknowledged;
    private byte @Nullable [] body;

    private Batch(int from, int to, @Nullable String key) {
      this.from = from;
      this.to = to;
      this.key = key;
    }

    /** The number of its first event. */
    public int from() {
      return from;
    }

    /** The number after that of its last one. */
    public int to() {
      return to;
    }
  }

  public PushedBatches(NumberedEvents events) {
    this.events = events;
  }

  /** A client that keeps a connection of its own. */
  public static HttpClient newClient() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  public NumberedEvents events() {
    return events;
  }

  public int acknowledgedEvents() {
    return acknowledgedEvents.get();
  }

  /** How many batches with keys have no answer. */
  public long open() {
    return batches.stream().filter(batch -> !batch.acknowledged && batch.key != null).count();
  }

  /** The next events; from now on the server may have them. */
  public Batch take(int size, boolean keyed) {
    int from = next.getAndAdd(size);
    Batch batch = new Batch(from, from + size, keyed ? "batch-" + from : null);
    batches.add(batch);
    return batch;
  }

  /**
   * Sends a batch once. A 200 must say that all of it was accepted, and counts as acknowledgement.
   */
  public HttpResponse<String> push(HttpClient client, ServerProcess server, Batch batch)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/x-ndjson")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body(batch)));
    if (batch.key != null) {
      request.header("Idempotency-Key", batch.key);
    }
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 200) {
      assertThat(new JsonObject(answer.body()).getInteger("accepted"))
          .as(answer.body())
          .isEqualTo(batch.to - batch.from);
      batch.acknowledged = true;
      batch.body = null;
      acknowledgedEvents.addAndGet(batch.to - batch.from);
    }
    return answer;
  }

  /** Kept for as long as it may be sent again. */
  private byte[] body(Batch batch) {
    byte[] body = batch.body;
    if (body == null) {
      body =
          IntStream.range(batch.from, batch.to)
              .mapToObj(events::payload)
              .collect(Collectors.joining("\n", "", "\n"))
              .getBytes(StandardCharsets.UTF_8);
      batch.body = body;
    }
    return body;
  }

  /** Sends every batch with a key and no answer once more, under its key. */
  public void resendOpen(ServerProcess server) throws IOException, InterruptedException {
    HttpClient client = newClient();
    for (Batch batch : batches) {
      if (!batch.acknowledged && batch.key != null) {
        await().until(() -> isTaken(push(client, server, batch)));
      }
    }
  }

  private static boolean isTaken(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 429);
    return answer.statusCode() == 200;
  }

  /**
   * Fails unless all acknowledged events are there, once, and no others.
   *
   * @throws IOException if an answer is not whole, and says so
   */
  public void check(ServerProcess server) throws IOException, InterruptedException {
    check(acknowledged(), StoredEvents.read(server, events));
  }

  /** The same, once an answer is whole: a node that has just come back may be too slow for one. */
  public void checkAnswered(ServerProcess server) {
    await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              check(server);
              return true;
            });
  }

  /** The same while events are pushed, for those that were acknowledged before. */
  public void checkNow(ServerProcess server) throws IOException, InterruptedException {
    BitSet acknowledged = acknowledged();
    check(acknowledged, StoredEvents.readNow(server, events));
    assertThat(StoredEvents.count(server, events))
        .as("counted")
        .isBetween((long) acknowledged.cardinality(), (long) next.get());
  }

  private BitSet acknowledged() {
    BitSet all = new BitSet();
    batches.stream()
        .filter(batch -> batch.acknowledged)
        .forEach(batch -> all.set(batch.from, batch.to));
    return all;
  }

  private void check(BitSet acknowledged, BitSet stored) {
    BitSet lost = (BitSet) acknowledged.clone();
    lost.andNot(stored);
    List<Integer> some = lost.stream().limit(20).boxed().toList();
    assertThat(lost.cardinality()).as("acknowledged and lost, as %s", some).isZero();
    assertThat(stored.length()).as("more than was sent").isLessThanOrEqualTo(next.get());
  }
}
