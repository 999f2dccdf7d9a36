package hourglass.program.shippers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xerial.snappy.Snappy;

/** Clients that read from Loki: an unmodified one, and the requests of loki-canary. */
@Tag(Tier.IN_FIRST)
class LokiReadIT {
  private static final String QUERY = "{stream=\"stdout\",name=\"loki-canary\"}";
  private static final int ENTRIES = 60;

  @TempDir private static Path folder;

  private static ServerProcess server;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @Tag(Tier.IN_FULL)
  void anUnmodifiedClientReadsItsLines() throws Exception {
    Process node =
        new ProcessBuilder("node", "read-loki.mjs", server.uri("/").toString())
            .directory(InstalledShippers.node().toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(node.waitFor()).as(said).isZero();
    assertThat(said).startsWith("{");
    JsonObject answers = new JsonObject(said);
    assertThat(answers.getJsonArray("logs"))
        .containsExactlyInAnyOrder(
            "level=info took=1ms \"hello\" 1",
            "level=info took=2ms \"hello\" 2",
            "level=info took=3ms \"hello\" 3");
    JsonObject stream = answers.getJsonArray("streams").getJsonObject(0);
    assertThat(stream.getJsonObject("labels"))
        .isEqualTo(
            new JsonObject(
                "{\"app\":\"read\",\"detected_level\":\"info\",\"env\":\"trial\",\"level\":\"info\",\"service_name\":\"read\",\"took\":\"3ms\"}"));
    assertThat(stream.getJsonArray("values")).hasSize(1);
    JsonObject counts = answers.getJsonArray("counts").getJsonObject(0);
    assertThat(counts.getJsonObject("labels")).isEqualTo(new JsonObject("{\"env\":\"trial\"}"));
    assertThat(answers.getJsonArray("labels")).contains("app", "env", "service_name");
    assertThat(answers.getJsonArray("values")).containsExactly("read");
    assertThat(answers.getJsonArray("series"))
        .isEqualTo(
            new JsonArray("[{\"app\":\"read\",\"env\":\"trial\",\"service_name\":\"read\"}]"));
  }

  /** The texts of a tail's frames. */
  private static final class Tailed implements WebSocket.Listener {
    final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final StringBuilder frame = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      frame.append(data);
      if (last) {
        JsonObject whole = new JsonObject(frame.toString());
        assertThat(whole.containsKey("dropped_entries")).isFalse();
        addLines(whole.getJsonArray("streams"), lines);
        frame.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private static void addLines(JsonArray streams, Collection<String> lines) {
    for (int s = 0; s < streams.size(); s++) {
      JsonArray values = streams.getJsonObject(s).getJsonArray("values");
      for (int v = 0; v < values.size(); v++) {
        lines.add(values.getJsonArray(v).getString(1));
      }
    }
  }

  /** The canary pushes, tails, reads each line again, and counts. */
  @Test
  void theCanaryOfLokiMissesNothing() throws Exception {
    Tailed tailed = new Tailed();
    WebSocket socket = tail(tailed, "start=" + nanos(Instant.now()));
    List<String> pushed = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      long nanos = nanos(Instant.now());
      String line = nanos + " pppppppppppppppppppp";
      push(nanos, line);
      pushed.add(line);
      times.add(nanos);
    }
    await()
        .untilAsserted(() -> assertThat(tailed.lines).containsExactlyInAnyOrderElementsOf(pushed));
    socket.abort();
    List<String> read = new ArrayList<>();
    long last = times.get(times.size() - 1);
    JsonObject all = ask("query_range", "limit=1000&start=" + times.get(0) + "&end=" + (last + 1));
    addLines(all.getJsonArray("result"), read);
    assertThat(read).containsExactlyInAnyOrderElementsOf(pushed);
    for (int i = 0; i < ENTRIES; i += 10) { // spot checks
      List<String> spot = new ArrayList<>();
      String range = "start=" + (times.get(i) - 1_000_000) + "&end=" + (times.get(i) + 1_000_000);
      addLines(ask("query_range", "limit=1000&" + range).getJsonArray("result"), spot);
      assertThat(spot).contains(pushed.get(i));
    }
    JsonObject counted = ask("query", "time=" + last, "count_over_time(" + QUERY + "[1h])");
    JsonArray counts = counted.getJsonArray("result");
    assertThat(counts).hasSize(1);
    assertThat(counts.getJsonObject(0).getJsonArray("value").getString(1)).isEqualTo("" + ENTRIES);
  }

  /** The lines contain blanks, line breaks, equal keys and escapes, in either encoding. */
  @Test
  void aLineIsReadBackUnchanged() throws Exception {
    List<String> lines =
        List.of(
            "{}",
            "{ }",
            "{\"n\":1}",
            " \t{\"n\":1}",
            "{\n  \"n\" : 1,\n  \"o\" : {\"p\":[ 1 ]}\r\n}\n",
            "{\"n\":1,\"n\":2,\"m\":1e999,\"k\":12345678901234567890.50}",
            "{\"n\":\"\\u00e9\\\"\\\\\\ud800\\n\",\"\u00f6\":\"\u20ac\ud83d\ude00\"}",
            "{\"_loki\":{\"labels\":{\"name\":\"x\"}},\"n\":1}",
            "{\"labels\":{\"name\":\"x\"},\"message\":\"m\",\"level\":\"l\"}",
            "{\"n\":1} x",
            "{\"n\":",
            "plain\n");
    long first = nanos(Instant.now()) - 3_600_000_000_000L;
    for (int i = 0; i < lines.size(); i++) {
      push(first + 2_000 * i, lines.get(i));
      JsonArray entry =
          new JsonArray().add(Long.toString(first + 2_000 * i + 1_000)).add(lines.get(i));
      pushJson(entry, new JsonObject().put("name", "loki-canary").put("stream", "stdout"));
    }
    String range = "limit=1000&direction=forward&start=" + first + "&end=" + (first + 100_000);
    JsonArray streams = ask("query_range", range).getJsonArray("result");
    List<String> read = new ArrayList<>();
    addLines(streams, read);
    List<String> twice = new ArrayList<>(lines);
    twice.addAll(lines);
    assertThat(read).containsExactlyInAnyOrderElementsOf(twice);
    assertThat(streams.getJsonObject(0).getJsonObject("stream").fieldNames())
        .containsExactlyInAnyOrder("detected_level", "name", "service_name", "stream");
  }

  private void pushJson(JsonArray entry, JsonObject labels) throws Exception {
    JsonObject stream =
        new JsonObject().put("stream", labels).put("values", new JsonArray().add(entry));
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/loki/api/v1/push"))
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    new JsonObject().put("streams", new JsonArray().add(stream)).encode()))
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
  }

  /** A filter that accepts all lines makes the store return payloads in place of columns. */
  @Test
  @Tag(Tier.IN_FULL)
  void columnsAndPayloadsGiveTheSameAnswers() throws Exception {
    Random random = Seed.random(this);
    long second = Instant.now().getEpochSecond() - 600;
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      List<String> fields = new ArrayList<>();
      fields.add("\"type\":\"mixed-" + random.nextInt(2) + "\"");
      fields.add("\"time\":" + (second + random.nextInt(300)));
      for (String field :
          List.of(
              "\"level\":\"error\"",
              "\"severity\":\"INFO\"",
              "\"lvl\":\"warning\"",
              "\"metadata\":{\"level\":\"dbg\"}",
              "\"status\":" + (200 + 100 * random.nextInt(4)),
              "\"status\":\"500\"",
              "\"ms\":" + random.nextInt(100) + ".5",
              "\"host\":\"h" + random.nextInt(3) + "\"",
              "\"labels\":{\"env\":\"p\"}",
              "\"_loki\":{\"labels\":{\"env\":\"p\"}}",
              "\"_loki\":{\"labels\":{\"level\":\"error\"},\"metadata\":{\"host\":\"h1\"}}",
              "\"message\":\"{\\\"status\\\":404}\"",
              "\"facility\":\"user\"")) {
        if (random.nextInt(3) == 0) {
          fields.add(field);
        }
      }
      events.append('{').append(String.join(",", fields)).append("}\n");
    }
    HttpRequest push =
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(events.toString()))
            .build();
    assertThat(client.send(push, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    String range = "start=" + second + "&end=" + (second + 360) + "&step=60&limit=5000";
    for (String query :
        List.of(
            "sum by (level) (count_over_time({service_name=~\"mixed.*\"} ANY [1m]))",
            "sum by (level, detected_level) (count_over_time({service_name=~\"mixed.*\"} ANY | drop __error__ [1m]))",
            "sum by (detected_level) (count_over_time({service_name=~\"mixed.*\"} ANY | json | status>=404 [1m]))",
            "sum(count_over_time({service_name=~\"mixed.*\"} ANY | detected_level=\"warn\" [1m]))",
            "{service_name=~\"mixed.*\"} ANY | detected_level=~\"info|debug\" | json | ms>90",
            "sum by (status,host) (count_over_time({service_name=~\"mixed.*\"} ANY | json [2m]))",
            "sum by (service_name) (count_over_time({service_name=~\"mixed.*\"} ANY | json | status>=404 [1m]))",
            "sum by (level) (count_over_time({level=\"error\"} ANY | json | status=\"500\" or ms<20 [5m]))",
            "max_over_time({service_name=~\"mixed.*\"} ANY | json | unwrap ms [1m]) by (host)",
            "sum(sum_over_time({env=\"p\"} ANY | json | unwrap status [1m]))",
            "{service_name=~\"mixed.*\"} ANY | json | status==404",
            "{level=\"INFO\",env!=\"p\"} ANY | json | ms>90")) {
      JsonObject byColumns = ask("query_range", range, query.replace(" ANY", ""));
      assertThat(byColumns.getJsonArray("result")).as(query).isNotEmpty();
      assertThat(byColumns).isEqualTo(ask("query_range", range, query.replace("ANY", "|= ``")));
    }
  }

  @Test
  void refusalsBeforeRoutingAreALineOfText() throws IOException {
    String end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    String origin = "Origin: http://evil.example\r\n";
    for (String request :
        List.of(
            "GET /loki/api/v1/labels?query=%zz" + end + "\r\n",
            "GET /loki/api/v1/labels" + end + origin + "\r\n")) {
      String answer = RawHttp.exchange(server.port(), request);
      assertThat(answer).containsPattern("^HTTP/1.1 40[03] ").contains("text/plain");
      assertThat(answer.substring(answer.indexOf("\r\n\r\n"))).doesNotContain("{").endsWith("\n");
    }
  }

  @Test
  void foreignPagesOpenNoTail() {
    assertThatThrownBy(() -> tail(new Tailed(), "limit=0", "Origin", "http://evil.example"))
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            e -> assertThat(e.getResponse().statusCode()).isEqualTo(403));
    String own = server.uri("/").toString().replaceFirst("/$", "");
    tail(new Tailed(), "limit=0", "Origin", own).abort();
  }

  private WebSocket tail(Tailed tailed, String parameters, String... headers) {
    WebSocket.Builder builder = client.newWebSocketBuilder();
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    String uri = server.uri("/loki/api/v1/tail").toString().replaceFirst("http", "ws");
    return builder
        .buildAsync(URI.create(uri + "?" + parameters + "&query=" + url(QUERY)), tailed)
        .join();
  }

  private JsonObject ask(String path, String parameters) throws Exception {
    return ask(path, parameters, QUERY);
  }

  private JsonObject ask(String path, String parameters, String query) throws Exception {
    URI uri = server.uri("/loki/api/v1/" + path + "?" + parameters + "&query=" + url(query));
    return new JsonObject(
            client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body())
        .getJsonObject("data");
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }

  private void push(long nanos, String line) throws Exception {
    byte[] time = message(varint(1, nanos / 1_000_000_000), varint(2, nanos % 1_000_000_000));
    byte[] entry = message(bytes(1, time), bytes(2, line.getBytes(StandardCharsets.UTF_8)));
    byte[] labels = "{name=\"loki-canary\", stream=\"stdout\"}".getBytes(StandardCharsets.UTF_8);
    byte[] stream = message(bytes(1, labels), bytes(2, entry));
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/loki/api/v1/push"))
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(Snappy.compress(message(bytes(1, stream)))))
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
  }

  private static byte[] message(byte[]... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] field : fields) {
      out.writeBytes(field);
    }
    return out.toByteArray();
  }

  private static byte[] varint(int field, long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(field << 3);
    write(value, out);
    return out.toByteArray();
  }

  private static byte[] bytes(int field, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(field << 3 | 2);
    write(value.length, out);
    out.writeBytes(value);
    return out.toByteArray();
  }

  private static void write(long value, ByteArrayOutputStream out) {
    long rest = value;
    for (; rest > 0x7f; rest >>>= 7) {
      out.write((int) (rest & 0x7f | 0x80));
    }
    out.write((int) rest);
  }
}
