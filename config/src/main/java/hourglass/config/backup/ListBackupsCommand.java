package hourglass.config.backup;

import hourglass.command.FigureText;
import hourglass.command.Table;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupCheck.Summary;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = {
      "Lists the points of a backup, the oldest first. Points share files, so their bytes do not add"
          + " up.",
      "Exit codes: 0 all lists can be read, 1 one cannot or there is no backup, 2 wrong usage."
    })
final class ListBackupsCommand extends FolderTask {
  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "the folder that backups are made to")
  private Path dir;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  ListBackupsCommand() {}

  @Override
  boolean read() {
    List<Summary> points = BackupCheck.list(dir);
    Table table =
        new Table(List.of("point", "made"), List.of("files", "bytes", "rows", "events"), "");
    points.forEach(point -> table.add(row(point)));
    out().print(table.text());
    out().flush();
    return points.stream().allMatch(point -> point.problem() == null);
  }

  private static List<String> row(Summary point) {
    String made = point.time() == null ? "" : point.time().truncatedTo(ChronoUnit.SECONDS) + "";
    return List.of(
        point.id(),
        made,
        FigureText.count(point.files()),
        FigureText.count(point.bytes()),
        FigureText.count(point.rows()),
        FigureText.count(point.events()),
        point.problem() == null ? state(point) : point.problem());
  }

  private static String state(Summary point) {
    if (!point.losses().isNone()) {
      return "not whole: it lacks " + lost(point.losses());
    }
    return point.isWhole() ? "" : "not whole: hourglass backup verify says what is missing";
  }
}
