package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page file is deleted: the start refuses and prints the setting that serves the rest, and no
 * answer over its hour looks whole, until the file is back.
 */
@Tag(Tier.IN_FIRST)
class MissingHourIT {
  private static final String GONE = "pages/00000000000000000001.pages";
  private static final String BOTH = "from=2026-11-20T08:00:00Z&to=2026-11-20T10:00:00Z";

  @TempDir Path folder;

  @Test
  void answersAreIncompleteIfAnHourIsMissing() throws Exception {
    ServerProcess server = ServerProcess.start(folder, "constant.flushAgeMillis=20");
    try {
      // Each hour has a file of its own, since it is flushed before the next one comes. Until the
      // log is cut, it has the events too, and nothing is missing without the file.
      push(server, events(8, 0, 600));
      awaitCut(1);
      push(server, events(9, 0, 200));
      awaitCut(2);
      String anId = idOf(server, 8);
      assertThat(server.terminate()).isZero();
      Path hour = folder.resolve("data").resolve(GONE);
      Path aside = folder.resolve("aside");
      Files.move(hour, aside);

      Program.Result refused = Program.run(folder, ServerProcess.arguments(folder));
      assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
      assertThat(refused.err()).contains(hour.toString(), "missing", "restore it");
      Matcher printed = Pattern.compile("--set '([^']+)'").matcher(refused.err());
      assertThat(printed.find()).as(refused.err()).isTrue();

      server = server.restartWith(printed.group(1));
      assertThat(server.log()).contains(" WARN ", GONE + ": missing");
      assertThat(server.get("/health/ready").body()).contains("\"status\":\"ready\"", GONE);
      assertThat(server.metric("hourglass_store_missing")).isEqualTo(1);
      checkAnswers(server, anId);
      push(server, events(8, 600, 650));
      assertThat(server.get("/api/v1/hits?step=1h&" + BOTH).body())
          .contains("\"total\":250", GONE, "\"complete\":false");
      assertThat(server.terminate()).isZero();

      Files.move(aside, hour);
      server = server.restartWith();
      assertThat(server.get("/api/v1/hits?step=1h&" + BOTH).body())
          .contains("\"total\":850", "\"complete\":true")
          .doesNotContain(GONE);
      assertThat(numbers(server))
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 650).boxed().toList());
    } finally {
      server.close();
    }
  }

  private void awaitCut(int segment) {
    Path log = folder.resolve("data/log/0000000000000000000%d.log".formatted(segment));
    await("flushed and cut").until(() -> !Files.exists(log));
  }

  private static void checkAnswers(ServerProcess server, String anId) throws Exception {
    List<String> asked = new ArrayList<>();
    for (String range : List.of("hour=2026-11-20T08", BOTH, "to=2026-11-20T10:00:00Z")) {
      asked.add("/api/v1/events?limit=10&" + range);
      asked.add("/api/v1/events?limit=10&where=data.n%3C5&" + range);
      asked.add("/api/v1/types?" + range);
      asked.add("/api/v1/types?where=data.n%3C5&" + range);
      asked.add("/api/v1/stats?field=data.n&" + range);
      asked.add("/api/v1/top?field=data.n&" + range);
      asked.add("/api/v1/rows?" + range);
      asked.add("/api/v1/plan?" + range);
    }
    asked.add("/api/v1/hits?step=1m&" + BOTH);
    asked.add("/api/v1/hits?step=1m&by=type&contains=n&" + BOTH);
    asked.add("/api/v1/events?limit=4&around=" + idOf(server, 9));
    for (String path : asked) {
      HttpResponse<String> answer = server.get(path);
      assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(200);
      assertThat(answer.body()).as(path).contains("\"missing\":[\"" + GONE + "\"]");
      assertThat(answer.body()).as(path).contains("\"complete\":false");
    }
    for (String format : List.of("ndjson", "csv", "cloudevents", "raw")) {
      HttpResponse<String> answer =
          server.get("/api/v1/events?limit=10&format=" + format + "&" + BOTH);
      assertThat(answer.statusCode()).as(format + answer.body()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Hourglass-Complete")).as(format).hasValue("false");
      assertThat(answer.headers().firstValue("Hourglass-Missing")).as(format).hasValue(GONE);
    }
    HttpResponse<String> event = server.get("/api/v1/events/" + anId);
    assertThat(event.statusCode()).as(event.body()).isEqualTo(503);
    assertThat(event.body()).contains(GONE);
    String other = server.get("/api/v1/types?hour=2026-11-20T09").body();
    assertThat(other).contains("\"count\":200", "\"complete\":true").doesNotContain(GONE);
  }

  private static String events(int hour, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            n ->
                "{\"type\":\"click\",\"time\":\"2026-11-20T%02d:%02d:%02dZ\",\"n\":%d}\n"
                    .formatted(hour, n / 60, n % 60, n))
        .collect(Collectors.joining());
  }

  private static void push(ServerProcess server, String events) throws Exception {
    HttpResponse<String> answer = server.post("/api/v1/events", "application/x-ndjson", events);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private static List<Integer> numbers(ServerProcess server) throws Exception {
    String events = server.get("/api/v1/events?limit=all&format=raw&hour=2026-11-20T08").body();
    return Pattern.compile("\"n\":(\\d+)")
        .matcher(events)
        .results()
        .map(found -> Integer.valueOf(found.group(1)))
        .toList();
  }

  private static String idOf(ServerProcess server, int hour) throws Exception {
    HttpResponse<String> answer =
        server.get("/api/v1/events?limit=1&hour=2026-11-20T%02d".formatted(hour));
    Matcher id = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"").matcher(answer.body());
    assertThat(id.find()).as(answer.body()).isTrue();
    return id.group(1);
  }
}
