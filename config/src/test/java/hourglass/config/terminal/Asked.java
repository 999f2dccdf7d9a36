package hourglass.config.terminal;

import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import picocli.CommandLine;

/** The exit code and output of a command. */
record Asked(int exit, String out, String err) {
  static final Instant NOW = Instant.parse("2026-11-20T08:15:30Z");

  /** Runs a command without a terminal. */
  static Asked run(String... arguments) {
    return run(Map.of(), arguments);
  }

  static Asked run(Map<String, String> environment, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(out, false, environment, Clock.fixed(NOW, ZoneOffset.UTC));
    CommandLine hourglass = terminal.commandLine(arguments[0]);
    hourglass.getSubcommands().get(arguments[0]).setErr(new PrintWriter(err));
    hourglass.setParameterExceptionHandler(
        (wrong, all) -> {
          err.append(wrong.getMessage()).append('\n');
          return CommandLine.ExitCode.USAGE;
        });
    int exit = hourglass.execute(arguments);
    return new Asked(exit, out.toString(StandardCharsets.UTF_8), err.toString());
  }

  /** Runs a command against a server that gives one answer. */
  static Asked with(String answer, String... arguments) throws Exception {
    try (CannedServer server = new CannedServer(answer)) {
      String[] all = Arrays.copyOf(arguments, arguments.length + 2);
      all[arguments.length] = "--target";
      all[arguments.length + 1] = server.url();
      return run(all);
    }
  }
}
