package hourglass.program.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.testing.Patience;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees of a running server, and what it does at their word. */
@Tag(Tier.IN_FIRST)
class OperationIT {
  private static final String HOUR = "2026-11-20T08";
  private static final String PASSWORD = "not-for-reports";

  @TempDir private static Path folder;

  private static final String ADA = "ada";
  private static final String BOB = "bob";
  private static final String ADMIN = "admin";

  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    Path keys =
        new TestKeys(folder)
            .with(ADA, "scopes = [query]")
            .with(BOB, "scopes = [query, ingest]")
            .with(ADMIN, "scopes = [admin]")
            .write();
    server =
        ServerProcess.start(
            folder,
            Map.of("HOURGLASS_STORE_CASSANDRA_PASSWORD", PASSWORD),
            "keys.file=" + keys,
            "audit.file=" + folder.resolve("audit.log"),
            "store.cassandra.username=reader",
            "log.format=json",
            "query.log-slower-than=1ms");
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      events.append(
          "{\"type\":\"large\",\"time\":\"%s:00:00.%06dZ\",\"text\":\"%s\"}\n"
              .formatted(HOUR, i, "x".repeat(1_000)));
    }
    HttpResponse<String> pushed =
        server.send(
            HttpRequest.newBuilder(server.uri("/api/v1/events"))
                .header("Authorization", TestKeys.bearer(BOB))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(events.toString())));
    assertThat(pushed.statusCode()).as(pushed.body()).isEqualTo(200);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private static HttpResponse<String> send(String method, String path, String key)
      throws IOException, InterruptedException {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .header("Authorization", TestKeys.bearer(key))
            .method(method, HttpRequest.BodyPublishers.noBody()));
  }

  /** The queries that a key sees. */
  private static JsonArray queries(String key) throws IOException, InterruptedException {
    HttpResponse<String> list = send("GET", "/api/v1/queries", key);
    assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
    return new JsonObject(list.body()).getJsonArray("queries");
  }

  /** Begins to read a large answer, and then reads nothing more. */
  private static void beginToRead(Socket socket, String id) throws IOException {
    socket.setSoTimeout(Patience.LONGEST_MILLIS);
    socket.setReceiveBufferSize(16 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    String request =
        "GET /api/v1/events?hour=%s&limit=all HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: %s\r\nAuthorization: %s\r\n\r\n"
            .formatted(HOUR, id, TestKeys.bearer(ADA));
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    assertThat(socket.getInputStream().read()).isEqualTo('H');
  }

  @Test
  void aQueryIsSeenAndEndedByItsKeyAndByAdministratorsAlone() throws Exception {
    try (Socket socket = new Socket()) {
      beginToRead(socket, "export-1");
      await().until(() -> queries(ADA).size() == 1);
      JsonObject query = queries(ADA).getJsonObject(0);
      assertThat(query.getString("id")).isEqualTo("export-1");
      assertThat(query.getString("client")).isEqualTo("key ada");
      assertThat(query.getString("question"))
          .isEqualTo("/api/v1/events?hour=" + HOUR + "&limit=all");
      assertThat(query.getLong("rows")).isPositive();
      assertThat(query.getLong("bytes")).isPositive();
      assertThat(queries(BOB)).isEmpty();
      assertThat(send("DELETE", "/api/v1/queries/export-1", BOB).statusCode()).isEqualTo(404);
      assertThat(queries(ADMIN)).hasSize(1);
      assertThat(send("DELETE", "/api/v1/queries/export-1", ADMIN).statusCode()).isEqualTo(204);
      assertThat(queries(ADMIN)).isEmpty();
      assertThat(isWhole(socket.getInputStream())).isFalse();
    }
    await()
        .until(
            () ->
                server.log().contains("query export-1 of key ada was ended by key admin")
                    && server.log().contains("\"outcome\":\"killed\""));
    await().until(() -> audited("/api/v1/queries/export-1").size() == 1);
    assertThat(audited("/api/v1/queries/export-1").get(0).getMap())
        .containsEntry("event", "admin")
        .containsEntry("key", ADMIN)
        .containsEntry("client", "key ada")
        .containsEntry("method", "DELETE")
        .containsEntry("status", 204);
  }

  /** The lines of the audit file about a path. */
  private static List<JsonObject> audited(String path) throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve("audit.log"))) {
      return lines
          .filter(line -> line.endsWith("}"))
          .map(JsonObject::new)
          .filter(line -> path.equals(line.getString("path")))
          .toList();
    }
  }

  private static boolean isWhole(InputStream in) {
    try {
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return answer.endsWith("\r\n\r\n");
    } catch (IOException e) {
      return false; // the connection was reset
    }
  }

  @Test
  void everyLineOfALogInJsonIsAnObject() throws Exception {
    assertThat(send("GET", "/api/v1/events?limit=all&format=raw", ADA).statusCode()).isEqualTo(200);
    await().until(() -> server.log().contains("limit=all&format=raw"));
    List<JsonObject> lines = server.log().lines().map(JsonObject::new).toList();
    assertThat(lines)
        .allSatisfy(
            line -> assertThat(line.fieldNames()).contains("time", "level", "logger", "message"));
    JsonObject slow =
        lines.stream()
            .filter(
                line -> "/api/v1/events?limit=all&format=raw".equals(line.getString("question")))
            .findFirst()
            .orElseThrow();
    assertThat(slow.fieldNames())
        .containsExactly(
            "time",
            "level",
            "logger",
            "message",
            "id",
            "client",
            "question",
            "rows",
            "bytes",
            "ms",
            "outcome");
    assertThat(slow.getString("client")).isEqualTo("key ada");
    assertThat(slow.getLong("bytes")).isGreaterThan(20_000 * 1_000);
    assertThat(slow.getString("outcome")).isEqualTo("ok");
  }

  @Test
  void aSlowQueryIsALineOfJsonInALogOfText() throws Exception {
    Path other = Files.createDirectory(folder.resolve("text"));
    try (ServerProcess text = ServerProcess.start(other, "query.log-slower-than=1ms")) {
      text.generate(HOUR, 50_000);
      assertThat(text.get("/api/v1/types?contains=nothing").statusCode()).isEqualTo(200);
      await().until(() -> text.log().contains("contains=nothing"));
      String line =
          text.log().lines().filter(each -> each.contains("contains=nothing")).findFirst().get();
      assertThat(new JsonObject(line).getString("message")).isEqualTo("slow query");
      assertThat(text.get("/api/v1/diagnosis").body()).contains(line);
    }
  }

  private static Program.Result diagnose(String key, String... arguments) throws Exception {
    return Program.run(
        folder,
        Map.of("HOURGLASS_TARGET", server.address(), "HOURGLASS_KEY", TestKeys.secret(key)),
        arguments);
  }

  @Test
  void aDiagnosisIsOneFileWithoutSecrets() throws Exception {
    Program.Result written = diagnose(ADMIN, "diagnose");
    assertThat(written.exit()).as(written.err()).isZero();
    assertThat(written.out()).matches("hourglass-diagnosis-\\d{8}T\\d{6}Z\\.txt\n");
    String report = Files.readString(folder.resolve(written.out().strip()));
    assertThat(report)
        .containsSubsequence(
            "== versions ==",
            "hourglass   ",
            "java        ",
            "== settings ==",
            "store.cassandra.password = ",
            "query.log-slower-than = 1ms",
            "== metrics ==",
            "hourglass_ingest_events_total{verdict=\"accepted\"} 20000.0",
            "== threads ==",
            "\"hourglass-log\" ",
            "== log ==")
        .doesNotContain(
            PASSWORD, TestKeys.secret(ADA), TestKeys.secret(BOB), TestKeys.secret(ADMIN));
  }

  @Test
  void aDiagnosisReplacesNoFileAndNeedsAnAdministrator() throws Exception {
    Path report = folder.resolve("report.txt");
    Program.Result refused = diagnose(ADA, "diagnose", "--to", report.toString());
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains("the key ada has no scope admin");
    assertThat(report).doesNotExist();
    Files.writeString(report, "mine");
    Program.Result again = diagnose(ADMIN, "diagnose", "--to", report.toString());
    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err()).contains("report.txt exists; want the name of a new file");
    assertThat(report).hasContent("mine");
  }
}
