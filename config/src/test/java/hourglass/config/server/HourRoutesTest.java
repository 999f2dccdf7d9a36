package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HourRoutesTest {
  private static final HttpClient client = HttpClient.newHttpClient();
  private static final String HOUR = "2026-11-20T08";

  @TempDir private Path folder;
  private KeyedServer server;
  private String admin;

  @BeforeEach
  void start() throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    admin = KeyedServer.add(keys, "ada", "*", null, Scope.ADMIN);
    server = new KeyedServer(folder, keys, "audit.file=" + folder.resolve("audit.jsonl"));
    String events =
        "[{\"type\":\"checkout\",\"time\":\"2026-11-20T08:01:00Z\",\"n\":1},"
            + "{\"type\":\"search\",\"time\":\"2026-11-20T08:02:00Z\",\"n\":2},"
            + "{\"type\":\"checkout\",\"time\":\"2026-11-20T09:00:00Z\",\"n\":3}]";
    HttpResponse<String> pushed =
        send(
            HttpRequest.newBuilder(server.uri("/api/v1/events"))
                .POST(BodyPublishers.ofString(events))
                .header("Content-Type", "application/json"));
    assertThat(pushed.statusCode()).as(pushed.body()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.header("X-API-Key", admin).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(server.uri(path)));
  }

  private HttpResponse<String> delete(String path) throws Exception {
    return send(HttpRequest.newBuilder(server.uri("/api/v1/hours/" + path)).DELETE());
  }

  @Test
  void aDroppedHourIsGoneAndEveryAnswerAboutItSaysSo() throws Exception {
    HttpResponse<String> dropped = delete(HOUR);
    assertThat(dropped.statusCode()).isEqualTo(200);
    assertThat(dropped.body()).startsWith("{\"dropped\":{\"rows\":2,\"events\":2,\"bytes\":");
    String named = "\"dropped\":[\"" + HOUR + "\"],\"complete\":true";
    assertThat(get("/api/v1/events?hour=" + HOUR).body())
        .startsWith("{\"events\":[]")
        .contains(named);
    assertThat(get("/api/v1/hits?step=1h&hour=" + HOUR).body()).contains("\"total\":0", named);
    for (String path : new String[] {"types?", "stats?field=n&", "top?field=n&", "fields?"}) {
      assertThat(get("/api/v1/" + path + "hour=" + HOUR).body()).as(path).contains(named);
    }
    HttpResponse<String> lines = get("/api/v1/events?limit=all&format=ndjson");
    assertThat(lines.body().lines()).hasSize(1);
    assertThat(lines.headers().firstValue("Hourglass-Dropped")).hasValue(HOUR);
    assertThat(lines.headers().firstValue("Hourglass-Complete")).hasValue("true");
    assertThat(get("/api/v1/events?hour=2026-11-20T09").body()).doesNotContain("dropped");
  }

  @Test
  void aTypeOfAnHourIsDroppedAndAnswersThatAskForItSaySo() throws Exception {
    assertThat(delete(HOUR + "?type=checkout").body())
        .startsWith("{\"dropped\":{\"rows\":1,\"events\":1,\"bytes\":");
    String named = "\"dropped\":[\"" + HOUR + "|checkout\"],\"complete\":true";
    assertThat(get("/api/v1/hits?step=1h&hour=" + HOUR).body()).contains("\"total\":1", named);
    assertThat(get("/api/v1/events?type=checkout&hour=" + HOUR).body())
        .startsWith("{\"events\":[]")
        .contains(named);
    assertThat(get("/api/v1/events?type=search&hour=" + HOUR).body())
        .contains("\"n\":2")
        .doesNotContain("dropped");
    assertThat(get("/api/v1/events?format=ndjson&limit=all").headers().map())
        .containsEntry("Hourglass-Dropped", List.of(HOUR + "|checkout"));
    assertThat(get("/metrics").body())
        .contains("hourglass_retention_drops_total{why=\"request\"} 1.0");
    server.close();
    assertThat(audited()).contains("/api/v1/hours/" + HOUR, "\"types\":[\"checkout\"]");
  }

  /** Names of types are for those who may see them. */
  @Test
  void aKeyOfOtherTypesDoesNotLearnWhichWereDropped() throws Exception {
    String bob =
        KeyedServer.add(
            new KeysFile(folder.resolve("keys.conf")), "bob", "search", null, Scope.QUERY);
    delete(HOUR + "?type=checkout");
    await()
        .untilAsserted(
            () -> {
              HttpResponse<String> answer =
                  client.send(
                      HttpRequest.newBuilder(server.uri("/api/v1/hits?step=1h&hour=" + HOUR))
                          .header("X-API-Key", bob)
                          .build(),
                      BodyHandlers.ofString());
              assertThat(answer.statusCode()).isEqualTo(200);
              assertThat(answer.body()).contains("\"total\":1").doesNotContain("dropped");
            });
  }

  @Test
  void aLookUpInADroppedHourSaysWhyThereIsNothing() throws Exception {
    String page = get("/api/v1/events?limit=1&hour=" + HOUR).body();
    String id = page.replaceAll("(?s).*\"id\":\"([^\"]+)\".*", "$1");
    assertThat(get("/api/v1/events/" + id).statusCode()).isEqualTo(200);
    delete(HOUR);
    HttpResponse<String> gone = get("/api/v1/events/" + id);
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.body()).contains(id, HOUR + " was dropped");
  }

  @Test
  void aDropOfNothingIsNoDrop() throws Exception {
    assertThat(delete("2026-11-20T07").body())
        .isEqualTo("{\"dropped\":{\"rows\":0,\"events\":0,\"bytes\":0}}\n");
    assertThat(get("/api/v1/events?hour=2026-11-20T07").body()).doesNotContain("dropped");
  }

  /** A part of an hour must never be taken for all of it. */
  @Test
  void wrongRequestsDeleteNothing() throws Exception {
    for (String query : List.of("types=checkout", "type=", "type=a&type=b", "type=search&x=1")) {
      HttpResponse<String> wrong = delete(HOUR + "?" + query);
      assertThat(wrong.statusCode()).as(query).isEqualTo(400);
      assertThat(wrong.body()).containsAnyOf("unknown parameter", "type: want one type");
    }
    HttpResponse<String> day = delete("2026-11-20");
    assertThat(day.statusCode()).isEqualTo(400);
    assertThat(day.body()).contains("is not an hour such as 2026-11-20T08");
    assertThat(get("/api/v1/events?limit=all&format=ndjson").body().lines()).hasSize(3);
  }

  @Test
  void dropsAreInTheAuditFile() throws Exception {
    delete(HOUR);
    server.close(); // writes the last lines
    assertThat(audited())
        .contains("\"event\":\"admin\",\"key\":\"ada\"")
        .contains("\"method\":\"DELETE\",\"path\":\"/api/v1/hours/" + HOUR + "\",\"status\":200");
  }

  @Test
  void dropsAreCounted() throws Exception {
    delete(HOUR);
    delete("2026-11-20T07"); // it has no events
    assertThat(get("/metrics").body())
        .contains("hourglass_retention_drops_total{why=\"request\"} 1.0")
        .contains("hourglass_retention_drops_total{why=\"max-bytes\"} 0.0");
  }

  private String audited() throws IOException {
    return Files.readString(folder.resolve("audit.jsonl"));
  }
}
