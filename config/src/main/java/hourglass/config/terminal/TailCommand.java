package hourglass.config.terminal;

import java.io.IOException;
import java.time.Duration;
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
      description = "Begins with the events from so long ago, as in 5m. Default: now.")
  private @Nullable Duration since;

  @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.OF_EVENTS)
  private @Nullable OutputFormat format;

  TailCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    String from =
        since == null ? null : RangeOptions.ago(since, terminal.clock().instant()).toString();
    follow(server, selection, from, OutputFormat.orDefault(format, terminal));
  }
}
