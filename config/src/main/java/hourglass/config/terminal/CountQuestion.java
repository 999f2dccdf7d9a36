package hourglass.config.terminal;

import hourglass.command.SafeText;
import hourglass.command.WrongOptionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base of the commands that ask for counts, at the path of their name, and print a table. */
abstract class CountQuestion extends Question {
  @Mixin final RangeOptions range = new RangeOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Option(names = "--json", description = "Prints the answer of the server.")
  private boolean isJson;

  CountQuestion(Terminal terminal) {
    super(terminal);
  }

  /**
   * Adds the range and the parameters that only this question has.
   *
   * @throws WrongOptionException if the range is not valid
   */
  abstract void addTo(UrlQuery parameters, Instant now);

  /** Returns the answer as whole lines of text. */
  abstract String text(JsonTree answer, Colours colours);

  @Override
  final void ask(Server server) throws IOException, AskException {
    UrlQuery parameters = new UrlQuery();
    addTo(parameters, terminal.clock().instant());
    selection.addTo(parameters);
    byte[] body;
    try (Answer answer = server.get("/api/v1/" + name(), parameters, null, Server.ANSWER_MILLIS)) {
      body = answer.body().readAllBytes();
    }
    JsonTree answer = JsonTree.read(body);
    if (isJson) {
      terminal.out().write(body);
      terminal.out().write('\n');
    } else {
      String text = text(answer, terminal.colours());
      terminal.out().write(text.getBytes(StandardCharsets.UTF_8));
    }
    List<?> dropped = answer.list("dropped");
    if (!dropped.isEmpty()) {
      say(SafeText.line("dropped, and not in the answer: " + dropped));
    }
    if (!answer.isTrue("complete")) {
      throw new AskException("the answer is not complete" + missing(answer));
    }
  }

  private static String missing(JsonTree answer) {
    List<?> rows = answer.object("rows").list("missing");
    List<?> parts = answer.list("missing");
    return SafeText.line(
        (rows.isEmpty() ? "" : "; rows missing: " + rows)
            + (parts.isEmpty() ? "" : "; parts missing: " + parts));
  }
}
