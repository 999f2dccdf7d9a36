package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoKeysTest {
  private static final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void aServerWithoutKeysHasNoSessions() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.conf"), "");
    List<String> assignments =
        List.of("http.port=0", "store.embedded.dir=" + folder.resolve("data"));
    Settings settings = Settings.load(new SettingsSources(empty, Map.of(), assignments));
    try (Hourglass program = Hourglass.start(settings, Clock.systemUTC())) {
      HttpRequest.Builder session =
          HttpRequest.newBuilder(URI.create(program.address() + "/api/v1/session"));
      assertThat(status(session.GET())).isEqualTo(204);
      HttpRequest.Builder begin = session.POST(BodyPublishers.ofString("{\"key\":\"any\"}"));
      assertThat(status(begin)).isBetween(404, 405);
    }
  }

  private static int status(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.discarding()).statusCode();
  }
}
