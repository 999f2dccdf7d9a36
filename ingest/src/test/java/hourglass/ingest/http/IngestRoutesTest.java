package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.Counter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IngestRoutesTest {
  private static final String NDJSON = "application/x-ndjson";
  private static final String EVENT = "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}";

  private static final String ACCEPTED =
      "{\"accepted\":1,\"rejected\":0,\"times\":{\"first\":\"2026-11-20T08:00:00.0000000Z\","
          + "\"last\":\"2026-11-20T08:00:00.0000000Z\"},\"errors\":[]}";

  private static IngestServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server = new IngestServer();
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    server.store.clear();
    server.store.answer(CompletableFuture.completedFuture(null));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpRequest.Builder push(String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url(path)))
            .timeout(Patience.LONGEST)
            .POST(BodyPublishers.ofByteArray(body));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private static HttpResponse<String> push(String contentType, String body) {
    return send(push("/api/v1/events", body.getBytes(UTF_8), "Content-Type", contentType));
  }

  private static HttpResponse<String> encoded(String encoding, byte[] body) {
    return send(push("/api/v1/events", body, "Content-Type", NDJSON, "Content-Encoding", encoding));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        NDJSON,
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/x-ndjson;charset=\"utf-8\""
      })
  void pushIsAnsweredWithVerdicts(String contentType) {
    HttpResponse<String> answer = push(contentType, EVENT);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(ACCEPTED);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(server.store.payloads()).containsExactly(EVENT);
  }

  @Test
  void pushWithoutAcceptedEventsIs400() {
    HttpResponse<String> answer = push(NDJSON, "nope");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .startsWith("{\"accepted\":0,\"rejected\":1,\"errors\":[{\"index\":0,");
    assertThat(push(NDJSON, "").statusCode()).isEqualTo(400);
    assertThat(push(NDJSON, "nope\n" + EVENT).statusCode()).isEqualTo(200);
  }

  @Test
  void mappingParametersAreUsed() {
    byte[] body = "{\"a\":{\"kind\":\"x y\"},\"ts\":1521911720.6,\"n\":\"1\"}".getBytes(UTF_8);
    String path = "/api/v1/events?type_field=a.kind&time_field=ts&id_field=n";
    assertThat(send(push(path, body, "Content-Type", NDJSON)).statusCode()).isEqualTo(200);
    assertThat(send(push(path, body, "Content-Type", NDJSON)).statusCode()).isEqualTo(200);
    assertThat(server.store.rows().keySet())
        .extracting(Object::toString)
        .containsExactly("24031817|x y|0");
    assertThat(server.store.payloads()).hasSize(1);
    send(push("/api/v1/events?type=all%20one", body, "Content-Type", NDJSON));
    assertThat(server.store.rows().keySet()).anyMatch(row -> row.type().equals("all one"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "typefield=a          ~ parameter \"typefield\": unknown, want one of [type_field,"
            + " time_field, id_field, type",
        "type_field=          ~ type_field: 0 characters, want 1 to 256",
        "id_field=a.b.c.d.e.f.g.h.i.j ~ id_field: 9 dots, at most 8",
        "type=                ~ type: empty, want 1 to 256 bytes",
        "type=a&type=b        ~ type: [a, b], want one value",
      })
  void badParametersAreRefused(String query, String detail) {
    HttpResponse<String> answer =
        send(push("/api/v1/events?" + query, EVENT.getBytes(UTF_8), "Content-Type", NDJSON));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(detail.replace("\"", "\\\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/csv",
        "text/plain; charset=iso-8859-1",
        "application/xml",
        "application/json;charset=iso-8859-1",
        "application/cloudevents+avro",
        "x"
      })
  void otherContentTypesAreRefused(String contentType) {
    HttpResponse<String> answer = push(contentType, EVENT);
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(answer.body())
        .contains("application/x-ndjson", "lines of text are taken with Content-Type: text/plain");
    assertThat(answer.headers().firstValue("Accept-Post")).isPresent();
  }

  private static HttpResponse<String> undeclared(byte[] body) {
    return send(push("/api/v1/events", body));
  }

  @Test
  void formatOfAnUndeclaredBodyIsGuessedFromItsBeginning() throws IOException {
    String text = "[2026-11-20T08:00:00Z] started";
    for (String body : new String[] {EVENT, "[" + EVENT + "]", EVENT + "\n", text}) {
      byte[] plain = body.getBytes(UTF_8);
      for (byte[] sent : new byte[][] {plain, gzip(plain), Zstd.compress(plain)}) {
        server.store.clear();
        assertThat(undeclared(sent).body()).startsWith("{\"accepted\":1,\"rejected\":0,");
        String stored = body.equals(text) ? "{\"message\":\"" + text + "\"}" : EVENT;
        assertThat(server.store.payloads()).containsExactly(stored);
      }
    }
    server.store.clear();
    assertThat(push("application/x-www-form-urlencoded", "hello").statusCode()).isEqualTo(200);
    assertThat(server.store.rows().keySet()).extracting("type").containsExactly("events");
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void brokenJsonIsNotStoredAsText() {
    String lines = EVENT + "\n{\"type\":\nplain\n";
    assertThat(undeclared(lines.getBytes(UTF_8)).body())
        .startsWith("{\"accepted\":1,\"rejected\":2,");
    assertThat(undeclared(("[" + EVENT + ",\n").getBytes(UTF_8)).statusCode()).isEqualTo(400);
    assertThat(undeclared("{\n\"type\" 1\n}".getBytes(UTF_8)).body())
        .startsWith("{\"accepted\":0,\"rejected\":1,");
    assertThat(server.store.payloads()).containsExactly(EVENT);
    assertThat(push("application/json", "hello").statusCode()).isEqualTo(400);
    assertThat(push(NDJSON, "hello").statusCode()).isEqualTo(400);
  }

  @Test
  void anUndeclaredBodyWithABrokenGzipHeaderIsRefused() throws IOException {
    byte[] cut = Arrays.copyOf(gzip(EVENT.getBytes(UTF_8)), 30);
    HttpResponse<String> answer = undeclared(cut);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("\"accepted\":0,\"rejected\":1", "body: begins like gzip, but is not: ");
    byte[] large = gzip(" ".repeat(IngestServer.MAX_BODY_BYTES + 1).getBytes(UTF_8));
    assertThat(undeclared(large).statusCode()).isEqualTo(413);
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void equalReasonsAreListedOnceWithTheirIndexes() {
    String bad = "{\"type\":5}\n";
    HttpResponse<String> answer = push(NDJSON, EVENT + "\n" + bad + "nope\n" + bad);
    assertThat(answer.body())
        .contains(
            "\"errors\":[{\"index\":1,\"reason\":\"type: not a string: 5 (field \\\"type\\\")\","
                + "\"count\":2,\"indexes\":[1,3]},{\"index\":2,\"reason\":\"event: not JSON");
  }

  @Test
  void refusedTimesWithoutAZoneSuggestAParameter() {
    String event = "{\"time\":\"2026-11-20 08:00:00\"}";
    HttpResponse<String> refused = push(NDJSON, event + "\n" + event);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains(
            "\"hint\":\"2 events are refused, since a time without a zone may be any; add"
                + " time_zone=UTC,",
            "\"suggested\":{\"time_zone\":\"UTC\"}");
    assertThat(lines("?time_zone=+01:00", event).body())
        .contains("\"first\":\"2026-11-20T07:00:00.0000000Z\"");
  }

  @Test
  void aRefusedDryRunIsNotCounted() throws IOException {
    double refused = refused();
    String path = "/api/v1/events?dry_run=true";
    byte[] cut = Arrays.copyOf(gzip(EVENT.getBytes(UTF_8)), 30);
    assertThat(send(push(path, cut)).statusCode()).isEqualTo(400);
    assertThat(send(push(path, new byte[0])).statusCode()).isEqualTo(400);
    byte[] large = new byte[IngestServer.MAX_BODY_BYTES + 1];
    assertThat(send(push(path, large)).statusCode()).isEqualTo(413);
    assertThat(refused()).isEqualTo(refused);
  }

  private static double refused() {
    return server.meters.get("hourglass.ingest.rejects").counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  @Test
  void otherEncodingsAreRefused() {
    HttpResponse<String> answer = encoded("br", EVENT.getBytes(UTF_8));
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(answer.headers().firstValue("Accept-Encoding")).contains("gzip, deflate, zstd");
  }

  @Test
  void gzipAndZstdAreUnpacked() throws IOException {
    byte[] body = (EVENT + "\n").repeat(3000).getBytes(UTF_8);
    assertThat(encoded("gzip", gzip(body)).body()).startsWith("{\"accepted\":3000,");
    assertThat(encoded("zstd", Zstd.compress(body)).body()).startsWith("{\"accepted\":3000,");
    assertThat(encoded("identity", body).body()).startsWith("{\"accepted\":3000,");
  }

  @Test
  void deflateIsUnpackedWithAndWithoutItsHeader() throws IOException {
    byte[] body = (EVENT + "\n").repeat(3000).getBytes(UTF_8);
    assertThat(encoded("deflate", deflate(body, false)).body()).startsWith("{\"accepted\":3000,");
    assertThat(encoded("deflate", deflate(body, true)).body()).startsWith("{\"accepted\":3000,");
    byte[] torn = Arrays.copyOf(deflate(body, false), 50);
    assertThat(encoded("deflate", torn).body()).contains("it ends too early");
    assertThat(encoded("deflate", body).statusCode()).isEqualTo(400);
  }

  private static byte[] deflate(byte[] body, boolean bare) throws IOException {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, bare);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream packing = new DeflaterOutputStream(out, deflater)) {
      packing.write(body);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  private static HttpResponse<String> lines(String parameters, String body) {
    String path = "/api/v1/events" + parameters;
    return send(push(path, body.getBytes(UTF_8), "Content-Type", NDJSON));
  }

  @Test
  void onRefusedSelectsTheStatusOfAFullyRejectedPush() {
    HttpResponse<String> usual = lines("", "{\"type\":1}");
    assertThat(usual.statusCode()).isEqualTo(400);
    HttpResponse<String> asked = lines("?on_refused=200", "{\"type\":1}");
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.body()).isEqualTo(usual.body()).startsWith("{\"accepted\":0,\"rejected\":1,");
  }

  @Test
  void identityByBodyStoresAnEqualBodyOnce() {
    String two = EVENT + "\n" + EVENT;
    lines("?identity=body", two);
    lines("?identity=body", two);
    assertThat(server.store.payloads()).hasSize(2);
    lines("?identity=body&type=other", two);
    assertThat(server.store.payloads()).hasSize(4);
    lines("", two);
    assertThat(server.store.payloads()).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/jsonl", "application/vnd.shop+json; v=1"})
  void otherJsonContentTypesAreAccepted(String contentType) {
    assertThat(push(contentType, EVENT).statusCode()).isEqualTo(200);
  }

  @Test
  void consecutiveMembersAreAllUnpacked() throws IOException {
    byte[] one = gzip((EVENT + "\n").getBytes(UTF_8));
    byte[] two = Arrays.copyOf(one, one.length * 2);
    System.arraycopy(one, 0, two, one.length, one.length);
    assertThat(encoded("gzip", two).body()).startsWith("{\"accepted\":2,");
    byte[] frame = Zstd.compress((EVENT + "\n").getBytes(UTF_8));
    byte[] frames = Arrays.copyOf(frame, frame.length * 2);
    System.arraycopy(frame, 0, frames, frame.length, frame.length);
    assertThat(encoded("zstd", frames).body()).startsWith("{\"accepted\":2,");
  }

  @Test
  void wrongEncodingIsRefused() throws IOException {
    byte[] plain = EVENT.getBytes(UTF_8);
    byte[] cut = Arrays.copyOf(gzip(plain), 30);
    byte[] cutAtItsEnd = Arrays.copyOf(gzip(plain), gzip(plain).length - 4);
    assertThat(encoded("gzip", cutAtItsEnd).body()).contains("the body is not: it ends too early");
    byte[] cutZstd = Arrays.copyOf(Zstd.compress(plain), 30);
    for (HttpResponse<String> answer :
        new HttpResponse[] {
          encoded("gzip", plain),
          encoded("gzip", cut),
          encoded("gzip", new byte[0]),
          encoded("zstd", plain),
          encoded("zstd", cutZstd),
          encoded("zstd", gzip(plain))
        }) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("\"accepted\":0", "Content-Encoding: ");
    }
    assertThat(server.store.payloads()).isEmpty();
  }

  /** A cut second part must not be taken for the end of the body. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "deflate"})
  void aBodyThatDoesNotEndWithItsEncodingIsRefused(String encoding) throws IOException {
    byte[] plain = (EVENT + "\n").getBytes(UTF_8);
    byte[] packed =
        switch (encoding) {
          case "gzip" -> gzip(plain);
          case "zstd" -> Zstd.compress(plain);
          default -> deflate(plain, false);
        };
    for (int more = 1; more <= 19; more++) {
      byte[] cut = Arrays.copyOf(packed, packed.length + more);
      System.arraycopy(packed, 0, cut, packed.length, more);
      assertThat(encoded(encoding, cut).statusCode()).as("%d bytes more", more).isEqualTo(400);
    }
    assertThat(server.store.payloads()).isEmpty();
  }

  @Test
  void decompressionBombsAreRefused() throws IOException {
    byte[] zeros = new byte[50 << 20];
    Arrays.fill(zeros, (byte) ' ');
    assertThat(encoded("gzip", gzip(zeros)).statusCode()).isEqualTo(413);
    assertThat(encoded("zstd", Zstd.compress(zeros)).statusCode()).isEqualTo(413);
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void zstdWindowIsLimited() {
    byte[] wide = new byte[20 << 20];
    new Random(1).nextBytes(wide);
    com.github.luben.zstd.ZstdCompressCtx ctx = new com.github.luben.zstd.ZstdCompressCtx();
    byte[] packed = Arrays.copyOf(ctx.setWindowLog(27).setLong(27).compress(wide), 100_000);
    ctx.close();
    HttpResponse<String> answer = encoded("zstd", packed);
    assertThat(answer.statusCode()).isIn(400, 413);
  }

  @Test
  void bodySizeIsLimited() throws IOException {
    byte[] full = new byte[IngestServer.MAX_BODY_BYTES];
    Arrays.fill(full, (byte) '\n');
    System.arraycopy(EVENT.getBytes(UTF_8), 0, full, 0, EVENT.length());
    assertThat(encoded("identity", full).statusCode()).isEqualTo(200);
    assertThat(encoded("gzip", gzip(full)).statusCode()).isEqualTo(200);
    byte[] larger = Arrays.copyOf(full, full.length + 1);
    larger[full.length] = '\n';
    assertThat(encoded("identity", larger).statusCode()).isEqualTo(413);
    assertThat(encoded("gzip", gzip(larger)).statusCode()).isEqualTo(413);
    HttpResponse<String> chunked =
        send(
            push("/api/v1/events", full, "Content-Type", NDJSON)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(larger))));
    assertThat(chunked.statusCode()).isEqualTo(413);
    byte[] noise = new byte[full.length];
    new Random(1).nextBytes(noise);
    assertThat(encoded("gzip", gzip(noise)).statusCode())
        .as("grows not when packed")
        .isEqualTo(400);
  }

  @Test
  void cloudEventsAreAccepted() {
    String event =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\",\"data\":{\"n\":1}}";
    assertThat(push("application/cloudevents+json; charset=utf-8", event).statusCode())
        .isEqualTo(200);
    assertThat(push("application/cloudevents-batch+json", "[" + event + "]").statusCode())
        .isEqualTo(200);
    assertThat(server.store.payloads()).containsExactly(event);
    assertThat(push("application/cloudevents+json", EVENT).statusCode()).isEqualTo(400);
  }

  @Test
  void cloudEventsInBinaryModeAreAccepted() {
    String[] headers = {
      "Content-Type",
      "application/json",
      "ce-specversion",
      "1.0",
      "ce-id",
      "1",
      "CE-Source",
      "/s",
      "ce-type",
      "a",
      "ce-time",
      "2026-11-20T08:00:00Z",
      "ce-ext",
      "5%20"
    };
    HttpResponse<String> answer =
        send(push("/api/v1/events", "{\"n\":1}".getBytes(UTF_8), headers));
    assertThat(answer.body()).isEqualTo(ACCEPTED);
    String stored = server.store.payloads().get(0);
    assertThat(stored)
        .contains("\"ext\":\"5 \"", "\"source\":\"/s\"", "\"datacontenttype\":\"application/json\"")
        .endsWith("\"data\":{\"n\":1}}");
    assertThat(send(push("/api/v1/events", "{".getBytes(UTF_8), headers)).statusCode())
        .isEqualTo(400);
    headers[3] = "0.1";
    assertThat(send(push("/api/v1/events", new byte[0], headers)).body()).contains("specversion");
  }

  @Test
  void storeFailureDecidesTheStatus() {
    server.store.answer(
        CompletableFuture.failedFuture(new OverloadedException("full", Duration.ofMillis(2100))));
    HttpResponse<String> overloaded = push(NDJSON, EVENT);
    assertThat(overloaded.statusCode()).isEqualTo(429);
    assertThat(overloaded.headers().firstValue("Retry-After")).contains("3");
    server.store.answer(CompletableFuture.failedFuture(new UnavailableException("disk full")));
    HttpResponse<String> unavailable = push(NDJSON, EVENT);
    assertThat(unavailable.statusCode()).isEqualTo(503);
    assertThat(unavailable.headers().firstValue("Retry-After")).contains("5");
    assertThat(unavailable.body()).contains("disk full");
    server.store.answer(CompletableFuture.failedFuture(new IllegalStateException("bug")));
    assertThat(push(NDJSON, EVENT).statusCode()).isEqualTo(500);
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void bodyBeyondTheBudgetIsRefusedAtOnce() {
    CompletableFuture<Void> stuck = new CompletableFuture<>();
    server.store.answer(stuck);
    byte[] body = (EVENT + "\n").repeat(20_000).getBytes(UTF_8);
    java.util.List<CompletableFuture<HttpResponse<String>>> answers = new java.util.ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(
          client.sendAsync(
              push("/api/v1/events", body, "Content-Type", NDJSON).build(),
              BodyHandlers.ofString()));
    }
    await().until(() -> answers.stream().anyMatch(CompletableFuture::isDone));
    assertThat(server.service.inFlight().used())
        .isLessThanOrEqualTo(IngestServer.MAX_IN_FLIGHT_BYTES);
    HttpResponse<String> refused =
        answers.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow().join();
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    stuck.complete(null);
    assertThat(answers).allMatch(answer -> answer.join().statusCode() < 430);
    assertThat(answers).anyMatch(answer -> answer.join().statusCode() == 200);
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void ledgerAndMetersShowRejections() {
    push(NDJSON, "{\"type\":\"ledger\",\"time\":\"yesterday\"}");
    HttpResponse<String> ledger =
        send(HttpRequest.newBuilder(URI.create(server.url("/api/v1/rejects"))));
    assertThat(ledger.statusCode()).isEqualTo(200);
    assertThat(ledger.body())
        .contains("\"type\":\"ledger\",\"reason\":\"time: not a time\",\"count\":1")
        .contains("time: not a time: \\\"yesterday\\\"");
    send(push("/api/v1/events?default_type=", "{}".getBytes(UTF_8), "Content-Type", NDJSON));
    assertThat(send(HttpRequest.newBuilder(URI.create(server.url("/api/v1/rejects")))).body())
        .matches("\\{\"total\":\\d+,\"rejects\":\\[.*]}")
        .contains("{\"type\":null,\"reason\":\"type: missing\",\"count\":")
        .contains("\"event\":\"{}\"}");
    assertThat(server.meters.get("hourglass.ingest.requests").tag("status", "400").timer().count())
        .isPositive();
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }
}
