package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes, one on each engine, store the same events and answer alike, byte for byte. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(13)
@ResourceLock(SharedCassandra.LOCK)
@Tag(Tier.IN_FULL)
class SameAnswersIT {
  private static final String SHARDS = "bucketing.shards=4";

  /** Rows to seal are looked for every minute. */
  private static final Duration SEAL_PATIENCE = Duration.ofMinutes(3);

  private static final String RANGE = "from=2026-11-20T08:00:00Z&to=2026-11-20T11:00:00Z";
  private static final int REQUESTS = 40;

  /** Length of the head of a pack of one column, as in docs/pack-format.md. */
  private static final int COLUMN_HEAD_BYTES = 4;

  /** The headers and trailers of an answer that describe it. */
  private static final List<String> FACTS =
      List.of(
          "content-type",
          "link",
          "hourglass-rows-asked",
          "hourglass-rows-answered",
          "hourglass-complete");

  @TempDir static Path folder;
  private ServerProcess embedded;
  private ServerProcess cassandra;

  @BeforeAll
  void pushTheSameToBoth() throws Exception {
    SharedCassandra.empty();
    embedded = ServerProcess.start(folder, SHARDS, "constant.sealAfterMillis=0");
    cassandra =
        ServerProcess.start(folder, SharedCassandra.settings(SHARDS, "constant.sealAfterMillis=0"))
            .awaitReady();
    Random random = Seed.random(this);
    OddEvents events = new OddEvents(random);
    List<String> bodies = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      bodies.add(events.body());
    }
    for (int i = 0; i < REQUESTS; i++) {
      push(i, bodies.get(i));
      int again = random.nextInt(i + 1);
      push(again, bodies.get(again));
    }
  }

  @AfterAll
  void stop() {
    for (ServerProcess server : new ServerProcess[] {embedded, cassandra}) {
      if (server != null) {
        server.close();
      }
    }
  }

  /** The key, too, is an identity, for events that have none of their own. */
  private void push(int number, String body) throws Exception {
    assertThat(pushed(cassandra, number, body)).isEqualTo(pushed(embedded, number, body));
  }

  private static String pushed(ServerProcess server, int number, String body) throws Exception {
    HttpResponse<String> answer =
        server.send(
            HttpRequest.newBuilder(server.uri("/api/v1/events"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "request-" + number)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format=json&limit=all",
        "format=ndjson&limit=all",
        "format=raw&limit=all",
        "format=csv&limit=all&fields=time,type,data.n,data.text",
        "format=ndjson&limit=all&order=desc",
        "format=raw&limit=all&order=desc&type=b.c",
        "format=json&limit=97",
        "format=json&limit=97&order=desc",
        "format=ndjson&limit=1&type=rare",
        "format=ndjson&limit=50&contains=fox",
        "format=csv&limit=64&order=desc&type=a&fields=id,data.n",
      })
  void bothEnginesReturnTheSameEvents(String query) throws Exception {
    String path = "/api/v1/events?" + RANGE + "&" + query;
    int pages = 0;
    while (path != null) {
      HttpResponse<String> one = embedded.get(path);
      HttpResponse<String> other = cassandra.get(path);
      assertThat(one.statusCode()).as(one.body()).isEqualTo(200);
      assertThat(one.body()).as(path).isNotEmpty();
      assertThat(other.body()).as(path).isEqualTo(one.body());
      assertThat(facts(other)).as(path).isEqualTo(facts(one));
      path = next(one);
      pages++;
    }
    assertThat(pages > 1).as(pages + " pages").isEqualTo(!query.contains("limit=all"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hits?step=1m&by=type&" + RANGE,
        "hits?step=7s&type=a&hour=2026-11-20T09",
        "hits?step=1h&" + RANGE,
        "types?" + RANGE,
        "types?from=2026-11-20T08:10:00.5Z&to=2026-11-20T09:20:00.25Z",
        "stats?field=data.n&by=type&" + RANGE,
        "stats?field=data.time&type=a&from=2026-11-20T08:10:00.5Z&to=2026-11-20T09:20:00.25Z",
        "top?field=data.n&" + RANGE,
        "hits?step=7m&by=type&by=data.n&groups=7&" + RANGE,
        "stats?field=data.n&step=9m&by=data.text&groups=3&" + RANGE,
        "top?field=data.n&by=type&n=2&contains=FOX&icase=true&" + RANGE,
        "fields?sample=1&prefix=data.te&" + RANGE,
        "top?field=data.text&n=3&contains=fox&" + RANGE,
      })
  void bothEnginesReturnTheSameCounts(String query) throws Exception {
    HttpResponse<String> one = embedded.get("/api/v1/" + query);
    assertThat(one.statusCode()).as(one.body()).isEqualTo(200);
    assertThat(cassandra.get("/api/v1/" + query).body()).isEqualTo(one.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "&order=desc", "&type=b.c", "&contains=fox&from=2026-11-20T08:30:00Z"})
  void bothEnginesReturnTheSameEventsAroundOne(String selection) throws Exception {
    String half = "/api/v1/events?limit=1&type=a&from=2026-11-20T09:30:00Z";
    JsonObject page = new JsonObject(embedded.get(half).body());
    String id = page.getJsonArray("events").getJsonObject(0).getString("id");
    String path = "/api/v1/events?limit=300&around=" + id + selection;
    HttpResponse<String> one = embedded.get(path);
    assertThat(one.statusCode()).as(one.body()).isEqualTo(200);
    assertThat(one.body()).contains(id);
    HttpResponse<String> other = cassandra.get(path);
    assertThat(other.body()).isEqualTo(one.body());
    assertThat(facts(other)).isEqualTo(facts(one));
  }

  /** A cursor belongs to the events, not to a process. */
  @Test
  void cursorsAreValidOnBothEngines() throws Exception {
    String path = next(embedded.get("/api/v1/events?format=raw&limit=100&" + RANGE));
    assertThat(cassandra.get(path).body()).isEqualTo(embedded.get(path).body()).isNotEmpty();
  }

  /** The other tests need both forms: pages of many columns, and columns on their own. */
  @Test
  void columnsAreStoredInPagesAndAlone() {
    List<ByteBuffer> heads =
        SharedCassandra.values("SELECT head FROM hourglass.packs_keep", ByteBuffer.class);
    assertThat(heads.stream().filter(head -> head.remaining() > COLUMN_HEAD_BYTES).count())
        .isGreaterThan(50);
    assertThat(heads.stream().filter(head -> head.remaining() == COLUMN_HEAD_BYTES).count())
        .isGreaterThan(50);
  }

  /** Repeated columns may count twice before the rows are sealed. */
  @Test
  void bothEnginesReturnTheSameRows() throws Exception {
    for (ServerProcess server : List.of(embedded, cassandra)) {
      await().atMost(SEAL_PATIENCE).until(() -> !answer(server).contains("\"sealed\":false"));
    }
    List<List<Object>> one = rows(embedded);
    assertThat(one).hasSizeGreaterThan(3 * 4 * 2);
    assertThat(rows(cassandra)).isEqualTo(one);
  }

  private static List<List<Object>> rows(ServerProcess server) throws Exception {
    JsonObject answer = new JsonObject(answer(server));
    return answer.getJsonArray("rows").stream()
        .map(row -> (JsonObject) row)
        .map(
            row ->
                List.of(
                    row.getValue("row"),
                    row.getValue("columns"),
                    row.getValue("first"),
                    row.getValue("last")))
        .toList();
  }

  private static String answer(ServerProcess server) throws Exception {
    return server.get("/api/v1/rows?" + RANGE).body();
  }

  private static List<List<String>> facts(HttpResponse<String> answer) {
    return FACTS.stream().map(name -> answer.headers().allValues(name)).toList();
  }

  private static String next(HttpResponse<String> page) {
    return page.headers().allValues("link").stream()
        .filter(link -> link.contains("rel=\"next\""))
        .map(link -> link.substring(link.indexOf('<') + 1, link.indexOf('>')))
        .findFirst()
        .orElse(null);
  }
}
