package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class EraseCommandTest {
  private static final String ID = "8a2f6c10-c5e5-11f0-9d3a-0242ac120002";
  private static final String DRY_RUN =
      CannedServer.whole(
          "",
          "{\"events\":12,\"bytes\":3456,\"first\":\"2026-11-20T08:00:00.0000000Z\","
              + "\"last\":\"2026-11-20T08:10:00.0000000Z\",\"hours\":1,\"space_needed\":70000,"
              + "\"complete\":true,\"missing\":[],\"token\":\"t1\",\"samples\":[{\"id\":\""
              + ID
              + "\",\"time\":\"2026-11-20T08:00:00.0000000Z\",\"type\":\"shop\",\"data\":{\"user\":7}}]}");
  private static final String ERASED =
      CannedServer.whole(
              "",
              "{\"id\":\"" + ID + "\",\"events\":14,\"since_dry_run\":2,\"holds\":[\"backup 1\"]}")
          .replace("200 OK", "202 Accepted");

  private static String state(String state, String more) {
    return CannedServer.whole(
        "", "{\"id\":\"" + ID + "\",\"state\":\"" + state + "\",\"events\":14" + more + "}");
  }

  private static final String[] SELECTION = {
    "erase",
    "--type",
    "shop",
    "--from",
    "2026-11-20T08",
    "--to",
    "2026-11-20T09",
    "--where",
    "data.user == 7"
  };

  /** Runs the command for a person who types something. */
  private static Asked typing(String typed, CannedServer server) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(out, true, Map.of("NO_COLOR", "1"), Clock.fixed(Asked.NOW, ZoneOffset.UTC));
    CommandLine command =
        new CommandLine(new EraseCommand(terminal, new BufferedReader(new StringReader(typed))));
    command.setErr(new PrintWriter(err));
    int exit = command.execute(arguments(server, new String[0]));
    return new Asked(exit, out.toString(StandardCharsets.UTF_8), err.toString());
  }

  private static String[] arguments(CannedServer server, String... more) {
    return Stream.concat(
            Arrays.stream(SELECTION).skip(1),
            Stream.concat(Arrays.stream(more), Stream.of("--target", server.url())))
        .toArray(String[]::new);
  }

  @Test
  void theDryRunIsShownAndTheNumberErases() throws Exception {
    try (CannedServer server = new CannedServer(DRY_RUN, ERASED)) {
      Asked asked = typing("12\n", server);
      assertThat(asked.exit()).as(asked.err()).isZero();
      assertThat(asked.out().lines())
          .containsExactly(
              "2026-11-20T08:00:00.000Z shop user=7",
              "... and 11 more",
              "12 events, 3,456 bytes, from 2026-11-20T08:00:00.0000000Z to"
                  + " 2026-11-20T08:10:00.0000000Z, in 1 hour; their files take up to 70,000 bytes"
                  + " more meanwhile",
              ID
                  + ": erased 14 events, of which 2 came after the dry run; no answer contains them"
                  + " any more");
      assertThat(asked.err())
          .contains("Erase 12 events? Nothing undoes it. Type the number:")
          .contains("still hold the bytes, until you delete them: backup 1");
      assertThat(server.requests()).hasSize(2).allMatch(head -> head.startsWith("POST "));
    }
  }

  @ParameterizedTest
  @CsvSource({"yes", "11", "''"})
  void anythingElseErasesNothing(String typed) throws Exception {
    try (CannedServer server = new CannedServer(DRY_RUN, ERASED)) {
      Asked asked = typing(typed, server);
      assertThat(asked.exit()).isEqualTo(1);
      assertThat(asked.err()).contains("nothing was erased: the number was not typed");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void withoutATerminalItNeedsYes() throws Exception {
    try (CannedServer server = new CannedServer(DRY_RUN, ERASED)) {
      Asked asked = run(server);
      assertThat(asked.exit()).isEqualTo(1);
      assertThat(asked.err()).contains("no terminal to ask; want --yes");
      assertThat(server.requests()).hasSize(1);
    }
  }

  private static Asked run(CannedServer server, String... more) {
    String[] rest = arguments(server, more);
    String[] all = new String[rest.length + 1];
    all[0] = "erase";
    System.arraycopy(rest, 0, all, 1, rest.length);
    return Asked.run(all);
  }

  @Test
  void withWaitItEndsWhenTheBytesAreGone() throws Exception {
    try (CannedServer server =
        new CannedServer(
            DRY_RUN,
            ERASED,
            state("rewriting", ",\"failure\":\"disk full\",\"holds\":[]"),
            state("done", ",\"failure\":null,\"holds\":[\"backup 2\"]"))) {
      Asked asked = run(server, "--yes", "--wait", "--json");
      assertThat(asked.exit()).as(asked.err()).isZero();
      assertThat(asked.out().lines()).hasSize(3).last().asString().contains("\"state\":\"done\"");
      assertThat(asked.err()).contains("still hold the bytes, until you delete them: backup 2");
      assertThat(server.requests().get(3)).startsWith("GET /api/v1/erasures/" + ID + " ");
    }
  }

  @Test
  void missingPartsEraseNothing() throws Exception {
    String lacking =
        CannedServer.whole(
            "",
            "{\"events\":1,\"bytes\":1,\"complete\":false,\"missing\":[\"2026-11-20T08\"],"
                + "\"samples\":[],\"token\":\"t\"}");
    try (CannedServer server = new CannedServer(lacking, ERASED)) {
      Asked asked = run(server, "--yes");
      assertThat(asked.exit()).isEqualTo(1);
      assertThat(asked.err()).contains("nothing was erased", "2026-11-20T08");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--from 2026-11-20T08 --to 2026-11-20T09                          | --where: absent, want exactly one",
        "--where true --id x --from 2026-11-20T08 --to 2026-11-20T09      | --where and --id, want exactly one",
        "--where true --to 2026-11-20T09                                  | --from: absent",
        "--where true --from 2026-11-20T08                                | --to: absent",
        "--where true --icase --from 2026-11-20T08 --to 2026-11-20T09     | --icase: given without --contains",
        "--where true --from soon --to 2026-11-20T09                      | --from: ",
      })
  void wrongUsageIsRefusedBeforeAnyRequest(String arguments, String message) {
    Asked asked = Asked.run(("erase " + arguments).split(" +"));
    assertThat(asked.exit()).isEqualTo(2);
    assertThat(asked.err()).contains(message);
  }
}
