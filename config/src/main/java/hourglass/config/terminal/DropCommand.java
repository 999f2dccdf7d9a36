package hourglass.config.terminal;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.command.WrongOptionException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "drop",
    description =
        "Deletes the events of an hour, or one type of them. Answers about it then say so.")
final class DropCommand extends Question {
  @Option(
      names = "--hour",
      required = true,
      paramLabel = "HOUR",
      description = "The hour in UTC, such as 2026-11-20T08.")
  private String hour;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Deletes only the events of this type.")
  private @Nullable String type;

  @Option(names = "--json", description = "Prints the answer of the server.")
  private boolean isJson;

  DropCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    byte[] body;
    UrlQuery parameters = new UrlQuery().add("type", type);
    try (Answer answer = server.delete("/api/v1/hours/" + checkedHour(), parameters)) {
      body = answer.body().readAllBytes();
    }
    String text = isJson ? new String(body, StandardCharsets.UTF_8) : text(JsonTree.read(body));
    terminal.out().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private Hour checkedHour() {
    try {
      return Hour.parse(hour);
    } catch (IllegalArgumentException e) {
      throw new WrongOptionException("--" + e.getMessage());
    }
  }

  private String text(JsonTree answer) {
    JsonTree dropped = answer.object("dropped");
    if (!(dropped.get("rows") instanceof BigDecimal)) {
      return hour + ": dropped; its directory could not be read, so nobody knows how much it was\n";
    }
    return "%s: dropped %s events, %s bytes, in %s rows\n"
        .formatted(hour, count(dropped, "events"), count(dropped, "bytes"), count(dropped, "rows"));
  }

  private static String count(JsonTree dropped, String figure) {
    return FigureText.count(dropped.number(figure));
  }
}
