package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.command.SafeText;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "backup",
    description = {
      "Makes a point of all that a running server has acknowledged, in a folder of its machine below"
          + " one of backup.dirs. Copies the files that no earlier point has, and prints the id.",
      "Exit codes: 0 whole, 1 failed or not whole, 2 wrong usage."
    })
final class BackupCommand extends Question {
  private static final String PATH = "/api/v1/backups";
  private static final long LOOK_MILLIS = 500;

  /** The most failed looks in a row, about a minute with the time that each takes. */
  private static final int AWAY_MAX = 30;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "the folder, on the machine of the server; required to make a point")
  private @Nullable Path to;

  @Option(
      names = "--link",
      description =
          "link page files in place of copies, if the folder is on the disk of the store. A link is"
              + " no copy: damage hits both, and the space of dropped hours stays taken")
  private boolean link;

  /** The last answer, for the line of progress. */
  private volatile JsonTree shown = JsonTree.orEmpty("");

  BackupCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    if (to == null) {
      throw wrongUsage("--to: absent, want a folder on the machine of the server");
    }
    JsonObject request =
        new JsonObject().put("to", to.toAbsolutePath().toString()).put("link", link);
    JsonTree now = read(server.post(PATH, request.encode()));
    String id = now.text("id");
    shown = now;
    try (var watch = ProgressLine.on(err()).watch(() -> progress(shown))) {
      while (isRunning(now)) {
        Thread.sleep(LOOK_MILLIS);
        now = look(server, id);
        shown = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AskException("interrupted; the server goes on with point " + id);
    }
    finish(now);
  }

  private static boolean isRunning(JsonTree backup) {
    return List.of("flushing", "copying", "reading").contains(backup.text("state"));
  }

  private static JsonTree look(Server server, String id)
      throws IOException, AskException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        JsonTree all = read(server.get(PATH, new UrlQuery(), null, Server.ANSWER_MILLIS));
        return all.objects("backups").stream()
            .filter(each -> each.text("id").equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new AskException(
                        "point %s: the server was restarted meanwhile; the next backup continues it"
                            .formatted(id)));
      } catch (Server.Away e) {
        if (tries == AWAY_MAX) {
          throw e;
        }
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  private static JsonTree read(Answer answer) throws IOException {
    try (answer) {
      return JsonTree.read(answer.body().readAllBytes());
    }
  }

  private static String progress(JsonTree backup) {
    return switch (backup.text("state")) {
      case "flushing" -> "writing pages of what is in the log only";
      case "copying" ->
          "copied %s of %s bytes"
              .formatted(
                  FigureText.count(backup.number("bytes_copied")),
                  FigureText.count(backup.number("bytes_new")));
      default -> "read %s rows".formatted(FigureText.count(backup.number("rows")));
    };
  }

  private void finish(JsonTree backup) throws IOException, AskException {
    String id = SafeText.line(backup.text("id"));
    if (!backup.text("state").equals("done")) {
      throw new AskException("point %s failed: %s".formatted(id, backup.text("error")));
    }
    terminal.out().write((id + "\n").getBytes(StandardCharsets.UTF_8));
    if (backup.isTrue("link")) {
      say(
          "new page files are links, no copies: damage to one is damage to both, and the space of"
              + " dropped hours stays taken");
    }
    long missing = backup.number("files_missing");
    long damaged = backup.number("rows_damaged");
    if (missing > 0 || damaged > 0) {
      throw new AskException(
          ("point %s is not whole: the store itself misses %s files and cannot read %s rows; its log"
                  + " names them, and so does hourglass check once it is stopped")
              .formatted(id, FigureText.count(missing), FigureText.count(damaged)));
    }
  }
}
