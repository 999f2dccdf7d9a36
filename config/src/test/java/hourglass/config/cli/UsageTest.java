package hourglass.config.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers that no setting changes. {@code CommandLineIT} has those of the program as a process. */
@Isolated("it replaces the streams of the process")
class UsageTest {
  private record Result(int exit, String out, String err) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // arguments          | exit | stdout begins | stderr contains
        "--version            | 0 | hourglass          | ''",
        "help                 | 0 | Usage: hourglass   | ''",
        "help serve           | 0 | Usage: hourglass serve | ''",
        "''                   | 2 | ''                 | which command?",
        "serve --sett a=b     | 2 | ''                 | --sett: unknown option; the nearest known one is --set",
        "serve --http.port=1  | 2 | ''                 | --http.port: unknown option; --set KEY=VALUE gives any setting",
        "completion           | 0 | #!/usr/bin/env bash | ''",
        "import               | 2 | ''                 | FILE",
        "import --help        | 0 | Usage: hourglass import | ''",
        "help query           | 0 | Usage: hourglass query | ''",
        "drop                 | 2 | ''                 | --hour",
        "drop --hour 2026-11-20T8 | 2 | ''             | --hour: \"2026-11-20T8\" is not an hour such as 2026-11-20T08",
        "query --fromat x     | 2 | ''                 | --fromat: unknown option; the nearest known one is --format",
        "serve --set          | 2 | ''                 | '--set'",
        "sandbox               | 2 | '' | which servers?",
        "sandbox --cassandra 4 | 2 | '' | want 1 to 3 nodes",
        "check                 | 2 | '' | DIR",
        "check /nowhere        | 1 | '' | /nowhere: no data directory",
        "load                  | 2 | '' | want a scenario: replay, generate, bench, canary, compare or simulate",
        "load benhc            | 2 | '' | benhc: unknown command; the nearest known one is bench",
        "load bench --evnts=9  | 2 | '' | --evnts: unknown option; the nearest known one is --events",
        "load bench --zzzzzzzz | 2 | '' | --zzzzzzzz: unknown option",
        "load bench --hours=0  | 2 | '' | --hours: 0, want 1 to 100",
        "load bench --hours=x  | 2 | '' | '--hours'",
        "load compare          | 2 | '' | want one of --ring NODES, and a store by --set or --config",
      })
  void helpAndWrongUsageHaveTheirExitCodes(String arguments, int exit, String out, String err) {
    Result result = run(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(result.exit).as(result.err).isEqualTo(exit);
    assertThat(result.out).startsWith(out);
    assertThat(result.err).contains(err);
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
  void wrongUsagePrintsTwoLines(String arguments, String command) {
    assertThat(run(arguments.split(" ")).err.lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("hourglass: "))
        .last()
        .isEqualTo("hourglass: " + command + " --help says more");
  }

  private static Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream systemOut = System.out;
    PrintStream systemErr = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int exit = Main.run(arguments);
      return new Result(
          exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(systemOut);
      System.setErr(systemErr);
    }
  }
}
