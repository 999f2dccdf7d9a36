package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.Range;
import hourglass.command.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "top", description = "The most frequent values of a field.")
final class TopCommand extends CountQuestion {
  @Parameters(index = "0", paramLabel = "FIELD", description = "The field, as in data.path.")
  private String field = "";

  @Mixin private GroupOptions groups = new GroupOptions();

  @Option(names = "-n", paramLabel = "N", description = "At most so many values. Default: 20.")
  @Range("1 or more")
  private @Nullable Integer valuesMax;

  TopCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void addTo(UrlQuery parameters, Instant now) {
    range.bounds(now).addTo(parameters.add("field", field));
    groups.addTo(parameters);
    parameters.add("n", valuesMax);
  }

  @Override
  String text(JsonTree answer, Colours colours) {
    List<String> left = new ArrayList<>(groups.fields);
    left.add("value");
    Table table = new Table(left, List.of("events", "share"), "");
    List<JsonTree> all = groups.fields.isEmpty() ? List.of(answer) : answer.objects("series");
    for (JsonTree series : all) {
      List<JsonTree> values = series.objects("values");
      long max = values.stream().mapToLong(value -> value.number("count")).max().orElse(1);
      for (JsonTree value : values) {
        long count = value.number("count");
        List<String> cells = new ArrayList<>(groups.cells(series));
        Stream.of(
                ValueText.of(value.get("value")),
                (value.number("error_max") == 0 ? "" : ">=") + FigureText.count(count),
                FigureText.share(count, series.number("events")),
                Bars.lying(count, max))
            .forEach(cells::add);
        table.add(cells);
      }
    }
    return table.text(colours::head) + (groups.fields.isEmpty() ? note(answer) : "");
  }

  private static String note(JsonTree answer) {
    String note =
        "%s events, %s without the field"
            .formatted(
                FigureText.count(answer.number("events")),
                FigureText.count(answer.number("absent")));
    return answer.isFalse("exact")
        ? "%s; another value has at most %s events%n"
            .formatted(note, FigureText.count(answer.number("others_max")))
        : note + "\n";
  }
}
