package hourglass.config.backup;

import hourglass.command.CommandTask;
import hourglass.command.FigureText;
import hourglass.command.SafeText;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.disk.Finding;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    description = {
      "Reads every byte of a data directory that no process has open, and changes nothing.",
      "Prints a line for each damage: the file, the place, the remedy, and the events that are lost.",
      "Exit codes: 0 whole, 1 damaged or not readable, 2 wrong usage."
    })
public final class CheckCommand extends CommandTask {
  @Parameters(index = "0", paramLabel = "DIR", description = "the data directory")
  private Path dir;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  CheckCommand() {}

  @Override
  protected boolean execute() {
    try {
      StoreCheck.Result result = StoreCheck.run(dir, this::print);
      out().println(summary(result));
      out().flush();
      return result.damages() == 0;
    } catch (CorruptException | UnavailableException e) {
      say("hourglass: " + SafeText.line(String.valueOf(e.getMessage())));
      return false;
    }
  }

  private void print(Finding finding) {
    out().println(SafeText.line(finding.text()));
    out().flush();
  }

  private String summary(StoreCheck.Result result) {
    return result.damages() == 0
        ? "%s: whole, %s events in pages".formatted(dir, FigureText.count(result.events()))
        : "%s: damaged, %s findings".formatted(dir, FigureText.count(result.damages()));
  }
}
