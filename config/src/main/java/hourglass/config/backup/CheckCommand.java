package hourglass.config.backup;

import hourglass.command.FigureText;
import hourglass.command.WrongOptionException;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.backup.StoreRepair;
import hourglass.store.embedded.disk.SystemDisk;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    description = {
      "Reads every byte of a data directory that no process has open, or of a backup, and changes"
          + " nothing unless --repair is given.",
      "Prints a line for each damage: the file, the place, the remedy, and the events that are lost.",
      "Exit codes: 0 whole, 1 damaged or not readable, 2 wrong usage."
    })
public final class CheckCommand extends FolderTask {
  @Parameters(index = "0", paramLabel = "DIR", description = "the data directory or the backup")
  private Path dir;

  @Option(
      names = "--repair",
      description =
          "first take damaged pages of a data directory out of use: good pages of their files are"
              + " copied to new ones, and answers that lack the others are not complete from then on."
              + " Back up the folder before, or restore the file from a backup instead")
  private boolean isRepairing;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  CheckCommand() {}

  @Override
  boolean read() {
    if (BackupCheck.isBackup(dir)) {
      if (isRepairing) {
        throw new WrongOptionException(
            "--repair: %s is a backup; delete a damaged file there, and make another backup"
                .formatted(dir));
      }
      return verify(dir);
    }
    if (isRepairing) {
      repair();
    }
    StoreCheck.Result result = StoreCheck.run(dir, this::print);
    boolean isWhole = result.damages() == 0;
    print(
        isWhole
            ? "%s: whole, %s events in pages%s"
                .formatted(
                    dir,
                    FigureText.count(result.events()),
                    result.lost() == 0
                        ? ""
                        : ", and %s that a repair took out of use"
                            .formatted(FigureText.count(result.lost())))
            : "%s: damaged, %s findings".formatted(dir, FigureText.count(result.damages())));
    return isWhole;
  }

  private void repair() {
    StoreRepair.Result result = StoreRepair.run(dir, new SystemDisk(), this::print);
    print(
        "%s: %s page files written anew, without %s events"
            .formatted(dir, FigureText.count(result.files()), FigureText.count(result.events())));
  }
}
