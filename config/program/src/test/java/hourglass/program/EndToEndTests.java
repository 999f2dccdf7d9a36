package hourglass.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events are pushed and read back through the whole program, on any engine. */
public abstract class EndToEndTests {
  private static final String HOUR = "/api/v1/events?hour=2026-11-20T08";

  @TempDir protected Path folder;

  /** A server that is ready, with nothing in its store. */
  protected abstract ServerProcess start(String... settings) throws Exception;

  /** The same server on the same data once more, after its end; ready. */
  protected abstract ServerProcess restart(ServerProcess ended) throws Exception;

  /** How far above its columns the entry of a row may be after its writer was killed. */
  protected int spareColumns() {
    return 0;
  }

  @Test
  void everyContentTypeIsReadBackUnchanged() throws Exception {
    String plain = "{\"type\":\"plain\",\"time\":\"2026-11-20T08:00:00Z\",\"n\":1}";
    String listed = "{\"type\":\"listed\",\"time\":1795161600,\"n\":1}";
    String line = "{\"type\":\"line\",\"time\":1795161600000, \"n\":1}";
    String cloudEvent =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"%s\","
            + "\"time\":\"2026-11-20T08:00:00Z\"%s}";
    String structured = cloudEvent.formatted("structured", ",\"data\":1");
    String batched = cloudEvent.formatted("batched", "");
    try (ServerProcess server = start()) {
      readBackUnchanged(server, "application/json", plain, "plain", plain);
      readBackUnchanged(server, "application/json", "[" + listed + "]", "listed", listed);
      readBackUnchanged(server, "application/x-ndjson", line, "line", line);
      String type = "application/cloudevents";
      readBackUnchanged(server, type + "+json", structured, "structured", structured);
      readBackUnchanged(server, type + "-batch+json", "[" + batched + "]", "batched", batched);
      assertThat(server.get(HOUR + "&format=raw").body().lines())
          .containsExactlyInAnyOrder(plain, listed, line, structured, batched);
    }
  }

  private static void readBackUnchanged(
      ServerProcess server, String contentType, String body, String type, String payload)
      throws Exception {
    HttpResponse<String> pushed = server.post("/api/v1/events", contentType, body);
    assertThat(pushed.body()).startsWith("{\"accepted\":1,\"rejected\":0,\"times\":{");
    String path = HOUR + "&type=" + type;
    assertThat(server.get(path + "&format=raw").body()).isEqualTo(payload + "\n");
    assertThat(server.get(path + "&format=ndjson").body())
        .contains(
            "\"time\":\"2026-11-20T08:00:00.0000000Z\",\"type\":\"%s\",\"data\":%s"
                .formatted(type, payload));
    assertThat(server.get(path).body())
        .endsWith("\"cursor\":null,\"rows\":{\"asked\":1,\"answered\":1},\"complete\":true}");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void binaryCloudEventsAreReadBackWhole() throws Exception {
    try (ServerProcess server = start()) {
      HttpResponse<String> pushed =
          server.send(
              HttpRequest.newBuilder(server.uri("/api/v1/events"))
                  .header("Content-Type", "application/json")
                  .header("ce-specversion", "1.0")
                  .header("ce-id", "1")
                  .header("ce-source", "/s")
                  .header("ce-type", "a")
                  .header("ce-time", "2026-11-20T08:00:00Z")
                  .POST(HttpRequest.BodyPublishers.ofString("{\"n\":1}")));
      assertThat(pushed.body()).startsWith("{\"accepted\":1,");
      assertThat(server.get(HOUR + "&format=raw").body())
          .contains("\"id\":\"1\"", "\"source\":\"/s\"", "\"data\":{\"n\":1}");
    }
  }

  @Test
  void acknowledgedEventsSurviveShutdownAndKill() throws Exception {
    String lines = lines(0, 5000);
    ServerProcess server = start();
    try {
      assertThat(gzipped(server, lines).body()).startsWith("{\"accepted\":5000,");
      assertThat(server.terminate()).as(server.log()).isZero();
      server = restart(server);
      assertThat(raw(server)).isEqualTo(lines);
      String more = lines(5000, 9000);
      assertThat(gzipped(server, more).body()).startsWith("{\"accepted\":4000,");
      server.kill();
      server = restart(server);
      assertThat(raw(server)).isEqualTo(lines + more);
      assertThat(gzipped(server, lines).body()).startsWith("{\"accepted\":5000,");
      assertThat(raw(server)).as("sent again, not twice there").isEqualTo(lines + more);
      assertThat(server.get("/api/v1/types?hour=2026-11-20T08").body())
          .contains("\"type\":\"a\",\"count\":4500", "\"type\":\"b\",\"count\":4500");
    } finally {
      server.close();
    }
  }

  /**
   * The event is recognized by source and id, or by id under its rule, after a kill and in a later
   * second.
   */
  @Test
  void repeatOfAnEventWithoutATimeIsOneEvent() throws Exception {
    String cloudEvent =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"untimed\"}";
    String withId = "{\"type\":\"untimed\",\"id\":1}";
    ServerProcess server = start();
    try {
      for (int i = Tier.length(2, 3, 3); i > 0; i--) {
        assertThat(server.post("/api/v1/events", "application/cloudevents+json", cloudEvent).body())
            .startsWith("{\"accepted\":1,\"rejected\":0,\"untimed\":1");
        assertThat(server.post("/api/v1/events?identity=id", "application/json", withId).body())
            .startsWith("{\"accepted\":1,\"rejected\":0,\"untimed\":1");
        server.kill();
        server = restart(server);
      }
      Instant now = Instant.now();
      String range = "from=" + now.minusSeconds(7_200) + "&to=" + now.plusSeconds(7_200);
      assertThat(server.get("/api/v1/events?type=untimed&format=raw&" + range).body().lines())
          .containsExactlyInAnyOrder(cloudEvent, withId);
    } finally {
      server.close();
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void repeatIsOneEventAfterReshardingAndRestart() throws Exception {
    ServerProcess server = start("bucketing.target-columns=200");
    String lines = lines(0, 3000);
    try {
      gzipped(server, lines);
      gzipped(server, lines);
      server.close();
      server = restart(server);
      gzipped(server, lines(1000, 2000));
      assertThat(raw(server)).isEqualTo(lines);
      assertThat(server.get("/api/v1/types?hour=2026-11-20T08").body())
          .contains("\"type\":\"a\",\"count\":1500", "\"type\":\"b\",\"count\":1500");
      assertThat(server.get("/api/v1/hits?hour=2026-11-20T08&step=1h&by=type").body())
          .contains("\"total\":3000");
      String rows = server.get("/api/v1/rows?hour=2026-11-20T08&type=a").body();
      int widest = 220 + spareColumns();
      assertThat(widths(rows)).hasSizeGreaterThan(2 * 7).allMatch(columns -> columns <= widest);
    } finally {
      server.close();
    }
  }

  /** The columns of each row. */
  private static List<Integer> widths(String rows) {
    return objects(new JsonObject(rows), "rows").map(row -> row.getInteger("columns")).toList();
  }

  private static Stream<JsonObject> objects(JsonObject answer, String field) {
    return answer.getJsonArray(field).stream().map(JsonObject.class::cast);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void rowsShowWritersSkewAndAProposal() throws Exception {
    try (ServerProcess server = start("bucketing.target-columns=100", "bucketing.spread=4")) {
      AtomicReference<JsonObject> answer = new AtomicReference<>();
      // Events get the time of receipt; should their hour end meanwhile, the next one will do.
      String hour;
      do {
        hour = thisHour();
        pushUntimed(server, "spread", 3000);
        pushUntimed(server, "quiet", 5);
        String path = "/api/v1/rows?hour=" + hour;
        await()
            .untilAsserted(
                () -> {
                  answer.set(new JsonObject(server.get(path).body()));
                  // A claim may be on its way while its columns are acknowledged.
                  assertThat(ofType(answer.get(), "types", "quiet"))
                      .allMatch(type -> type.getInteger("writers") == 1);
                });
      } while (!hour.equals(thisHour()));
      assertSpread(answer.get());
      List<JsonObject> quiet = ofType(answer.get(), "rows", "quiet");
      assertThat(quiet).hasSize(1);
      assertThat(quiet.get(0).getString("state")).isEqualTo("shared");
      assertThat(ofType(answer.get(), "types", "quiet"))
          .hasSize(1)
          .allMatch(type -> type.getJsonObject("proposal") == null);
      assertThat(answer.get().getJsonObject("claims").encode())
          .isEqualTo("{\"asked\":2,\"answered\":2}");
    }
  }

  private static void assertSpread(JsonObject answer) {
    List<JsonObject> rows = ofType(answer, "rows", "spread");
    assertThat(rows).hasSizeGreaterThanOrEqualTo(3000 / 110);
    assertThat(rows).allMatch(row -> row.getInteger("columns") <= 110);
    assertThat(rows).allMatch(row -> row.getJsonObject("growth").getDouble("columns_per_s") > 0);
    List<JsonObject> full =
        rows.stream().filter(row -> row.getString("state").equals("full")).toList();
    assertThat(full).hasSizeGreaterThan(20);
    assertThat(full.stream().flatMap(row -> objects(row, "writers")))
        .hasSameSizeAs(full)
        .allMatch(claim -> claim.getBoolean("sole") && claim.getInteger("columns") == 100)
        .extracting(claim -> claim.getString("writer"))
        .containsOnly(
            objects(full.get(0), "writers").findFirst().orElseThrow().getString("writer"));
    JsonObject type = ofType(answer, "types", "spread").get(0);
    assertThat(type.getInteger("rows")).isEqualTo(rows.size());
    assertThat(type.getInteger("columns")).isGreaterThanOrEqualTo(3000);
    JsonObject skew = type.getJsonObject("row_skew");
    assertThat(skew.getDouble("max_over_mean")).isBetween(1.0, 2.0);
    assertThat(skew.getDouble("gini")).isBetween(0.0, 0.5);
    assertThat(type.getJsonObject("node_skew")).as("there is one node").isNull();
    assertThat(type.getJsonObject("proposal").getString("setting"))
        .isEqualTo("bucketing.target-columns");
    assertThat(type.getJsonObject("proposal").getString("value")).isEqualTo("10000");
  }

  private static List<JsonObject> ofType(JsonObject answer, String field, String type) {
    return objects(answer, field).filter(one -> one.getString("type").equals(type)).toList();
  }

  private static String thisHour() {
    return Instant.now().toString().substring(0, 13);
  }

  private static void pushUntimed(ServerProcess server, String type, int events) throws Exception {
    String lines =
        IntStream.range(0, events)
            .mapToObj(i -> "{\"type\":\"%s\",\"n\":%d}\n".formatted(type, i))
            .collect(Collectors.joining());
    assertThat(gzipped(server, lines).body()).startsWith("{\"accepted\":" + events + ",");
  }

  @Test
  void pagesAddUpToAllEvents() throws Exception {
    try (ServerProcess server = start("bucketing.shards=4")) {
      String lines = lines(0, 2500);
      gzipped(server, lines);
      StringBuilder walked = new StringBuilder();
      String path = HOUR + "&format=raw&limit=400";
      while (path != null) {
        HttpResponse<String> page = server.get(path);
        walked.append(page.body());
        path = next(page);
      }
      assertThat(walked).hasToString(lines);
    }
  }

  /** The bytes of a payload decide the first expression; only the library decides the second. */
  @Test
  @Tag(Tier.IN_FULL)
  void whereFiltersEventsPageByPage() throws Exception {
    try (ServerProcess server = start("bucketing.shards=4")) {
      gzipped(server, lines(0, 2500));
      whereFilters(server, "data.time >= 1795161700000");
      whereFilters(server, "int(data.id) >= 1000");
    }
  }

  private static void whereFilters(ServerProcess server, String late) throws Exception {
    String where = "type == \"b\" && data.id.endsWith(\"7\") && " + late;
    String selection = "hour=2026-11-20T08&where=" + URLEncoder.encode(where, UTF_8);
    List<Integer> found = IntStream.range(1000, 2500).filter(i -> i % 10 == 7).boxed().toList();
    String expected = found.stream().map(i -> lines(i, i + 1)).collect(Collectors.joining());
    StringBuilder walked = new StringBuilder();
    String path = "/api/v1/events?format=raw&limit=40&" + selection;
    while (path != null) {
      HttpResponse<String> page = server.get(path);
      walked.append(page.body());
      path = next(page);
    }
    assertThat(walked).hasToString(expected);
    String all = "/api/v1/events?limit=all&" + selection + "&format=";
    assertThat(server.get(all + "raw").body()).isEqualTo(expected);
    assertThat(server.get(all + "csv&fields=data.id").body().lines().skip(1))
        .containsExactlyElementsOf(found.stream().map(String::valueOf).toList());
    assertThat(server.get(all + "ndjson&order=desc").body().lines()).hasSize(found.size());
    JsonObject json = new JsonObject(server.get(all + "json").body());
    assertThat(json.getJsonArray("events")).hasSize(found.size());
    assertThat(json.getBoolean("complete")).isTrue();
    assertThat(server.get("/api/v1/hits?step=1h&" + selection).body()).contains("\"total\":150,");
    assertThat(server.get("/api/v1/types?" + selection).body())
        .contains("\"type\":\"b\",\"count\":150,");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void statsCountRepeatsOnce() throws Exception {
    try (ServerProcess server = start("bucketing.target-columns=200")) {
      gzipped(server, lines(0, 3000));
      gzipped(server, lines(1000, 2000));
      String hour = "hour=2026-11-20T08";
      String stats = server.get("/api/v1/stats?field=data.time&by=type&" + hour).body();
      assertThat(objects(new JsonObject(stats), "series"))
          .extracting(series -> series.getString("type") + " " + series.getLong("count"))
          .containsExactly("a 1500", "b 1500");
      assertThat(stats)
          .contains("\"min\":1795161600000,\"max\":1795161899800,\"mean\":1795161749900,")
          .contains("\"min\":1795161600100,\"max\":1795161899900,\"mean\":1795161750000,");
      assertThat(server.get("/api/v1/top?field=data.type&n=1&" + hour).body())
          .contains("\"values\":[{\"value\":\"a\",\"count\":1500,\"error_max\":0}]")
          .contains("\"exact\":true,\"distinct\":2,\"others_max\":1500,\"complete\":true}");
      assertThat(server.get("/api/v1/top?field=data.id&n=1000&" + hour).body())
          .contains("\"distinct\":3000,\"others_max\":1,");
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aBadEventDoesNotFailTheOthers() throws Exception {
    try (ServerProcess server = start()) {
      String body = lines(0, 3) + "{\"type\":\"a\",\"time\":\"yesterday\"}\n" + lines(3, 5);
      HttpResponse<String> pushed = server.post("/api/v1/events", "application/x-ndjson", body);
      assertThat(pushed.statusCode()).isEqualTo(200);
      assertThat(pushed.body())
          .startsWith("{\"accepted\":5,\"rejected\":1,")
          .contains("\"errors\":[{\"index\":3,\"reason\":\"time:");
      assertThat(raw(server)).isEqualTo(lines(0, 5));
      assertThat(server.get("/api/v1/rejects").body()).contains("yesterday");
    }
  }

  /** Events of two types by turns, a tenth of a second apart, each with an id. */
  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                "{\"type\":\"%s\",\"time\":%d,\"id\":\"%d\"}\n"
                    .formatted(i % 2 == 0 ? "a" : "b", 1_795_161_600_000L + i * 100L, i))
        .collect(Collectors.joining());
  }

  private static HttpResponse<String> gzipped(ServerProcess server, String lines)
      throws IOException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(lines.getBytes(StandardCharsets.UTF_8));
    }
    return server.send(
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .header("Content-Type", "application/x-ndjson")
            .header("Content-Encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray())));
  }

  private static String raw(ServerProcess server) throws IOException, InterruptedException {
    return server.get(HOUR + "&format=raw&limit=all").body();
  }

  private static String next(HttpResponse<String> page) {
    List<String> links = page.headers().allValues("link");
    return links.stream()
        .filter(link -> link.contains("rel=\"next\""))
        .map(link -> link.substring(link.indexOf('<') + 1, link.indexOf('>')))
        .findFirst()
        .orElse(null);
  }
}
