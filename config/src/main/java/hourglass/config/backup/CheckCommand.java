package hourglass.config.backup;

import hourglass.command.FigureText;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.StoreCheck;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    description = {
      "Reads every byte of a data directory that no process has open, or of a backup, and changes"
          + " nothing.",
      "Prints a line for each damage: the file, the place, the remedy, and the events that are lost.",
      "Exit codes: 0 whole, 1 damaged or not readable, 2 wrong usage."
    })
public final class CheckCommand extends FolderTask {
  @Parameters(index = "0", paramLabel = "DIR", description = "the data directory or the backup")
  private Path dir;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  CheckCommand() {}

  @Override
  boolean read() {
    if (BackupCheck.isBackup(dir)) {
      return verify(dir);
    }
    StoreCheck.Result result = StoreCheck.run(dir, this::print);
    boolean isWhole = result.damages() == 0;
    print(
        isWhole
            ? "%s: whole, %s events in pages".formatted(dir, FigureText.count(result.events()))
            : "%s: damaged, %s findings".formatted(dir, FigureText.count(result.damages())));
    return isWhole;
  }
}
