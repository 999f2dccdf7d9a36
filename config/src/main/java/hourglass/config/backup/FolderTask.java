package hourglass.config.backup;

import hourglass.command.CommandTask;
import hourglass.command.FigureText;
import hourglass.command.SafeText;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.Losses;
import hourglass.store.embedded.disk.Finding;
import java.nio.file.Path;

/** The base of the commands that read folders: findings on stdout, a refusal on stderr. */
abstract class FolderTask extends CommandTask {

  /**
   * Reads the folders, and returns whether all is whole.
   *
   * @throws CorruptException if a folder is not what the command needs
   * @throws UnavailableException if a file cannot be read or written
   */
  abstract boolean read();

  @Override
  protected final boolean execute() {
    try {
      return read();
    } catch (CorruptException | UnavailableException e) {
      say("hourglass: " + SafeText.line(String.valueOf(e.getMessage())));
      return false;
    }
  }

  /** Verifies a backup, prints the outcome, and returns whether it is whole. */
  final boolean verify(Path backup) {
    BackupCheck.Result result = BackupCheck.verify(backup, this::print);
    result
        .losses()
        .forEach((id, losses) -> print("point %s: lacks %s".formatted(id, lost(losses))));
    boolean isWhole = result.damages() == 0;
    print(
        isWhole
            ? "%s: whole, %s points of %s files with %s bytes"
                .formatted(
                    backup,
                    FigureText.count(result.points()),
                    FigureText.count(result.files()),
                    FigureText.count(result.bytes()))
            : "%s: damaged, %s findings".formatted(backup, FigureText.count(result.damages())));
    return isWhole;
  }

  /** Returns the pages that a point lacks, in words. */
  static String lost(Losses losses) {
    return "%s pages with %s events that a repair of the store took out of use"
        .formatted(FigureText.count(losses.pages()), FigureText.count(losses.events()));
  }

  final void print(Finding finding) {
    print(SafeText.line(finding.text()));
  }

  final void print(String line) {
    out().println(line);
    out().flush();
  }
}
