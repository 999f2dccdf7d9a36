package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupRoutesTest {
  private static final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  /** The space of dropped hours would stay taken, so each pass would drop more. */
  @Test
  void linksAreRefusedBesideABudgetOfTheDisk() throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    String admin = KeyedServer.add(keys, "ada", "*", null, Scope.ADMIN);
    try (KeyedServer server = new KeyedServer(folder, keys, "retention.max-disk-percent=90")) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(server.uri("/api/v1/backups"))
                  .header("X-API-Key", admin)
                  .POST(BodyPublishers.ofString("{\"to\":\"" + folder + "\",\"link\":true}"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("retention.max-disk-percent", "want copies");
    }
  }
}
