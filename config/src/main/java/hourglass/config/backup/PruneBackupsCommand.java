package hourglass.config.backup;

import hourglass.command.FigureText;
import hourglass.command.Range;
import hourglass.store.embedded.backup.Prune;
import hourglass.store.embedded.disk.SystemDisk;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "prune",
    description = {
      "Deletes the points of a backup that are older than --keep, but never the newest whole one, and"
          + " the files that no point lists.",
      "Exit codes: 0 done, 1 failed, 2 wrong usage."
    })
final class PruneBackupsCommand extends FolderTask {
  private final Clock clock;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "the folder that backups are made to")
  private Path dir;

  @Option(names = "--keep", description = "the age up to which points stay. Default: 30d")
  @Range("0s to 36500d")
  private Duration keep = Duration.ofDays(30);

  @SuppressWarnings("NullAway.Init") // picocli fills it
  PruneBackupsCommand(Clock clock) {
    this.clock = clock;
  }

  @Override
  boolean read() {
    Prune.Result result = Prune.run(dir, clock.instant().minus(keep), new SystemDisk());
    result.points().forEach(id -> print("deleted " + id));
    print(
        "%s: %s points left, %s files with %s bytes deleted"
            .formatted(
                dir,
                FigureText.count(result.left()),
                FigureText.count(result.files()),
                FigureText.count(result.bytes())));
    return true;
  }
}
