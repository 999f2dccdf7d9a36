package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Tier;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as people and scripts meet it: exit codes, streams, signals. */
@Tag(Tier.IN_FIRST)
class CommandLineIT {
  @TempDir Path folder;

  /** {@code UsageTest} has more wrong usages, in one process. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // arguments          | exit | stdout begins | stderr contains
        "version              | 0 | hourglass          | ''",
        "serve now            | 2 | ''                 | now: not an option",
        "query --target http://127.0.0.1:1 | 1 | ''    | no answer (Connection refused",
        "serve --set http.host=0.0.0.0 | 2 | '' | http.allow-open = true",
      })
  void commandsEndWithTheirExitCodesAndStreams(String arguments, int exit, String out, String err)
      throws Exception {
    Program.Result result = Program.run(folder, arguments.split(" "));
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.out()).startsWith(out);
    assertThat(result.err()).contains(err);
    assertThat(Files.exists(folder.resolve("data"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serve --print-config | 0 | roles = [ingest    | ''",
        "demo --port x        | 2 | ''                 | http.port = x",
        "query --version      | 0 | hourglass          | ''",
        "query --limit 0      | 2 | ''                 | --limit: 0, want 1 or more, or all",
        "serve --set http.prot=1 | 2 | '' | http.prot = 1 (from --set): unknown key; the nearest known one is http.port",
        "serve --config none.conf | 2 | '' | none.conf: no such file",
        "load compare --set store.engien=x | 2 | '' | the nearest known one is store.engine",
        "load compare --ring=3 --seconds=1 | 0 | hot-type on a simulated ring of 3 nodes | adaptive: 10,000 events",
      })
  @Tag(Tier.IN_FULL)
  void moreCommandsEndWithTheirExitCodesAndStreams(
      String arguments, int exit, String out, String err) throws Exception {
    commandsEndWithTheirExitCodesAndStreams(arguments, exit, out, err);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void wrongUsagePrintsTwoLines() throws Exception {
    assertThat(Program.run(folder, "sevre").err().lines())
        .containsExactly(
            "hourglass: sevre: unknown command; the nearest known one is serve",
            "hourglass: hourglass --help says more");
  }

  @Test
  void settingsAreReadFromTheEnvironmentAndTheFolder() throws Exception {
    Files.writeString(folder.resolve("hourglass.conf"), "http.port = 7001, query.max-rows = 3\n");
    Program.Result result =
        Program.run(folder, Map.of("HOURGLASS_HTTP_PORT", "7002"), "serve", "--print-config");
    assertThat(result.out())
        .containsPattern("http.port = 7002 +# from environment HOURGLASS_HTTP_PORT")
        .containsPattern("query.max-rows = 3 +# from hourglass.conf: 1");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void shorthandsOverrideTheirSettings() throws Exception {
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
  void aBusyPortPrintsOneMessage() throws Exception {
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
  @Tag(Tier.IN_FULL)
  void aFolderInUsePrintsOneMessage() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder)) {
      Program.Result result =
          Program.run(folder, "serve", "--set", "http.port=0", "--set", "store.embedded.dir=data");
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.err().lines()).singleElement().asString().contains("in use by process");
      assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aSignalStopsTheServerInOrder() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder)) {
      server.post("/api/v1/events", "application/json", "{\"type\":\"a\"}");
      assertThat(server.terminate()).as(server.log()).isZero();
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void demoShowsAnHourAndEnds() throws Exception {
    Program.Result result =
        Program.run(folder, "demo", "--exit", "--set", "http.port=0", "--data", "kept");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("pushed +[0-9.,]+ events")
        .contains("payments is deployed", "type=payment&q=ok:false")
        .containsPattern("queried +the hour .*: [0-9.,]+ events of all types")
        .matches("(?s)\\Rdashboard http://127.0.0.1:[0-9]+/\\R\\R.*");
    assertThat(folder.resolve("kept")).isNotEmptyDirectory();
  }
}
