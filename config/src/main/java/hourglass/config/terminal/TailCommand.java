package hourglass.config.terminal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tail",
    description = {
      "Prints events as they arrive, until Ctrl-C.",
      "After a broken connection it continues where it was. Exit code 1 if events were missed."
    })
final class TailCommand extends Question {
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(
      names = "--since",
      paramLabel = "AGO|TIME",
      description =
          "Begins with the events from so long ago, as in 5m, or from a time or day. Default: now.")
  private @Nullable String since;

  @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.OF_EVENTS)
  private @Nullable OutputFormat format;

  TailCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    String from = since == null ? null : RangeOptions.since(since, terminal.clock().instant());
    follow(server, selection, from, OutputFormat.orDefault(format, terminal));
  }
}
