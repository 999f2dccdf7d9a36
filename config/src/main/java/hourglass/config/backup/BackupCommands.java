package hourglass.config.backup;

import java.time.Clock;
import java.util.List;
import picocli.CommandLine;

/** The commands below {@code hourglass backup}, which read the folder of a backup themselves. */
public final class BackupCommands {
  private BackupCommands() {}

  /** Adds the commands if there is a command {@code backup}, and returns the same command line. */
  public static CommandLine addTo(CommandLine hourglass) {
    CommandLine backup = hourglass.getSubcommands().get("backup");
    if (backup != null) {
      List.of(
              new ListBackupsCommand(),
              new VerifyBackupCommand(),
              new PruneBackupsCommand(Clock.systemUTC()))
          .forEach(each -> backup.addSubcommand(new CommandLine(each)));
    }
    return hourglass;
  }
}
