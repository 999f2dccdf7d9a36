package hourglass.config.backup;

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
    return verify(dir);
  }
}
