package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import hourglass.testing.Tier;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that ask a server, against a server. */
@Tag(Tier.IN_FIRST)
class TerminalIT {
  private static final String DAY =
      """
      {"type":"shop","time":"2026-11-20T08:00:01Z","n":1,"path":"/a"}
      {"type":"shop","time":"2026-11-20T08:01:02Z","n":2,"path":"/b"}
      {"type":"shop","time":"2026-11-20T08:01:03Z","n":3,"path":"/a"}
      {"type":"login","time":"2026-11-20T08:01:04Z","user":"Ada L."}
      """;

  @TempDir private static Path folder;

  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(folder, "query.settle=300ms");
    assertThat(server.post("/api/v1/events", "application/x-ndjson", DAY).statusCode())
        .isEqualTo(200);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private static Program.Result ask(String... arguments) throws Exception {
    return Program.run(folder, Map.of("HOURGLASS_TARGET", server.address()), arguments);
  }

  @Test
  void queryPrintsTheEventsOfAnHour() throws Exception {
    Program.Result text = ask("query", "--hour", "2026-11-20T08", "--format", "text");
    assertThat(text)
        .isEqualTo(
            new Program.Result(
                0,
                """
                2026-11-20T08:00:01.000Z shop n=1 path=/a
                2026-11-20T08:01:02.000Z shop n=2 path=/b
                2026-11-20T08:01:03.000Z shop n=3 path=/a
                2026-11-20T08:01:04.000Z login user="Ada L."
                """,
                ""));
    Program.Result page =
        ask("query", "--hour=2026-11-20T08", "--limit=1", "--desc", "--type=shop", "--format=raw");
    assertThat(page)
        .isEqualTo(
            new Program.Result(0, DAY.lines().toList().get(2) + "\n", "more: --limit all\n"));
  }

  @Test
  @Tag(Tier.IN_FULL)
  void anIdFindsItsEventAndThoseAroundIt() throws Exception {
    String events = ask("query", "--hour", "2026-11-20", "--type=shop").out();
    String second = events.lines().toList().get(1);
    String id = second.substring("{\"id\":\"".length(), second.indexOf("\",\"time\""));
    assertThat(ask("query", "--id", id)).isEqualTo(new Program.Result(0, second + "\n", ""));
    assertThat(ask("query", "--around", id, "-n", "3", "--type=shop"))
        .isEqualTo(new Program.Result(0, events, ""));
    Program.Result unknown = ask("query", "--id", id.replaceFirst("[0-9a-f]{8}", "01234567"));
    assertThat(unknown.exit()).isEqualTo(1);
    assertThat(unknown.err()).startsWith("hourglass: id: there is no event ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "n>1 ~ 2, 3",
        "-path:/a ~ 2, login",
        "path:(/a OR /b) n<=2 ~ 1, 2",
        "type:login ~ login",
        "\"Ada L.\" ~ login",
        "ada ~ login",
        "user:ada ~ login",
        "-n:1..2 type:shop ~ 3",
        "data.n == 2 ~ 2",
        "nobody ~ ''",
      })
  @Tag(Tier.IN_FULL)
  void aFilterMayBeTheLastArgument(String filter, String found) throws Exception {
    Program.Result result = ask("query", "--hour=2026-11-20T08", "--format=raw", filter);
    assertThat(result.exit()).as(result.err()).isZero();
    String expected =
        Stream.of(found.split(", "))
            .map(each -> each.equals("login") ? 3 : Integer.parseInt("0" + each) - 1)
            .filter(line -> line >= 0)
            .map(line -> DAY.lines().toList().get(line) + "\n")
            .collect(Collectors.joining());
    assertThat(result.out()).isEqualTo(expected);
  }

  @Test
  void everyCommandAcceptsAFilterAndShortFieldNames() throws Exception {
    String hour = "--hour=2026-11-20T08";
    assertThat(ask("top", "path", hour, "n>1").out()).contains("/b", "/a").contains("50.0%");
    assertThat(ask("stats", "n", "--by", "path", hour, "-path:/b").out()).contains("/a");
    assertThat(ask("types", hour, "n:*").out()).contains("shop").doesNotContain("login");
    assertThat(ask("hits", hour, "--json", "n:*").out()).contains("\"total\":3");
    assertThat(ask("fields", hour, "user:*").out()).contains("data.user").doesNotContain("data.n");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aBadFilterIsRefusedWithACorrection() throws Exception {
    Program.Result refused = ask("query", "--hour=2026-11-20T08", "n: 5");
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains("column 1: no blank stands").contains("did you mean: n:5");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void anIdIsFoundAtAnyAge() throws Exception {
    String found = ask("query", "--hour=2026-11-20T08", "--format=ndjson", "user:ada").out();
    String id = found.replaceFirst(".*\"id\":\"([^\"]+)\"(?s:.*)", "$1");
    assertThat(ask("query", "--format=ndjson", id).out()).isEqualTo(found);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void anEmptyAnswerReportsMatchesOfTheLastDay() throws Exception {
    String now = Instant.now().minusSeconds(3_600).toString();
    String event = "{\"type\":\"rare\",\"time\":\"" + now + "\",\"word\":\"seldom\"}";
    server.post("/api/v1/events", "application/json", event);
    assertThat(ask("query", "seldom"))
        .isEqualTo(new Program.Result(0, "", "none; --since 24h finds 1\n"));
    assertThat(ask("query", "never-ever").err()).isEqualTo("none, nor in the last 24 hours\n");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void anEmptyAnswerSucceeds() throws Exception {
    Program.Result none = ask("query", "--type", "nobody", "--hour", "2026-11-20T08");
    assertThat(none).isEqualTo(new Program.Result(0, "", ""));
  }

  @Test
  void aWrongFilterPrintsTheMessageOfTheServer() throws Exception {
    Program.Result wrong = ask("query", "--where", "data.n >");
    assertThat(wrong.exit()).isEqualTo(1);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err().lines()).singleElement().asString().startsWith("hourglass: where: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // arguments | a line
        "types | shop 3 [0-9]+",
        "hits --by type | shop 3 ▄█",
        "stats data.n | 4 3 1 2 2 3 3 3 3",
        "top data.path | /a 2 50.0% █+",
        "fields | data.n number 3 75.0% 3 1 3 1 \\(1\\), 2 \\(1\\), 3 \\(1\\)",
      })
  @Tag(Tier.IN_FULL)
  void countsAreTables(String arguments, String line) throws Exception {
    Program.Result table = ask((arguments + " --hour 2026-11-20T08").split(" "));
    assertThat(table.exit()).as(table.err()).isZero();
    assertThat(table.out().lines().map(each -> each.strip().replaceAll(" +", " ")))
        .anyMatch(each -> each.matches(line.strip()));
    assertThat(table.err()).isEmpty();
  }

  @Test
  void aSignalStopsATailInOrder() throws Exception {
    Map<String, String> environment = Map.of("HOURGLASS_TARGET", server.address());
    try (Program.Running tail =
            Program.start(folder, environment, "tail", "--type=live", "--since=1h");
        Program.Running follow =
            Program.start(
                folder, environment, "query", "--type=live", "--follow", "--format=raw")) {
      push("{\"type\":\"live\",\"n\":1}");
      awaitOutput(tail, "\"data\":{\"type\":\"live\",\"n\":1}}\n");
      awaitOutput(follow, "{\"type\":\"live\",\"n\":1}\n");
      push("{\"type\":\"live\",\"n\":2}");
      awaitOutput(tail, "\"data\":{\"type\":\"live\",\"n\":2}}\n");
      awaitOutput(follow, "{\"type\":\"live\",\"n\":2}\n");
      interrupt(tail);
      assertThat(tail.end().exit()).as(tail.said()).isZero();
      follow.process().destroy(); // SIGTERM
      assertThat(follow.end().exit()).as(follow.said()).isZero();
      assertThat(tail.said() + follow.said()).isEmpty();
    }
  }

  private static void push(String event) throws Exception {
    assertThat(server.post("/api/v1/events", "application/json", event).statusCode())
        .isEqualTo(200);
  }

  private static void awaitOutput(Program.Running running, String end) {
    await().until(() -> Files.readString(running.out()).endsWith(end) || !isAlive(running));
    assertThat(running.out()).content().as(running::toString).endsWith(end);
  }

  private static boolean isAlive(Program.Running running) {
    return running.process().isAlive();
  }

  /**
   * Interrupts the process as Ctrl-C does, but not with SIGINT, which a build in the background may
   * ignore.
   */
  private static void interrupt(Program.Running running) throws Exception {
    String pid = String.valueOf(running.process().pid());
    assertThat(new ProcessBuilder("kill", "-TERM", pid).start().waitFor()).isZero();
  }

  @Test
  void importSendsAFile() throws Exception {
    Path file = folder.resolve("imported.ndjson");
    Files.writeString(file, "{\"type\":\"imported\",\"time\":\"2026-11-20T10:00:00Z\"}\n");
    Program.Result sent = ask("import", file.toString());
    assertThat(sent.exit()).as(sent.err()).isZero();
    Program.Result stored = ask("query", "--hour=2026-11-20T10", "--type=imported", "--format=raw");
    assertThat(stored.out()).isEqualTo(Files.readString(file));
  }

  @Test
  @Tag(Tier.IN_FULL)
  void importSendsTheKeyOfTheEnvironment() throws Exception {
    Path file = Files.writeString(folder.resolve("refused.ndjson"), "{\"type\":\"a\"}\n");
    HttpServer refusing = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    Set<String> keys = ConcurrentHashMap.newKeySet();
    refusing.createContext(
        "/",
        exchange -> {
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    refusing.start();
    try {
      String url = "http://127.0.0.1:" + refusing.getAddress().getPort();
      Map<String, String> variables = Map.of("HOURGLASS_TARGET", url, "HOURGLASS_KEY", "hg_x");
      Program.Result sent = Program.run(folder, variables, "import", file.toString());
      assertThat(sent.err()).contains("--key-file or HOURGLASS_KEY holds the key");
      assertThat(sent.exit()).isEqualTo(1);
    } finally {
      refusing.stop(0);
    }
    assertThat(keys).containsExactly("Bearer hg_x");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aServerWithTheVariablesOfAClientStarts() throws Exception {
    Map<String, String> variables =
        Map.of("HOURGLASS_TARGET", server.address(), "HOURGLASS_KEY", "hg_x");
    assertThat(Program.run(folder, variables, "serve", "--print-config").exit()).isZero();
  }
}
