package hourglass.load.importing;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The exit code and output of an import. */
record ImportRun(int exit, String out, String err) {
  /** Two events with a time. */
  static final String TIMED =
      """
      {"type":"a","time":"2026-11-20T08:00:00Z","n":1}
      {"type":"a","time":"2026-11-20T09:00:00Z","n":2}
      """;

  /** Returns the lines of the output with one space between words. */
  List<String> lines() {
    return out.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
  }

  static ImportRun run(InputStream stdin, FakeIntake server, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[arguments.length + 1];
    all[0] = "import";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    ImportCommand command = new ImportCommand(stdin);
    command.environment = Map.of("HOURGLASS_TARGET", server.url());
    int exit =
        new CommandLine(CommandSpec.create().name("hourglass"))
            .addSubcommand(new CommandLine(command))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all);
    return new ImportRun(exit, out.toString(), err.toString());
  }

  static ImportRun run(FakeIntake server, String... arguments) {
    return run(InputStream.nullInputStream(), server, arguments);
  }

  static ImportRun pipe(FakeIntake server, String text, String... options) {
    String[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = "-";
    return run(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), server, all);
  }
}
