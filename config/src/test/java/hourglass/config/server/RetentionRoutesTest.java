package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionRoutesTest {
  private static final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void thePolicyAndWhatGoesNextAreTold() throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    String admin = KeyedServer.add(keys, "ada", "*", null, Scope.ADMIN);
    try (KeyedServer server =
        new KeyedServer(
            folder,
            keys,
            "retention.default=30d",
            "retention.types={audit=keep}",
            "retention.max-bytes=1 GiB",
            "retention.pass-pause=10 s")) {
      Hour hour = Hour.of(Instant.now().minus(Duration.ofHours(5)));
      // A smaller segment of the log is not flushed before some minutes.
      String text = "x".repeat(600_000);
      String event =
          "{\"type\":\"checkout\",\"time\":\"%s\",\"text\":\"%s\"}".formatted(hour.start(), text);
      HttpRequest push =
          HttpRequest.newBuilder(server.uri("/api/v1/events"))
              .POST(BodyPublishers.ofString("[" + event + "," + event + "]"))
              .header("Content-Type", "application/json")
              .header("X-API-Key", admin)
              .build();
      assertThat(client.send(push, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      HttpRequest ask =
          HttpRequest.newBuilder(server.uri("/api/v1/retention"))
              .header("X-API-Key", admin)
              .build();
      await() // until the event is in a page file
          .untilAsserted(() -> assertThat(next(ask)).isNotEmpty());
      JsonObject answer = new JsonObject(client.send(ask, BodyHandlers.ofString()).body());
      assertThat(answer.getJsonObject("policy").encode())
          .isEqualTo(
              "{\"default_s\":2592000,\"types_s\":{\"audit\":null},\"max_bytes\":1073741824,"
                  + "\"max_disk_percent\":null,\"keep_at_least_s\":172800,\"pass_pause_s\":10}");
      assertThat(answer.getLong("bytes")).isPositive();
      JsonObject first = answer.getJsonArray("next").getJsonObject(0);
      assertThat(first.getString("hour")).isEqualTo(hour.toString());
      assertThat(first.getString("why")).isEqualTo("retention");
      assertThat(first.getInstant("at")).isEqualTo(hour.end().plus(Duration.ofDays(30)));
    }
  }

  private static Iterable<Object> next(HttpRequest ask) throws Exception {
    HttpResponse<String> answer = client.send(ask, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body()).getJsonArray("next");
  }
}
