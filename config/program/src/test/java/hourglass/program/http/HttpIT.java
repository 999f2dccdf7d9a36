package hourglass.program.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.program.ServerProcess;
import hourglass.testing.MutatedRequests;
import hourglass.testing.RawHttp;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers beside ingest and queries: health, metrics, the page, errors. */
@Tag(Tier.IN_FIRST)
class HttpIT {
  private static final Pattern STATUS = Pattern.compile("(?m)^HTTP/1\\.[01] (\\d+)");
  private static final Pattern ACCEPTED = Pattern.compile("\"accepted\":(\\d+)");

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    server =
        ServerProcess.start(
            folder,
            "http.max-header-bytes=4KiB",
            "http.allowed-hosts=[logs.example]",
            "http.allowed-origins=[\"https://pages.example\"]");
  }

  @AfterAll
  static void stop() throws Exception {
    assertThat(server.get("/api/v1/types?type=smuggled").body()).startsWith("{\"types\":[]");
    assertThat(server.log()).doesNotContain(" ERROR ");
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | /nope              | 404 | there is nothing at /nope",
        "GET    | /api/v1/nope       | 404 | there is nothing at /api/v1/nope",
        "GET    | /assets/nope.js    | 404 | there is nothing at /assets/nope.js",
        "GET    | /assets/..%2f..%2flogback.xml | 404 | there is nothing at",
        "POST   | /api/v1/nope       | 404 | there is nothing at /api/v1/nope",
        "DELETE | /api/v1/events     | 405 | /api/v1/events does not take DELETE",
        "POST   | /api/v1/hits       | 405 | /api/v1/hits does not take POST",
        "POST   | /health/ready      | 405 | /health/ready does not take POST",
        "POST   | /                  | 405 | / does not take POST",
        "GET    | /api/v1/events?ordr=asc | 400 | ordr",
      })
  void errorsAreProblems(String method, String path, int status, String detail) throws Exception {
    HttpResponse<String> answer =
        server.send(
            HttpRequest.newBuilder(server.uri(path))
                .method(method, HttpRequest.BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(answer.body())
        .startsWith("{\"type\":\"about:blank\",\"title\":")
        .contains("\"status\":" + status)
        .contains(detail);
    assertThat(answer.headers().firstValue("allow").isPresent()).isEqualTo(status == 405);
  }

  @Test
  void allowListsTheMethodsOfAPath() throws Exception {
    HttpResponse<String> answer =
        server.send(HttpRequest.newBuilder(server.uri("/api/v1/events")).DELETE());
    assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD, POST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/openapi.yaml",
        "/health/live",
        "/health/ready",
        "/metrics",
        "/api/v1/rejects",
        "/api/v1/events",
        "/api/v1/events?format=csv&limit=all",
        "/api/v1/hits?hour=2026-11-20T08",
        "/api/v1/types",
        "/api/v1/rows",
        "/api/v1/hits",
        "/api/v1/events?ordr=asc",
        "/nope",
      })
  void headIsGetWithoutABody(String path) throws Exception {
    HttpResponse<String> get = server.get(path);
    HttpResponse<String> head =
        server.send(
            HttpRequest.newBuilder(server.uri(path))
                .method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(head.statusCode()).isEqualTo(get.statusCode());
    for (String name : List.of("content-type", "cache-control", "vary")) {
      assertThat(head.headers().firstValue(name)).isEqualTo(get.headers().firstValue(name));
    }
    // The next answer follows the head at once, so there was no body.
    String line = " HTTP/1.1\r\nHost: localhost\r\n";
    assertThat(raw("HEAD " + path + line + "\r\nHEAD " + path + line + "Connection: close\r\n\r\n"))
        .matches("(?s)HTTP/1.1 .*\r\n\r\nHTTP/1.1 .*\r\n\r\n");
  }

  @Test
  void headRunsNoQuery() throws Exception {
    String counted = "hourglass_query_seconds_count{endpoint=\"types\",outcome=\"ok\"}";
    assertThat(server.get("/api/v1/types").statusCode()).isEqualTo(200);
    String before = metric(counted);
    server.send(
        HttpRequest.newBuilder(server.uri("/api/v1/types"))
            .method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(metric(counted)).isEqualTo(before);
  }

  private static String metric(String name) throws Exception {
    return server.metrics().lines().filter(line -> line.startsWith(name)).findFirst().orElseThrow();
  }

  @Test
  void tooLongAndUnreadableRequestsAreRefused() throws Exception {
    String filler = "x".repeat(6000);
    assertThat(raw("GET /" + filler + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .contains(" 414 ", "application/problem+json");
    assertThat(raw("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + filler + "\r\n\r\n"))
        .contains(" 431 ", "application/problem+json");
    assertThat(raw("%%%\r\n\r\n")).contains(" 400 ", "application/problem+json");
    assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void healthIsReported() throws Exception {
    assertThat(server.get("/health/live").body()).isEqualTo("{\"status\":\"live\"}\n");
    assertThat(server.get("/health/ready").body()).startsWith("{\"status\":\"ready\"");
  }

  @Test
  void metricsKeepTheirNames() throws Exception {
    HttpResponse<String> answer = server.get("/metrics");
    assertThat(answer.headers().firstValue("content-type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body())
        .containsPattern("(?m)^process_cpu_seconds_total [0-9.]+")
        .containsPattern("(?m)^process_resident_memory_bytes [0-9.]+E7|E8")
        .contains("hourglass_build_info{version=");
  }

  @Test
  void theInterfaceAndTheDashboardAreServed() throws Exception {
    assertThat(server.get("/openapi.yaml").body()).startsWith("openapi: 3.1");
    HttpRequest.Builder ofBrowser =
        HttpRequest.newBuilder(server.uri("/")).header("Accept", "text/html,*/*;q=0.8");
    HttpResponse<String> page = server.send(ofBrowser);
    assertThat(page.headers().firstValue("vary")).hasValue("Accept, Accept-Encoding");
    assertThat(server.get("/index.html").body()).isEqualTo(page.body());
    assertThat(server.get("/").body()).contains("\"tagline\"");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
    assertThat(page.body()).contains("Hourglass");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void pathOfAnAbsentRoleIsNotFound() throws Exception {
    Path other = java.nio.file.Files.createTempDirectory(folder, "ingest");
    try (ServerProcess ingest = ServerProcess.start(other, "roles=[ingest]")) {
      assertThat(ingest.get("/index.html").statusCode()).isEqualTo(404);
      assertThat(ingest.get("/api/v1/hits").statusCode()).isEqualTo(404);
      assertThat(ingest.get("/api/v1/events").statusCode()).isEqualTo(405);
      assertThat(ingest.get("/health/ready").statusCode()).isEqualTo(200);
    }
  }

  /** The request is refused once, and bytes after it are not processed. */
  @ParameterizedTest
  @MethodSource("hourglass.program.http.BadRequests#all")
  void badRequestIsRefused(String request, int status, String detail) throws Exception {
    String answer = raw(request + BadRequests.push());
    assertThat(STATUS.matcher(answer).results().map(found -> found.group(1)))
        .containsExactly(String.valueOf(status));
    assertThat(answer.toLowerCase(Locale.ROOT))
        .contains("content-type: application/problem+json", "\"status\":" + status)
        .contains("x-content-type-options: nosniff", "frame-ancestors 'none'");
    assertThat(answer).contains(detail);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/types,                      localhost,       -",
    "/api/v1/types,                      LOCALHOST.:8080, http://localhost:8080",
    "/api/v1/types,                      127.0.0.1:8080,  http://127.0.0.1:8080",
    "/api/v1/types,                      '[::1]',         https://[::1]",
    "/api/v1/types,                      10.1.2.3,        -",
    "/api/v1/types,                      logs.example,    -",
    "/api/v1/types,                      localhost,       https://pages.example",
    "http://localhost:80/api/v1/types,   evil.example,    http://localhost",
    "/health/live,                       evil.example,    http://evil.example",
    "/health/ready,                      evil.example,    null",
  })
  void ownHostsAndOriginsAreAccepted(String target, String host, String origin) throws Exception {
    String sent = origin.equals("-") ? "" : "Origin: " + origin + "\r\n";
    String answer =
        raw(
            "GET %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n"
                .formatted(target, host, sent));
    assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/openapi.yaml", "/api/v1/events", "/api/v1/rejects", "/metrics", "/nope"})
  void foreignOriginsAreRefused(String path) throws Exception {
    HttpHeaders headers = server.get(path).headers();
    assertThat(headers.firstValue("content-security-policy").orElse(""))
        .contains("default-src 'none'", "frame-ancestors 'none'");
    assertThat(headers.firstValue("x-content-type-options")).hasValue("nosniff");
    assertThat(headers.firstValue("referrer-policy")).hasValue("same-origin");
    assertThat(headers.firstValue("cross-origin-resource-policy")).hasValue("same-origin");
  }

  /** No browser runs the content of an event as code of the page. */
  @Test
  void pageRunsCodeOfItsOwnFilesOnly() throws Exception {
    for (String path : List.of("/index.html", "/api.html", "/licenses.md")) {
      assertThat(server.get(path).headers().firstValue("content-security-policy").orElse(""))
          .as(path)
          .contains("script-src 'self';", "style-src 'self';", "base-uri 'none'")
          .doesNotContain("unsafe", "data:", "*");
    }
    for (String path : List.of("/index.html", "/api.html")) {
      assertThat(server.get(path).body())
          .as(path)
          .doesNotContain(" style=", "<style", " onclick=", "javascript:")
          .doesNotContainPattern("<script(?![^>]* src=)");
    }
  }

  /** {@code nc -N} ends its side of the connection and waits for the answer. */
  @Test
  void halfClosedClientGetsItsAnswer() throws Exception {
    String push = BadRequests.push().replace("smuggled", "finished");
    assertThat(rawAndEnd(push.getBytes(ISO_8859_1)))
        .startsWith("HTTP/1.1 200 OK")
        .endsWith("\"errors\":[]}");
    assertThat(rawAndEnd(push.substring(0, push.length() - 1).getBytes(ISO_8859_1)))
        .startsWith("HTTP/1.1 400 ")
        .contains("body: it ends too early");
    assertThat(server.get("/api/v1/types?type=finished").body()).contains("\"count\":1,");
  }

  /** Any request is answered or refused, and the stored events are those of accepted requests. */
  @Test
  void mutatedRequestsAreAnsweredOrRefused() throws Exception {
    MutatedRequests requests = new MutatedRequests(Seed.random(this));
    long before = count();
    long accepted = 0;
    for (int i = Tier.length(200, 200, 20_000); i > 0; i--) {
      byte[] request = requests.next();
      String answers = rawAndEnd(request);
      String sent = new String(request, ISO_8859_1);
      assertThat(STATUS.matcher(answers).results().map(status -> status.group(1)))
          .as(sent)
          .allMatch(status -> status.matches("100|200|4\\d\\d|505"));
      accepted +=
          ACCEPTED.matcher(answers).results().mapToLong(n -> Long.parseLong(n.group(1))).sum();
    }
    assertThat(count() - before).isEqualTo(accepted).isPositive();
  }

  private static long count() throws Exception {
    return new JsonObject(server.get("/api/v1/types").body())
        .getJsonArray("types").stream()
            .mapToLong(type -> ((JsonObject) type).getLong("count"))
            .sum();
  }

  private static String raw(String request) throws IOException {
    return answer(request.getBytes(ISO_8859_1), false);
  }

  private static String rawAndEnd(byte[] request) throws IOException {
    return answer(request, true);
  }

  private static String answer(byte[] request, boolean ends) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (Socket socket = RawHttp.connect(server.port())) {
      socket.getOutputStream().write(request);
      if (ends) {
        socket.shutdownOutput();
      }
      socket.getInputStream().transferTo(answer);
    } catch (SocketException e) {
      // closed before all was sent: the answer read so far counts
    }
    return answer.toString(UTF_8);
  }
}
