package hourglass.config.backup;

import hourglass.command.FigureText;
import hourglass.store.embedded.backup.BackupCheck;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "verify",
    description = {
      "Reads every byte of all points of a backup, and compares it with their checksums.",
      "Prints a line for each damage. Exit codes: 0 whole, 1 damaged or not readable, 2 wrong usage."
    })
final class VerifyBackupCommand extends FolderTask {
  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "the folder that backups are made to")
  private Path dir;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  VerifyBackupCommand() {}

  @Override
  boolean read() {
    BackupCheck.Result result = BackupCheck.verify(dir, this::print);
    boolean isWhole = result.damages() == 0;
    print(
        isWhole
            ? "%s: whole, %s points of %s files with %s bytes"
                .formatted(
                    dir,
                    FigureText.count(result.points()),
                    FigureText.count(result.files()),
                    FigureText.count(result.bytes()))
            : "%s: damaged, %s findings".formatted(dir, FigureText.count(result.damages())));
    return isWhole;
  }
}
