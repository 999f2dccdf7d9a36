package hourglass.config.backup;

import hourglass.command.CommandTask;
import hourglass.command.SafeText;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Finding;

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

  final void print(Finding finding) {
    print(SafeText.line(finding.text()));
  }

  final void print(String line) {
    out().println(line);
    out().flush();
  }
}
