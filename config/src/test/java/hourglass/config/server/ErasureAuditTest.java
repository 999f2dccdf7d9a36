package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the audit file says about erasures, and what it must not say. */
class ErasureAuditTest {
  private static final String MARKER = "ada-7f3e";
  private static final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;
  private KeyedServer server;
  private Path audit;
  private String pusher;
  private String eraser;

  @BeforeEach
  void start() throws Exception {
    audit = folder.resolve("audit.log");
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    pusher = KeyedServer.add(keys, "app", "*", null, Scope.INGEST);
    eraser = KeyedServer.add(keys, "dpo", "shop.*", null, Scope.ERASE);
    server = new KeyedServer(folder, keys, "audit.file=" + audit);
    String events =
        "{\"type\":\"shop.cart\",\"time\":\"2026-11-20T08:00:01Z\",\"user\":\"" + MARKER + "\"}\n";
    assertThat(post("/api/v1/events", pusher, events).statusCode()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> post(String path, String key, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(server.uri(path))
            .header("X-API-Key", key)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private List<JsonObject> lines(String event) throws IOException {
    return Files.readAllLines(audit).stream()
        .map(JsonObject::new)
        .filter(line -> line.getString("event").equals(event))
        .toList();
  }

  @Test
  void theFileSaysWhoErasedWhatAndWhyButNotTheText() throws Exception {
    String selection =
        ("{\"from\":\"2026-11-20T08\",\"to\":\"2026-11-20T09\",\"where\":\"data.user == '%s'\","
                + "\"reason\":\"ticket 7\"}")
            .formatted(MARKER);
    HttpResponse<String> dryRun = post("/api/v1/erasures", eraser, selection);
    assertThat(dryRun.statusCode()).as(dryRun.body()).isEqualTo(200);
    String token = new JsonObject(dryRun.body()).getString("token");
    HttpResponse<String> erased = post("/api/v1/erasures", eraser, "{\"token\":\"" + token + "\"}");
    assertThat(erased.statusCode()).as(erased.body()).isEqualTo(202);
    await().until(() -> lines("erase").size() == 2);
    JsonObject line = lines("erase").get(1);
    assertThat(line.getString("key")).isEqualTo("dpo");
    assertThat(line.getString("step")).isEqualTo("erase");
    assertThat(line.getString("id")).isEqualTo(new JsonObject(erased.body()).getString("id"));
    assertThat(line.getJsonArray("types")).containsExactly("shop.cart");
    assertThat(line.getString("from")).isEqualTo("2026-11-20T08:00:00.0000000Z");
    assertThat(line.getInteger("events")).isEqualTo(1);
    assertThat(line.getString("reason")).isEqualTo("ticket 7");
    assertThat(Files.readString(audit)).doesNotContain(MARKER);
  }

  @Test
  void deletesOfLokiAndRefusalsAreThereToo() throws Exception {
    String query =
        URLEncoder.encode(
            "{service_name=\"shop.cart\"} |= \"" + MARKER + "\"", StandardCharsets.UTF_8);
    String path = "/loki/api/v1/delete?start=1700000000&query=" + query;
    assertThat(post(path, pusher, "").statusCode()).isEqualTo(403);
    assertThat(post(path + "&end=1", eraser, "").statusCode()).isEqualTo(400);
    assertThat(post(path + "&end=1800000000", eraser, "").statusCode()).isEqualTo(204);
    await().until(() -> lines("erase").size() == 1 && lines("refused").size() == 2);
    assertThat(lines("erase").get(0).getInteger("events")).isEqualTo(1);
    assertThat(lines("refused"))
        .extracting(line -> line.getString("reason"))
        .containsExactly("not allowed", "failed");
    assertThat(Files.readString(audit)).doesNotContain(MARKER);
  }
}
