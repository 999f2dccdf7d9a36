package hourglass.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program answers beside ingest and queries: health, metrics, the page, errors. */
class HttpIT {
  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    server = ServerProcess.start(folder, "http.max-header-bytes=4KiB");
  }

  @AfterAll
  static void stop() {
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
  void allowSaysWhatAPathTakes() throws Exception {
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
    // What follows a head on its connection is the next answer, so nothing of a body came.
    String line = " HTTP/1.1\r\nHost: a\r\n";
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
  void tooLongAndNotHttp() throws Exception {
    String filler = "x".repeat(6000);
    assertThat(raw("GET /" + filler + " HTTP/1.1\r\nHost: a\r\n\r\n"))
        .contains(" 414 ", "application/problem+json");
    assertThat(raw("GET / HTTP/1.1\r\nHost: a\r\nX: " + filler + "\r\n\r\n"))
        .contains(" 431 ", "application/problem+json");
    assertThat(raw("%%%\r\n\r\n")).contains(" 400 ", "application/problem+json");
    assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void health() throws Exception {
    assertThat(server.get("/health/live").body()).isEqualTo("{\"status\":\"live\"}\n");
    assertThat(server.get("/health/ready").body()).startsWith("{\"status\":\"ready\"");
  }

  @Test
  void metricsHaveWhatDashboardsKnow() throws Exception {
    HttpResponse<String> answer = server.get("/metrics");
    assertThat(answer.headers().firstValue("content-type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body())
        .containsPattern("(?m)^process_cpu_seconds_total [0-9.]+")
        .containsPattern("(?m)^process_resident_memory_bytes [0-9.]+E7|E8")
        .contains("hourglass_build_info{version=");
  }

  @Test
  void theInterfaceAndThePage() throws Exception {
    assertThat(server.get("/openapi.yaml").body()).startsWith("openapi: 3.1");
    HttpResponse<String> page = server.get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
    assertThat(page.body()).contains("Hourglass");
  }

  @Test
  void aPageWithoutItsRoleIsNotThere() throws Exception {
    Path other = java.nio.file.Files.createTempDirectory(folder, "ingest");
    try (ServerProcess ingest = ServerProcess.start(other, "roles=[ingest]")) {
      assertThat(ingest.get("/").statusCode()).isEqualTo(404);
      assertThat(ingest.get("/api/v1/hits").statusCode()).isEqualTo(404);
      assertThat(ingest.get("/api/v1/events").statusCode()).isEqualTo(405);
      assertThat(ingest.get("/health/ready").statusCode()).isEqualTo(200);
    }
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
