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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of {@code promtool check metrics}, for what a server in use shows. */
class MetricsTest {
  private static final Pattern LINE = Pattern.compile("# (HELP|TYPE) (\\S+) ?(.*)");

  /** Words for which Prometheus has a base unit, or that a type says already. */
  private static final Pattern WORDS =
      Pattern.compile(
          ".*_(minutes|hours|days|weeks|(milli|micro|nano)seconds|millis|(kilo|mega|giga)bytes"
              + "|counter|gauge|summary|histogram)(_.*)?");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private Path folder;

  @Test
  void namesAndTextsFollowTheRulesOfPrometheus() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.conf"), "");
    List<String> assignments =
        List.of("http.port=0", "store.embedded.dir=" + folder.resolve("data"));
    Settings settings = Settings.load(new SettingsSources(empty, Map.of(), assignments));
    try (Hourglass program = Hourglass.start(settings, Clock.systemUTC())) {
      URI server = URI.create(program.address());
      HttpRequest push =
          HttpRequest.newBuilder(server.resolve("/api/v1/events"))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("[{\"type\":\"t\"},{}]"))
              .build();
      client.send(push, BodyHandlers.discarding());
      get(server, "/api/v1/events");
      client
          .send(
              HttpRequest.newBuilder(server.resolve("/api/v1/tail")).build(),
              BodyHandlers.ofInputStream())
          .body()
          .close();
      check(get(server, "/metrics"));
    }
  }

  private String get(URI server, String path) throws Exception {
    return client
        .send(HttpRequest.newBuilder(server.resolve(path)).build(), BodyHandlers.ofString())
        .body();
  }

  private static void check(String metrics) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    for (Matcher line : metrics.lines().map(LINE::matcher).filter(Matcher::matches).toList()) {
      (line.group(1).equals("HELP") ? texts : types).put(line.group(2), line.group(3).strip());
    }
    assertThat(types).containsKeys("hourglass_query_tails", "hourglass_query_rows_total");
    types.forEach(
        (name, type) -> {
          assertThat(texts.getOrDefault(name, "")).as("the text of %s", name).isNotEmpty();
          assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
          assertThat(name).matches("[a-z][a-z0-9_]*").doesNotMatch(WORDS);
          assertThat(name).doesNotMatch(".*_(sum|count|bucket)");
        });
  }
}
