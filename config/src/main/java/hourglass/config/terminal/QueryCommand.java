package hourglass.config.terminal;

import hourglass.command.SafeText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "query",
    description = {
      "Prints the events of a range, the oldest first.",
      "Exit code 1 if the answer is not complete."
    })
final class QueryCommand extends Question {
  private static final Pattern LIMIT = Pattern.compile("all|[1-9][0-9]{0,9}");
  private static final Pattern ID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final String LIMIT_DEFAULT = "1000";
  private static final String LIMIT_AROUND = "20";

  @Mixin private RangeOptions range = new RangeOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The event with this id, whenever it was; --type makes the search short.")
  private @Nullable String id;

  @Option(
      names = "--around",
      paramLabel = "ID",
      description =
          "The event with this id and those before and after it, of any time unless a range is given.")
  private @Nullable String around;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N|all",
      description = "At most so many events. Default: 1000, and 20 with --around.")
  private @Nullable String limit;

  @Option(names = "--desc", description = "The newest first.")
  private boolean isDescending;

  @Option(
      names = "--follow",
      description = "Then prints events as they arrive, until Ctrl-C; see tail.")
  private boolean follows;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "${COMPLETION-CANDIDATES}. Default: text on a terminal, a line for each event; else"
              + " ndjson.")
  private @Nullable OutputFormat format;

  private boolean isEmpty;

  QueryCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    OutputFormat wanted = OutputFormat.orDefault(format, terminal);
    if (id != null) {
      askById(server, checked("--id", id), wanted);
      return;
    }
    Instant now = terminal.clock().instant();
    RangeOptions.Bounds bounds = range.bounds(now);
    if (follows) {
      boolean hasEnd = range.hasEnd() || limit != null || around != null || isDescending;
      refuse(hasEnd ? "--follow: not with --hour, --to, --limit, --around or --desc" : "");
      follow(server, selection, bounds.from(), wanted);
      return;
    }
    UrlQuery parameters = new UrlQuery();
    boolean hasTime = around != null || selection.isId();
    if (!hasTime || range.isGiven()) {
      bounds.addTo(parameters);
    }
    selection.addTo(parameters);
    parameters.add("around", around == null ? null : checked("--around", around));
    parameters.add("order", isDescending ? "desc" : null);
    parameters.add("limit", checkedLimit()).add("format", wanted.ofServer());
    try (Answer answer = server.get("/api/v1/events", parameters, null, Server.ANSWER_MILLIS)) {
      if (print(answer, wanted) && around == null) {
        say("more: --limit all");
      }
    }
    if (isEmpty && selection.isId()) {
      say("no event has this id" + (range.isGiven() ? " in the range" : ""));
    }
    if (isEmpty && !hasTime && !selection.hasOnlyTypes()) {
      sayHowManyOfADay(server, now);
    }
  }

  /**
   * Helps a person who asked for too short a range by counting the events of a day. Prints nothing
   * if the count is unknown.
   */
  private void sayHowManyOfADay(Server server, Instant now) throws IOException {
    UrlQuery parameters = new UrlQuery();
    selection.addTo(parameters);
    parameters.add("from", now.minus(Duration.ofDays(1))).add("to", now).add("step", "1d");
    try (Answer answer = server.get("/api/v1/hits", parameters, null, Server.ANSWER_MILLIS)) {
      long day = JsonTree.read(answer.body().readAllBytes()).number("total");
      say(day == 0 ? "none, nor in the last 24 hours" : "none; --since 24h finds " + day);
    } catch (AskException | BrokenAnswerException | Server.Away e) {
      return; // the answer itself was complete
    }
  }

  private void askById(Server server, String checkedId, OutputFormat wanted)
      throws IOException, AskException {
    boolean isAlone =
        !range.isGiven() && around == null && limit == null && !isDescending && !follows;
    refuse(isAlone && selection.hasOnlyTypes() ? "" : "--id: only with --type and --format");
    refuse(wanted == OutputFormat.csv ? "--format: csv, want text, ndjson, raw or json" : "");
    UrlQuery parameters = new UrlQuery();
    selection.addTo(parameters);
    String path = "/api/v1/events/" + checkedId;
    try (Answer answer = server.get(path, parameters, null, Server.ANSWER_MILLIS)) {
      String event = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8).strip();
      EventPrinter printer = new EventPrinter(wanted, terminal);
      printer.print(event, false);
      printer.flush();
    }
  }

  private String checked(String option, String text) {
    refuse(
        ID.matcher(text).matches()
            ? ""
            : "%s: %s, want the id of an event, as in the answers of --format ndjson"
                .formatted(option, text));
    return text;
  }

  private String checkedLimit() {
    String asked = limit != null ? limit : around != null ? LIMIT_AROUND : LIMIT_DEFAULT;
    boolean isAllAround = around != null && asked.equals("all");
    refuse(isAllAround ? "--limit: all, want a number with --around" : "");
    refuse(
        LIMIT.matcher(asked).matches()
            ? ""
            : "--limit: %s, want 1 or more, or all".formatted(asked));
    return asked;
  }

  /** Prints the answer. Returns whether more events follow. */
  private boolean print(Answer answer, OutputFormat wanted) throws IOException, AskException {
    if (wanted == OutputFormat.json) {
      JsonFacts facts = JsonFacts.copy(answer.body(), terminal.out());
      terminal.out().write('\n');
      if (!facts.isComplete()) {
        throw new AskException("the answer is not complete: see \"rows\" and \"missing\" in it");
      }
      return facts.hasNext();
    }
    if (wanted == OutputFormat.text) {
      printLines(answer.body());
    } else {
      isEmpty = answer.body().transferTo(terminal.out()) == 0;
    }
    answer.requireComplete();
    String dropped = answer.fact("Hourglass-Dropped");
    if (dropped != null) {
      say(SafeText.line("dropped, and not in the answer: " + dropped));
    }
    return answer.hasNext();
  }

  private void printLines(InputStream events) throws IOException {
    EventPrinter printer = new EventPrinter(OutputFormat.text, terminal);
    BufferedReader in = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
    try {
      isEmpty = true;
      for (String event = in.readLine(); event != null; event = in.readLine()) {
        isEmpty = false;
        printer.print(event, false);
        if (!in.ready()) {
          printer.flush();
        }
      }
    } finally {
      printer.flush(); // prints the events before a failure too
    }
  }
}
