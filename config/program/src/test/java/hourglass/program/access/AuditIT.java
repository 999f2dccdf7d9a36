package hourglass.program.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the content of the audit file, and that it survives the process. */
@Tag(Tier.IN_FIRST)
class AuditIT {
  private static final Duration PATIENCE = Patience.LONGEST;
  private static final String TORN = "{\"time\":\"2026-11-2";
  private static final String EVENTS = "{\"type\":\"t\",\"text\":\"%s\"}%n";

  @TempDir static Path folder;
  private static TestKeys keys;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    keys =
        new TestKeys(folder)
            .with("ada", "scopes = [query, ingest]")
            .with("root", "scopes = [admin]")
            .with("pusher", "scopes = [ingest], limits { events-per-second = 1 }");
    server =
        ServerProcess.start(
            folder,
            "keys.file=" + keys.write(),
            "audit.file=" + file(),
            "audit.export-bytes=50000");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void refusedRequestsAreAudited() throws Exception {
    int before = events("refused").size();
    assertThat(get("", "/api/v1/types", "none").statusCode()).isEqualTo(401);
    assertThat(get("Bearer hg_wrong", "/api/v1/types", "wrong").statusCode()).isEqualTo(401);
    assertThat(get(TestKeys.bearer("pusher"), "/api/v1/types", "scope").statusCode())
        .isEqualTo(403);
    assertThat(push("pusher", EVENTS.formatted("").repeat(1_000)).statusCode()).isEqualTo(200);
    HttpResponse<String> limited = push("pusher", EVENTS.formatted(""));
    assertThat(limited.statusCode()).isEqualTo(429);
    String host = "GET /api/v1/types HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n";
    assertThat(RawHttp.exchange(server.port(), host)).startsWith("HTTP/1.1 421");
    for (int i = 0; i < 100; i++) {
      get("", "/api/v1/types", "flood");
    }
    String address = "\"address\":\"127.0.0.1\"";
    assertThat(line("\"reason\":\"no key\"", address, "\"request\":\"none\"")).isNotNull();
    assertThat(line("\"reason\":\"wrong key\"", address, "\"request\":\"wrong\"")).isNotNull();
    assertThat(line("\"reason\":\"not allowed\"", "\"key\":\"pusher\"", "\"status\":403"))
        .isNotNull();
    String id = limited.headers().firstValue("X-Request-Id").orElseThrow();
    assertThat(line("\"reason\":\"events-per-second\"", "\"key\":\"pusher\"", id)).isNotNull();
    assertThat(line("\"reason\":\"host\"", "\"status\":421", address)).isNotNull();
    for (int i = 0; i < 100; i++) {
      assertThat(delete("root", "/api/v1/events/none").statusCode()).isEqualTo(405);
    }
    assertThat(line("\"reason\":\"failed\"", "\"key\":\"root\"", "\"method\":\"DELETE\""))
        .contains("\"path\":\"/api/v1/events/none\"");
    server = stopped().restart();
    List<JsonObject> all = events("refused");
    List<JsonObject> refused = all.subList(before, all.size());
    assertThat(refused).hasSizeLessThan(15);
    assertThat(refused.stream().mapToLong(event -> event.getLong("count")).sum()).isEqualTo(205);
    assertThat(events("admin")).isEmpty();
  }

  @Test
  void changesOfKeysAreAudited() throws Exception {
    keys.with("bob", "scopes = [metrics], types = [\"shop.*\"]").write();
    assertThat(line("\"key-added\"", "\"key\":\"bob\"", "metrics", "shop.*")).isNotNull();
    keys.with("bob", "scopes = [query]").with("carl", "scopes = [query]").write();
    assertThat(line("\"key-changed\"", "\"key\":\"bob\"", "query")).isNotNull();
    assertThat(line("\"key-added\"", "\"key\":\"carl\"")).isNotNull();
    keys.write("keys { ada { secrets = [\"" + TestKeys.secret("ada") + "\"] } }");
    assertThat(line("\"keys-refused\"")).doesNotContain(TestKeys.secret("ada"));
    keys.without("bob").without("carl").write();
    assertThat(line("\"key-removed\"", "\"key\":\"bob\"")).isNotNull();
    assertThat(line("\"key-removed\"", "\"key\":\"carl\"")).isNotNull();
  }

  @Test
  @Tag(Tier.IN_FULL)
  void largeAnswersAreAudited() throws Exception {
    String large = EVENTS.formatted("x".repeat(1_000)).repeat(5_000);
    for (int i = 0; i < 3; i++) {
      assertThat(push("ada", large).statusCode()).isEqualTo(200);
    }
    String bearer = TestKeys.bearer("ada");
    assertThat(get(bearer, "/api/v1/events?limit=10&type=t", "small").statusCode()).isEqualTo(200);
    String path = "/api/v1/events?limit=100&type=t&contains=xxx&from=2026-01-01T00";
    HttpResponse<String> answer = get(bearer, path, "large");
    assertThat(answer.statusCode()).isEqualTo(200);
    String told = line("\"export\"", "\"request\":\"large\"");
    assertThat(told)
        .contains("\"key\":\"ada\"", "\"types\":[\"t\"]", "\"from\":\"2026-01-01T00\"")
        .contains("\"path\":\"/api/v1/events\"", "\"whole\":true")
        .doesNotContain("xxx");
    assertThat(new JsonObject(told).getLong("bytes")).isEqualTo(answer.body().length());
    try (Socket unread = new Socket()) {
      unread.setReceiveBufferSize(8 << 10);
      unread.connect(new InetSocketAddress("127.0.0.1", server.port()));
      RawHttp.write(
          unread,
          "GET /api/v1/events?limit=all HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: cut\r\nAuthorization: %s\r\n\r\n"
              .formatted(bearer));
      unread.getInputStream().readNBytes(200_000);
    }
    assertThat(line("\"export\"", "\"request\":\"cut\"")).contains("\"whole\":false");
    assertThat(events("export")).hasSize(2);
  }

  @Test
  void theAuditLogSurvivesAKill() throws Exception {
    int before = lines().size();
    HttpResponse<String> refused = get(TestKeys.bearer("ada"), "/metrics", "before");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(line("\"request\":\"before\"")).isNotNull();
    int starts = events("start").size(); // the start of this server is written before its requests
    server.kill();
    Files.writeString(file(), TORN, StandardOpenOption.APPEND);
    server = server.restart();
    await().atMost(PATIENCE).until(() -> events("start").size() == starts + 1);
    assertThat(lines().size()).isGreaterThanOrEqualTo(before + 3);
    assertThat(lines().stream().filter(line -> !isWhole(line))).containsExactly(TORN);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  /** A second process cannot open the file, and refuses to start without it. */
  @Test
  @Tag(Tier.IN_FULL)
  void theAuditFileBelongsToOneProcess() throws Exception {
    Program.Result second =
        Program.run(
            folder,
            ServerProcess.arguments(
                Files.createDirectory(folder.resolve("second")), "audit.file=" + file()));
    assertThat(second.exit()).isEqualTo(1);
    assertThat(second.err()).contains("audit.file = " + file(), "another process");
  }

  private static ServerProcess stopped() throws InterruptedException {
    int stops = events("stop").size();
    assertThat(server.terminate()).isZero();
    assertThat(events("stop")).hasSize(stops + 1);
    return server;
  }

  private static boolean isWhole(String line) {
    try {
      return Instant.parse(new JsonObject(line).getString("time")) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** The first line with all of the texts, once it is there. */
  private static String line(String... texts) {
    Predicate<String> hasAll = line -> List.of(texts).stream().allMatch(line::contains);
    await().atMost(PATIENCE).until(() -> lines().stream().anyMatch(hasAll));
    return lines().stream().filter(hasAll).findFirst().orElseThrow();
  }

  private static List<JsonObject> events(String name) {
    return lines().stream()
        .filter(AuditIT::isWhole)
        .map(JsonObject::new)
        .filter(event -> event.getString("event").equals(name))
        .toList();
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(file());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Path file() {
    return folder.resolve("audit.log");
  }

  private static HttpResponse<String> push(String key, String body) throws Exception {
    return server.send(
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .header("Authorization", TestKeys.bearer(key))
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> delete(String key, String path) throws Exception {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .header("Authorization", TestKeys.bearer(key))
            .DELETE());
  }

  private static HttpResponse<String> get(String authorization, String path, String id)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).header("X-Request-Id", id);
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return server.send(request);
  }
}
