package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "retention",
    description = "Prints how long events are kept, and which hours go next.")
final class RetentionCommand extends Question {
  @Option(names = "--json", description = "Prints the answer of the server.")
  private boolean isJson;

  RetentionCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    byte[] body;
    try (Answer answer =
        server.get("/api/v1/retention", new UrlQuery(), null, Server.ANSWER_MILLIS)) {
      body = answer.body().readAllBytes();
    }
    String text = isJson ? new String(body, StandardCharsets.UTF_8) : text(JsonTree.read(body));
    terminal.out().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private String text(JsonTree answer) {
    JsonTree policy = answer.object("policy");
    StringBuilder text = new StringBuilder();
    line(text, "default", kept(policy.get("default_s")));
    policy.object("types_s").members().forEach((type, keep) -> line(text, type, kept(keep)));
    if (policy.get("max_bytes") instanceof BigDecimal) {
      line(text, "max-bytes", bytes(policy, "max_bytes"));
    }
    if (policy.get("max_disk_percent") instanceof BigDecimal) {
      line(text, "max-disk-percent", policy.number("max_disk_percent") + " %");
    }
    if (answer.get("bytes") instanceof BigDecimal) {
      line(text, "in use", bytes(answer, "bytes"));
      line(text, "last day", bytes(answer, "bytes_per_day"));
    }
    List<JsonTree> next = answer.objects("next");
    if (next.isEmpty()) {
      return text.append("no hour goes as things are\n").toString();
    }
    Table table = new Table(List.of("hour", "why", "at"), List.of());
    next.forEach(due -> table.add(List.of(due.text("hour"), due.text("why"), due.text("at"))));
    return text.append(table.text(terminal.colours()::head)).toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append("%-16s  %s\n".formatted(name, value));
  }

  private static String bytes(JsonTree of, String member) {
    return FigureText.count(of.number(member)) + " bytes";
  }

  private static String kept(@Nullable Object seconds) {
    if (!(seconds instanceof BigDecimal number)) {
      return "keep";
    }
    Duration keep = Duration.ofSeconds(number.longValue());
    long hours = keep.toHours();
    return hours % 24 == 0 ? hours / 24 + " d" : hours + " h";
  }
}
