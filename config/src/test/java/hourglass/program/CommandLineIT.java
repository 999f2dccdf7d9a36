package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as people and scripts meet it: exit codes, streams, signals. */
class CommandLineIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // arguments          | exit | stdout begins | stderr contains
        "version              | 0 | hourglass          | ''",
        "--version            | 0 | hourglass          | ''",
        "help                 | 0 | Usage: hourglass   | ''",
        "help serve           | 0 | Usage: hourglass serve | ''",
        "serve --print-config | 0 | roles = [ingest    | ''",
        "''                   | 2 | ''                 | which command?",
        "sevre                | 2 | ''                 | sevre: unknown command; the nearest known one is serve",
        "serve --sett a=b     | 2 | ''                 | --sett: unknown option; the nearest known one is --set",
        "serve --http.port=1  | 2 | ''                 | --http.port: unknown option; --set KEY=VALUE gives any setting",
        "demo --port x         | 2 | ''                 | http.port = x",
        "completion           | 0 | #!/usr/bin/env bash | ''",
        "import               | 2 | ''                 | FILE",
        "import --help        | 0 | Usage: hourglass import | ''",
        "help query           | 0 | Usage: hourglass query | ''",
        "query --version      | 0 | hourglass          | ''",
        "query --fromat x     | 2 | ''                 | --fromat: unknown option; the nearest known one is --format",
        "query --limit 0      | 2 | ''                 | --limit: 0, want 1 or more, or all",
        "query --target http://127.0.0.1:1 | 1 | ''    | no answer (Connection refused",
        "serve now            | 2 | ''                 | now: not an option",
        "serve --set          | 2 | ''                 | '--set'",
        "serve --set http.prot=1 | 2 | '' | http.prot = 1 (from --set): unknown key; the nearest known one is http.port",
        "serve --set http.host=0.0.0.0 | 2 | '' | http.allow-open = true",
        "serve --config none.conf | 2 | '' | none.conf: no such file",
        "sandbox               | 2 | '' | which servers?",
        "sandbox --cassandra 4 | 2 | '' | want 1 to 3 nodes",
        "load                  | 2 | '' | want a scenario: replay, generate, bench, canary, compare or simulate",
        "load benhc            | 2 | '' | benhc: unknown command; the nearest known one is bench",
        "load bench --evnts=9  | 2 | '' | --evnts: unknown option; the nearest known one is --events",
        "load bench --zzzzzzzz | 2 | '' | --zzzzzzzz: unknown option",
        "load bench --hours=0  | 2 | '' | --hours: 0, want 1 to 100",
        "load bench --hours=x  | 2 | '' | '--hours'",
        "load compare          | 2 | '' | want one of --ring NODES, and a store by --set or --config",
        "load compare --ring=3 --seconds=1 | 0 | hot-type on a simulated ring of 3 nodes | adaptive: 10,000 events",
        "load compare --set store.engien=x | 2 | '' | the nearest known one is store.engine",
      })
  void exitCodesAndStreams(String arguments, int exit, String out, String err) throws Exception {
    String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
    Program.Result result = Program.run(folder, words);
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.out()).startsWith(out);
    assertThat(result.err()).contains(err);
    assertThat(Files.exists(folder.resolve("data"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sevre                 | hourglass",
        "serve --sett a=b      | hourglass serve",
        "sandbox               | hourglass sandbox",
        "load                  | hourglass load",
        "load bench --evnts=9  | hourglass load bench",
        "load bench --hours=0  | hourglass load bench",
        "tail --since x        | hourglass tail",
      })
  void wrongUsageIsTwoLines(String arguments, String command) throws Exception {
    Program.Result result = Program.run(folder, arguments.split(" "));
    assertThat(result.err().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("hourglass: "))
        .last()
        .isEqualTo("hourglass: " + command + " --help says more");
  }

  @Test
  void settingsOfEnvironmentAndWorkingDirectory() throws Exception {
    Files.writeString(folder.resolve("hourglass.conf"), "http.port = 7001, query.fan-out = 3\n");
    Program.Result result =
        Program.run(folder, Map.of("HOURGLASS_HTTP_PORT", "7002"), "serve", "--print-config");
    assertThat(result.out())
        .containsPattern("http.port = 7002 +# from environment HOURGLASS_HTTP_PORT")
        .containsPattern("query.fan-out = 3 +# from hourglass.conf: 1");
  }

  @Test
  void shorthandsAreStrongerThanTheirSettings() throws Exception {
    Program.Result result =
        Program.run(
            folder,
            "serve",
            "--port=7003",
            "--host=::1",
            "--data=[x]",
            "--set=http.port=7001",
            "--print-config");
    assertThat(result.out())
        .containsPattern("http.host = \"::1\" +# from --set")
        .containsPattern("http.port = 7003 +# from --set")
        .containsPattern("store.embedded.dir = \"?\\[x]\"? +# from --set");
  }

  @Test
  void busyPortIsOneClearMessage() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      String port = "http.port=" + busy.getLocalPort();
      Program.Result result = Program.run(folder, "serve", "--set", port);
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err().lines())
          .singleElement()
          .asString()
          .contains("cannot listen on 127.0.0.1:" + busy.getLocalPort(), "in use", "http.port");
    }
  }

  @Test
  void folderInUseIsOneClearMessage() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder)) {
      Program.Result result =
          Program.run(folder, "serve", "--set", "http.port=0", "--set", "store.embedded.dir=data");
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.err().lines()).singleElement().asString().contains("in use by process");
      assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void signalEndsItInOrder() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder)) {
      server.post("/api/v1/events", "application/json", "{\"type\":\"a\"}");
      assertThat(server.terminate()).as(server.log()).isZero();
    }
  }

  @Test
  void demoShowsAnHourAndEnds() throws Exception {
    Program.Result result =
        Program.run(folder, "demo", "--exit", "--set", "http.port=0", "--data", "kept");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("pushed +[0-9.,]+ events")
        .contains("payments is deployed", "type=payment&where=data.ok+==+false")
        .containsPattern("queried +the hour .*: [0-9.,]+ events of all types")
        .matches("(?s)\\Rdashboard http://127.0.0.1:[0-9]+/\\R\\R.*");
    assertThat(folder.resolve("kept")).isNotEmptyDirectory();
  }
}
