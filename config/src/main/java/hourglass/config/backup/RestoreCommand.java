package hourglass.config.backup;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.command.WrongOptionException;
import hourglass.store.embedded.backup.Restore;
import hourglass.store.embedded.disk.SystemDisk;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "restore",
    description = {
      "Makes a data directory from a point of a backup, and compares each row in it with the digest"
          + " that the point has.",
      "Prints a line for each loss. Exit codes: 0 all is there, 1 something is missing, 2 wrong usage."
    })
public final class RestoreCommand extends FolderTask {
  private static final String BETWEEN = "..";

  @Option(
      names = "--from",
      paramLabel = "DIR",
      required = true,
      description = "the folder that backups are made to")
  private Path from;

  @Option(
      names = "--point",
      paramLabel = "ID",
      description = "the point, as backup list names it. Default: the newest")
  private @Nullable String point;

  @Option(
      names = "--hours",
      paramLabel = "A..B",
      description =
          "only these hours, both included, such as 2026-11-20T08..2026-11-20T12; one of them may be"
              + " left out")
  private @Nullable String hours;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "the data directory to make: an empty folder, or none")
  private Path data;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  RestoreCommand() {}

  @Override
  boolean read() {
    Hour first = hour(0);
    Hour last = hour(1);
    if (first != null && last != null && first.compareTo(last) > 0) {
      throw new WrongOptionException("--hours: " + hours + ", want the earlier hour first");
    }
    Restore.Result result =
        Restore.run(
            new Restore.Options(from, point, first, last, data), new SystemDisk(), this::print);
    String there =
        "%s rows with %s events of point %s"
            .formatted(
                FigureText.count(result.rows()), FigureText.count(result.events()), result.point());
    if (!result.losses().isNone()) {
      print("point %s: lacks %s".formatted(result.point(), lost(result.losses())));
    }
    boolean isWhole = result.damages() == 0;
    print(
        isWhole
            ? "%s: restored and verified, %s".formatted(data, there)
            : "%s: not whole, %s findings; verified are %s"
                .formatted(data, FigureText.count(result.damages()), there));
    return isWhole;
  }

  /** Returns one end of the range; null if it is open. */
  private @Nullable Hour hour(int end) {
    if (hours == null) {
      return null;
    }
    String[] ends = hours.split("\\.\\.", -1);
    try {
      if (ends.length == 2 && !hours.equals(BETWEEN)) {
        return ends[end].isEmpty() ? null : Hour.parse(ends[end]);
      }
    } catch (IllegalArgumentException e) {
      throw new WrongOptionException("--hours: " + e.getMessage());
    }
    throw new WrongOptionException(
        "--hours: " + hours + ", want two hours such as 2026-11-20T08..2026-11-20T12");
  }
}
