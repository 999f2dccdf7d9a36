package hourglass.program.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers packed, bounded, as a file and as CloudEvents, by the whole program. */
@Tag(Tier.IN_FIRST)
class AnswerFormsIT {
  private static final int EVENTS = 30_000;
  private static final String ALL = "/api/v1/events?limit=all&format=";

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(folder, "query.max-rows=4", "bucketing.shards=2");
    push(server, "application/x-ndjson", lines("a", 8, EVENTS));
    push(server, "application/x-ndjson", lines("b", 8, 10) + lines("b", 9, 10));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void push(ServerProcess to, String contentType, String body) throws Exception {
    HttpResponse<String> answer = to.post("/api/v1/events", contentType, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private static String lines(String type, int hour, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"type\":\"%s\",\"time\":%d,\"id\":\"%d\",\"text\":\"some words\"}\n"
                    .formatted(type, 1_795_132_800_000L + hour * 3_600_000L + i * 100L, i))
        .collect(Collectors.joining());
  }

  /** The raw bytes of an answer, in ISO 8859-1. */
  private static String raw(String path, String headers) throws IOException {
    String request = "GET %s HTTP/1.1\r\nHost: localhost\r\n%sConnection: close\r\n\r\n";
    byte[] bytes = RawHttp.exchangeBytes(server.port(), request.formatted(path, headers));
    return new String(bytes, ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void compressedStreamHasTrailers(String coding) throws Exception {
    String path = ALL + "raw&type=a&hour=2026-11-20T08";
    String answer = raw(path, "Accept-Encoding: " + coding + "\r\n");
    int bodyAt = answer.indexOf("\r\n\r\n") + 4;
    assertThat(answer.substring(0, bodyAt))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("content-encoding: " + coding)
        .containsIgnoringCase("transfer-encoding: chunked")
        .containsIgnoringCase("trailer: Hourglass-Rows-Asked, ")
        .containsIgnoringCase("vary: Accept, Accept-Encoding");
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String trailers = RawHttp.unchunk(answer, bodyAt, body);
    assertThat(trailers)
        .contains("Hourglass-Rows-Asked: 2\r\n", "Hourglass-Complete: true\r\n")
        .endsWith("\r\n\r\n");
    assertThat(unpacked(coding, body.toByteArray())).isEqualTo(lines("a", 8, EVENTS));
    assertThat(body.size()).isLessThan(EVENTS * 10);
  }

  private static String unpacked(String coding, byte[] body) throws IOException {
    InputStream packed = new ByteArrayInputStream(body);
    try (InputStream in =
        coding.equals("gzip") ? new GZIPInputStream(packed) : new ZstdInputStream(packed)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void costBoundNamesAQueryThatFits() throws Exception {
    HttpResponse<String> refused = server.get(ALL + "ndjson&download=true");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(refused.headers().firstValue("content-disposition")).isEmpty();
    JsonObject problem = new JsonObject(refused.body());
    assertThat(problem.getString("bound")).isEqualTo("query.max-rows");
    assertThat(problem.getJsonObject("plan").getInteger("rows")).isEqualTo(6);
    JsonObject fits = problem.getJsonObject("fits");
    String range = "&from=" + fits.getString("from") + "&to=" + fits.getString("to");
    assertThat(server.get(ALL + "raw" + range).body().lines()).hasSize(EVENTS + 10);
    assertThat(problem.getJsonArray("types_that_fit")).containsExactly("a", "b");
    assertThat(server.get(ALL + "raw&type=b").body().lines()).hasSize(20);
    assertThat(server.get("/api/v1/events?limit=5").statusCode()).isEqualTo(200);
    assertThat(server.get("/api/v1/events?limit=5&order=desc").statusCode()).isEqualTo(200);
    assertThat(server.get("/api/v1/types?contains=words").body()).contains("\"count\":30000");
    assertThat(server.log()).doesNotContain(" ERROR ");
  }

  @Test
  void timeoutNeverLooksComplete() throws Exception {
    Path other = java.nio.file.Files.createTempDirectory(folder, "hasty");
    try (ServerProcess hasty = ServerProcess.start(other, "query.timeout=1ms")) {
      push(hasty, "application/x-ndjson", lines("a", 8, EVENTS));
      for (String more : new String[] {"", "&partial=allow"}) {
        String where = "&where=data.text.matches(%22(a%7Cb)*x%22)";
        HttpResponse<String> ended = hasty.get("/api/v1/events?limit=5" + where + more);
        assertThat(ended.statusCode()).isEqualTo(503);
        assertThat(ended.body()).contains("query.timeout: the query ran for more than 0.001 s");
      }
      HttpResponse<String> counted =
          hasty.get("/api/v1/types?where=data.text.matches(%22(a%7Cb)*x%22)");
      assertThat(counted.statusCode()).isEqualTo(503);
    }
  }

  @Test
  void downloadHasAFileName() throws Exception {
    HttpResponse<String> answer =
        server.get("/api/v1/events?format=csv&type=b&hour=2026-11-20T08&download=true");
    assertThat(answer.headers().firstValue("content-disposition"))
        .hasValue("attachment; filename=\"b-2026-11-20T08.csv\"");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void cloudEventsBatchCanBePushedElsewhere() throws Exception {
    Path from = java.nio.file.Files.createTempDirectory(folder, "from");
    Path to = java.nio.file.Files.createTempDirectory(folder, "to");
    String batch = "/api/v1/events?limit=all&format=cloudevents";
    String type = "application/cloudevents-batch+json";
    String one =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"c\",\"time\":"
            + "\"2026-11-20T08:00:05.05Z\", \"data\":{\"n\":[1]},\"ext\":\"x\"}";
    try (ServerProcess first = ServerProcess.start(from);
        ServerProcess second = ServerProcess.start(to)) {
      push(first, "application/cloudevents+json", one);
      push(first, "application/x-ndjson", lines("a", 8, 100));
      String given = first.get(batch).body();
      assertThat(given).contains(one);
      assertThat(new JsonArray(given)).hasSize(101);
      push(second, type, given);
      push(second, type, given);
      assertThat(second.get(batch).body()).isEqualTo(given);
      assertThat(second.get("/api/v1/events?type=a&limit=1").body())
          .contains("\"data\":{\"type\":\"a\",\"time\":1795161600000,\"id\":\"0\"");
    }
  }
}
