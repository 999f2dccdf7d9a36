package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.Range;
import hourglass.command.Table;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "types", description = "Counts events by type, those with most events first.")
final class TypesCommand extends CountQuestion {
  @Option(names = "-n", paramLabel = "N", description = "At most so many types. Default: all.")
  @Range("1 or more")
  private @Nullable Integer typesMax;

  TypesCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void addTo(UrlQuery parameters, Instant now) {
    range.bounds(now).addTo(parameters);
  }

  @Override
  String text(JsonTree answer, Colours colours) {
    List<JsonTree> types = answer.objects("types");
    Table table = new Table(List.of("type"), List.of("events", "bytes"));
    types.stream()
        .sorted(Comparator.comparing((JsonTree type) -> type.number("count")).reversed())
        .limit(typesMax == null ? Integer.MAX_VALUE : typesMax)
        .forEach(
            type -> table.add(row(type.text("type"), type.number("count"), type.number("bytes"))));
    table.add(row("(all)", sum(types, "count"), sum(types, "bytes")));
    return table.text(colours::head);
  }

  private static List<String> row(String type, long count, long bytes) {
    return List.of(type, FigureText.count(count), FigureText.count(bytes));
  }

  private static long sum(List<JsonTree> types, String figure) {
    return types.stream().mapToLong(type -> type.number(figure)).sum();
  }
}
