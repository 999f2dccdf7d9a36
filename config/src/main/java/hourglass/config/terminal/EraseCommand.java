package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.command.SafeText;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "erase",
    description = {
      "Erases single events, or members of them, after a look at what would be erased. No answer"
          + " contains them any more once it ends; with --wait, no file of the server does.",
      "Exit codes: 0 erased, 1 failed or not confirmed, 2 wrong usage."
    })
final class EraseCommand extends Question {
  private static final String PATH = "/api/v1/erasures";
  private static final long LOOK_MILLIS = 500;

  /** The most failed looks in a row, about a minute with the time that each takes. */
  private static final int AWAY_MAX = 30;

  @Mixin private EraseOptions options = new EraseOptions();

  @Option(
      names = "--yes",
      description = "Does not ask whether to erase. Required where no person reads the output.")
  private boolean isConfirmed;

  @Option(names = "--wait", description = "Waits until no file of the server has their bytes.")
  private boolean waits;

  @Option(
      names = "--json",
      description = "Prints the answers of the server, each in a line: dry run, erasure, state.")
  private boolean isJson;

  private final BufferedReader in;

  /** The state of the erasure, for the line of progress. */
  private volatile String shown = "";

  /**
   * Creates a command.
   *
   * @param in contains what the person types
   */
  EraseCommand(Terminal terminal, BufferedReader in) {
    super(terminal);
    this.in = in;
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    JsonObject dryRun =
        read(server.post(PATH, options.selection(terminal.clock().instant()).encode()));
    show(dryRun, text(dryRun));
    if (!Boolean.TRUE.equals(dryRun.getBoolean("complete"))) {
      throw new AskException(
          "nothing was erased, since events may be in parts that are missing: "
              + joined(dryRun.getJsonArray("missing")));
    }
    long events = dryRun.getLong("events", 0L);
    if (events == 0) {
      return;
    }
    confirm(events);
    erase(server, dryRun.getString("token"));
  }

  private String text(JsonObject dryRun) throws IOException {
    long events = dryRun.getLong("events", 0L);
    if (events == 0) {
      return "no event matches; nothing to erase\n";
    }
    EventLine line = new EventLine(terminal.colours());
    StringBuilder text = new StringBuilder();
    JsonArray samples = dryRun.getJsonArray("samples", new JsonArray());
    for (int i = 0; i < samples.size(); i++) {
      text.append(line.of(samples.getJsonObject(i).encode())).append('\n');
    }
    if (events > samples.size()) {
      text.append("... and ").append(FigureText.count(events - samples.size())).append(" more\n");
    }
    return text.append(
            "%s events, %s bytes, from %s to %s, %s; their files take up to %s bytes more meanwhile\n"
                .formatted(
                    FigureText.count(events),
                    FigureText.count(dryRun.getLong("bytes", 0L)),
                    SafeText.line(String.valueOf(dryRun.getString("first"))),
                    SafeText.line(String.valueOf(dryRun.getString("last"))),
                    inHours(dryRun.getLong("hours", 0L)),
                    FigureText.count(dryRun.getLong("space_needed", 0L))))
        .toString();
  }

  private static String inHours(long hours) {
    return hours == 1 ? "in 1 hour" : "in " + FigureText.count(hours) + " hours";
  }

  private void confirm(long events) throws IOException, AskException {
    if (isConfirmed) {
      return;
    }
    if (!terminal.isInteractive()) {
      throw new AskException("nothing was erased: no terminal to ask; want --yes");
    }
    String what = options.fields.isEmpty() ? "" : String.join(", ", options.fields) + " of ";
    say("Erase %s%d events? Nothing undoes it. Type the number:".formatted(what, events));
    String typed = in.readLine();
    if (typed == null || !typed.strip().replace(",", "").equals(Long.toString(events))) {
      throw new AskException("nothing was erased: the number was not typed");
    }
  }

  private void erase(Server server, String token) throws IOException, AskException {
    JsonObject erased;
    try {
      erased = read(server.post(PATH, new JsonObject().put("token", token).encode()));
    } catch (Server.Away e) {
      throw new AskException(
          "%s; the erasure may have begun, which GET %s lists".formatted(e.getMessage(), PATH));
    }
    String id = erased.getString("id");
    if (id == null) {
      show(erased, "no event matches any more; nothing was erased\n");
      return;
    }
    long since = erased.getLong("since_dry_run", 0L);
    show(
        erased,
        "%s: erased %s events%s; no answer contains them any more\n"
            .formatted(
                SafeText.line(id),
                FigureText.count(erased.getLong("events", 0L)),
                since == 0
                    ? ""
                    : ", of which " + FigureText.count(since) + " came after the dry run"));
    if (!waits) {
      hold(erased);
      return;
    }
    awaitDone(server, id);
  }

  private void awaitDone(Server server, String id) throws IOException, AskException {
    JsonObject now;
    try (var watch = ProgressLine.on(err()).watch(() -> shown)) {
      now = look(server, id);
      while (!"done".equals(now.getString("state"))) {
        String failure = now.getString("failure");
        shown =
            "removing the bytes of %s"
                .formatted(
                    failure == null ? id : id + "; to be repeated: " + SafeText.line(failure));
        Thread.sleep(LOOK_MILLIS);
        now = look(server, id);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AskException("interrupted; the server goes on with erasure " + id);
    }
    show(now, "%s: done; no file of the server has their bytes\n".formatted(SafeText.line(id)));
    hold(now);
  }

  private static JsonObject look(Server server, String id)
      throws IOException, AskException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return read(server.get(PATH + "/" + id, new UrlQuery(), null, Server.ANSWER_MILLIS));
      } catch (Server.Away e) {
        if (tries == AWAY_MAX) {
          throw e;
        }
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  /** Says what still has the bytes and is not removed by the server. */
  private void hold(JsonObject erased) {
    JsonArray holds = erased.getJsonArray("holds", new JsonArray());
    if (!holds.isEmpty()) {
      say("still hold the bytes, until you delete them: " + joined(holds));
    }
  }

  private static String joined(JsonArray texts) {
    return SafeText.line(String.join(", ", texts.stream().map(Object::toString).toList()));
  }

  private static JsonObject read(Answer answer) throws IOException {
    try (answer) {
      return new JsonObject(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
    } catch (DecodeException e) {
      throw new BrokenAnswerException("the answer is not JSON: " + e.getMessage());
    }
  }

  private void show(JsonObject answer, String text) throws IOException {
    String shownText = isJson ? answer.encode() + "\n" : text;
    terminal.out().write(shownText.getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
  }
}
