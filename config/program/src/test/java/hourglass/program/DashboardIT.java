package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, on a real server with an hour full of events. */
@Order(3)
@Timeout(value = BrowserChecks.TIMEOUT_HOURS, unit = TimeUnit.HOURS)
@Tag(Tier.IN_FIRST)
class DashboardIT {
  /** Many pages of the list, of which every field is counted; a few for the main path. */
  private static final int EVENTS = Tier.length(4_000, 40_000, 200_000);

  private static final String HOUR = "2026-11-20T08";

  /**
   * So many that the page has to leave nearly all of them to the server. The main path asks for
   * none of them.
   */
  private static final int MANY_EVENTS = Tier.length(0, 300_000, 1_000_000);

  private static final String LARGE_HOUR = "2026-11-18T08";

  /** Events whose fields and values are of all kinds: each of them makes a filter. */
  private static final String ODD_HOUR = "2026-11-19T08";

  /** An hour that had an event, which was dropped. */
  private static final String DROPPED_HOUR = "2026-11-17T08";

  private static final List<String> ODD =
      List.of(
          "\"user-agent\":\"curl \\\"q\\\" \\\\ back\",\"in\":true,\"none\":null",
          "\"a b\":{\"c.d\":-7,\"\":\"no name\"},\"big\":9007199254740993,\"tiny\":1.5e-7",
          "\"big\":18446744073709551616,\"tags\":[\"eu\",\"\u00fc \ud83d\ude00\",3]",
          "\"big\":-9223372036854775808,\"tags\":[\"us\"],\"text\":\"one\\ntwo\\tthree\"",
          "\"items\":[{\"sku\":\"A-1\",\"codes\":[10,11]},{\"sku\":\"A-2\"}],\"x\":{\"y\":{\"z\":1}}",
          "\"items\":[{\"sku\":\"A-2\",\"codes\":[12]}],\"grid\":[[21,22],[23]],\"x\":{}",
          "\"x\":{\"y\":{}}",
          "\"plain\":\"nothing of the others\"");

  /** The address of the dashboard in the output of the demo. */
  private static final Pattern ADDRESS = Pattern.compile("dashboard (http://\\S+)/\n");

  @TempDir Path folder;

  @Test
  void pageShowsTheEventsOfTheServer() throws Exception {
    BrowserChecks.requireTools();
    try (ServerProcess server = ServerProcess.start(folder)) {
      server.generate(HOUR, EVENTS);
      pushOdd(server);
      dropAnHour(server);
      Path screenshots = Path.of("target/screenshots").toAbsolutePath();
      List<String> command =
          new ArrayList<>(
              List.of(
                  "node",
                  "src/test/e2e/page.mjs",
                  server.address(),
                  "--hour=" + HOUR,
                  "--total=" + EVENTS,
                  "--types=" + String.join(",", types(server)),
                  "--odd=" + ODD_HOUR,
                  "--dropped=" + DROPPED_HOUR,
                  "--screenshots=" + screenshots));
      if (Tier.current() == Tier.FIRST) {
        command.add("--main");
      } else {
        server.generate(LARGE_HOUR, MANY_EVENTS);
        command.add("--large=" + LARGE_HOUR + ":" + MANY_EVENTS);
      }
      BrowserChecks.run(command, Map.of(), Map.of());
      assertThat(screenshots).isNotEmptyDirectory();
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void loadReportsDrawTheirCharts() throws Exception {
    BrowserChecks.requireTools();
    List<String> command = new ArrayList<>(List.of("node", "src/test/e2e/report.mjs"));
    try (ServerProcess server = ServerProcess.start(folder)) {
      String target = "--target=" + server.address();
      report(command, 3, "generate", target, "--events=1000", "--settle=0s");
      report(
          command,
          3,
          "bench",
          target,
          "--events=1000",
          "--settle=0s",
          "--hours=1",
          "--untimed=4",
          "--hour=" + HOUR);
      report(
          command,
          9,
          "compare",
          "--set=store.embedded.dir=" + folder.resolve("laboratory"),
          "--layouts=hour,sharded:4",
          "--warm-up=0s",
          "--seconds=2");
      BrowserChecks.run(command, Map.of(), Map.of());
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void onCallTasksCanBeDoneOnTheDemo() throws Exception {
    BrowserChecks.requireTools();
    String data = folder.resolve("data").toString();
    String[] demo = {"demo", "--no-browser", "--port", "0", "--data", data};
    try (Program.Running running = Program.start(folder, Map.of(), demo)) {
      await()
          .until(
              () ->
                  Files.readString(running.out()).contains("\nlive ")
                      || !running.process().isAlive());
      String said = Files.readString(running.out());
      Matcher address = ADDRESS.matcher(said);
      assertThat(address.find()).as(said + running.said()).isTrue();
      List<String> command = new ArrayList<>();
      Collections.addAll(command, "node", "src/test/e2e/tasks.mjs", address.group(1));
      command.add("--");
      command.addAll(Program.builder().command());
      BrowserChecks.run(command, Map.of(), Map.of());
    }
  }

  /** Runs it and adds its report, with the number of its charts, to the browser's command. */
  private void report(List<String> command, int charts, String... load) throws Exception {
    Path html = folder.resolve(load[0] + ".html");
    List<String> args = new ArrayList<>(List.of("load"));
    args.addAll(List.of(load));
    args.add("--html=" + html);
    Program.Result result = Program.run(folder, args.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    command.addAll(List.of(html.toString(), String.valueOf(charts)));
  }

  private static void pushOdd(ServerProcess server) throws IOException, InterruptedException {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < ODD.size(); i++) {
      String head = "{\"type\":\"odd\",\"time\":\"%s:00:0%dZ\",".formatted(ODD_HOUR, i);
      body.append(head).append(ODD.get(i)).append("}\n");
    }
    String answer = server.post("/api/v1/events", "application/x-ndjson", body.toString()).body();
    assertThat(new JsonObject(answer).getInteger("accepted")).as(answer).isEqualTo(ODD.size());
  }

  private static void dropAnHour(ServerProcess server) throws IOException, InterruptedException {
    String event = "{\"type\":\"odd\",\"time\":\"" + DROPPED_HOUR + ":10:00Z\"}";
    assertThat(server.post("/api/v1/events", "application/json", event).statusCode())
        .isEqualTo(200);
    HttpRequest drop =
        HttpRequest.newBuilder(URI.create(server.address() + "/api/v1/hours/" + DROPPED_HOUR))
            .DELETE()
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(drop, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body()).startsWith("{\"dropped\":{\"rows\":1,\"events\":1,");
  }

  /** The two most frequent types of the hour. */
  private static List<String> types(ServerProcess server) throws IOException, InterruptedException {
    return new JsonObject(server.get("/api/v1/types?hour=" + HOUR).body())
        .getJsonArray("types").stream()
            .map(JsonObject.class::cast)
            .sorted((a, b) -> Long.compare(b.getLong("count"), a.getLong("count")))
            .limit(2)
            .map(type -> type.getString("type"))
            .toList();
  }
}
