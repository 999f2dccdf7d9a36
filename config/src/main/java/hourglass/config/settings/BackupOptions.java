package hourglass.config.settings;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings of backups.
 *
 * @param dirs the folders below which backups may be made; if there are none, no backup is made
 * @param bytesPerSecond the most bytes that a backup copies in a second; 0 for no limit
 */
public record BackupOptions(List<Path> dirs, long bytesPerSecond) {
  public BackupOptions {
    dirs = List.copyOf(dirs);
  }
}
