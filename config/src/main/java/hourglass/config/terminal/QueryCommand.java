package hourglass.config.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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

  @Mixin private RangeOptions range = new RangeOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(
      names = "--limit",
      paramLabel = "N|all",
      description = "At most so many events. Default: 1000.")
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

  QueryCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    refuse(range.conflict());
    OutputFormat wanted = OutputFormat.orDefault(format, terminal);
    Instant now = terminal.clock().instant();
    if (follows) {
      boolean hasEnd = range.hour != null || range.to != null || limit != null || isDescending;
      refuse(hasEnd ? "--follow: not with --hour, --to, --limit or --desc" : "");
      follow(server, selection, range.from(now), wanted);
      return;
    }
    String asked = limit == null ? "1000" : limit;
    if (!LIMIT.matcher(asked).matches()) {
      throw wrongUsage("--limit: %s, want 1 or more, or all".formatted(asked));
    }
    UrlQuery parameters = new UrlQuery();
    range.addTo(parameters, now);
    selection.addTo(parameters);
    parameters.add("order", isDescending ? "desc" : null);
    parameters.add("limit", asked).add("format", wanted.ofServer());
    try (Answer answer = server.get("/api/v1/events", parameters, null, Server.ANSWER_MILLIS)) {
      if (print(answer, wanted)) {
        say("more: --limit all");
      }
    }
  }

  /** Returns whether more events follow. */
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
      answer.body().transferTo(terminal.out());
    }
    answer.requireComplete();
    return answer.hasNext();
  }

  private void printLines(InputStream events) throws IOException {
    EventPrinter printer = new EventPrinter(OutputFormat.text, terminal);
    BufferedReader in = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
    try {
      for (String event = in.readLine(); event != null; event = in.readLine()) {
        printer.print(event, false);
        if (!in.ready()) {
          printer.flush();
        }
      }
    } finally {
      printer.flush(); // also the events before a break
    }
  }
}
