package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import hourglass.ingest.http.RawExchanges.Answer;
import hourglass.ingest.protocols.elastic.ElasticBulk;
import hourglass.ingest.protocols.journal.JournalUpload;
import hourglass.ingest.protocols.loki.LokiPush;
import hourglass.ingest.protocols.otlp.Otlp;
import hourglass.ingest.protocols.splunk.SplunkCollector;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests of real clients, byte for byte, and as broken or hostile clients could change them. */
class RecordedRequestsTest {
  private static final int MUTATIONS = Tier.length(1_500, 10_000, 1_000_000);

  /** Number of mutations after which each recorded request is sent unchanged once more. */
  private static final int ROUND = 1_000;

  /** Largest allocation for one request, which has at most 256 KiB. */
  private static final long ALLOCATED_BYTES_MAX = 32L << 20;

  private static final List<PushProtocol> PROTOCOLS =
      List.of(
          new ElasticBulk(ElasticBulk.DEFAULTS),
          new LokiPush(LokiPush.DEFAULTS),
          new Otlp(Otlp.DEFAULTS, true),
          new SplunkCollector(SplunkCollector.DEFAULTS),
          new JournalUpload(JournalUpload.DEFAULTS));

  /** Requests without an event in them. */
  private static final Set<String> STORE_NOTHING = Set.of("otlp/curl-empty", "otlp/curl-metrics");

  /** The form of every answer of a protocol, of its refusals too. */
  private static final Map<String, Predicate<Answer>> FORMS =
      Map.of(
          "elastic", RecordedRequestsTest::isElastic,
          "events", RecordedRequestsTest::isOwn,
          "loki", RecordedRequestsTest::isLoki,
          "journal", RecordedRequestsTest::isJournal,
          "otlp", RecordedRequestsTest::isOtlp,
          "splunk", RecordedRequestsTest::isSplunk);

  private static final List<RecordedRequest> RECORDED = RecordedRequest.all();

  private static IngestServer server;
  private static RawExchanges client;

  @BeforeAll
  static void start() {
    server = new IngestServer(PROTOCOLS.toArray(PushProtocol[]::new));
    client = new RawExchanges(server);
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    server.close();
  }

  @AfterEach
  void nothingIsInFlight() {
    await().until(() -> server.service.inFlight().used() == 0);
  }

  private static boolean isOwn(Answer answer) {
    return answer.status() == 200 || answer.header("content-type").equals("application/json")
        ? json(answer).containsKey("accepted")
        : answer.header("content-type").equals("application/problem+json")
            && json(answer).getInteger("status") == answer.status();
  }

  private static boolean isElastic(Answer answer) {
    return answer.header("x-elastic-product").equals("Elasticsearch")
        && answer.header("content-type").equals("application/json")
        && (answer.status() == 200 || json(answer).getInteger("status") == answer.status())
        && (answer.status() == 200
            || json(answer).getJsonObject("error").getString("type") != null);
  }

  private static boolean isSplunk(Answer answer) {
    return answer.header("content-type").equals("application/json")
        && json(answer).getString("text") != null
        && (json(answer).getInteger("code") == 0) == (answer.status() == 200);
  }

  private static boolean isLoki(Answer answer) {
    return answer.status() == 204
        ? answer.text().isEmpty()
        : answer.header("content-type").startsWith("text/plain") && answer.text().endsWith("\n");
  }

  private static boolean isJournal(Answer answer) {
    return answer.header("content-type").startsWith("text/plain")
        && answer.text().equals("OK.\n") == (answer.status() == 200);
  }

  private static boolean isOtlp(Answer answer) {
    boolean isTaken = answer.status() == 200;
    if (answer.header("content-type").equals("application/x-protobuf")) {
      return answer.text().isEmpty() ? isTaken : answer.text().charAt(0) == (isTaken ? '\n' : '\b');
    }
    Set<String> names = json(answer).fieldNames();
    return answer.header("content-type").equals("application/json")
        && (isTaken
            ? Set.of("partialSuccess").containsAll(names)
            : names.equals(Set.of("code", "message")));
  }

  private static JsonObject json(Answer answer) {
    return new JsonObject(answer.text());
  }

  private static boolean isInForm(RecordedRequest request, Answer answer) {
    Predicate<Answer> form = FORMS.get(request.protocol());
    assertThat(form).as(request + ": how its protocol answers").isNotNull();
    try {
      return form.test(answer);
    } catch (DecodeException | ClassCastException | NullPointerException e) {
      return false;
    }
  }

  @Test
  void recordedRequestsOfRealClientsAreStored() throws IOException {
    server.store.clear();
    int events = 0;
    for (RecordedRequest request : RECORDED) {
      Answer answer = client.send(request.recorded());
      assertThat(answer.status()).as("%s: %s", request, answer).isBetween(200, 299);
      assertThat(isInForm(request, answer)).as("%s: %s", request, answer).isTrue();
      int stored = server.store.payloads().size();
      boolean storesNothing =
          request.body().length == 0 || STORE_NOTHING.contains(request.toString());
      assertThat(stored > events || storesNothing).as("%s: stored", request).isTrue();
      events = stored;
    }
  }

  @Test
  void mutationsAreAnsweredInTheFormOfTheProtocol() throws IOException {
    RequestMutations mutations = new RequestMutations(Seed.random(this), RECORDED);
    Map<Integer, Integer> statuses = new TreeMap<>();
    long largest = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      RecordedRequest request = RECORDED.get(i % RECORDED.size());
      byte[] bytes = mutations.of(request);
      long before = allocatedBytes();
      Answer answer = answerTo(request, bytes);
      long allocated = allocatedBytes() - before;
      largest = Math.max(largest, allocated);
      statuses.merge(answer.status(), 1, Integer::sum);
      // Nothing else is in flight, so no request may be told to come again.
      boolean isRight = answer.status() < 429 && isInForm(request, answer);
      if (!isRight || allocated > ALLOCATED_BYTES_MAX) {
        throw new AssertionError(
            "%s: %s%n%,d bytes allocated for%n%s"
                .formatted(request, answer, allocated, new String(bytes, ISO_8859_1)));
      }
      if (i % ROUND == 0) {
        recordedRequestsOfRealClientsAreStored();
      }
    }
    recordedRequestsOfRealClientsAreStored();
    System.out.printf(
        "%,d mutations, answered %s, at most %,d bytes allocated%n", MUTATIONS, statuses, largest);
  }

  private static Answer answerTo(RecordedRequest request, byte[] bytes) throws IOException {
    try {
      return client.send(bytes);
    } catch (IOException e) {
      throw new IOException(request + " as " + new String(bytes, ISO_8859_1), e);
    }
  }

  /** Returns the bytes allocated so far by all threads but this one. */
  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids =
        Arrays.stream(threads.getAllThreadIds())
            .filter(id -> id != Thread.currentThread().getId())
            .toArray();
    return Arrays.stream(threads.getThreadAllocatedBytes(ids)).sum();
  }
}
