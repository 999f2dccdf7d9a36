package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "hits",
    description = {
      "Counts events over time.",
      "A range until now begins and ends with whole steps. Default step: some 60 bars."
    })
final class HitsCommand extends CountQuestion {
  @Mixin private StepOptions steps = new StepOptions();
  @Mixin private BoundedGroupOptions groups = new BoundedGroupOptions();

  HitsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void addTo(UrlQuery parameters, Instant now) {
    steps.addTo(parameters, range, now);
    groups.addTo(parameters);
  }

  /** Returns a line for each step, or for each group with a bar for each step. */
  @Override
  String text(JsonTree answer, Colours colours) {
    List<JsonTree> series = answer.objects("series");
    long max = series.stream().flatMap(each -> counts(each).stream()).reduce(1L, Math::max);
    Table table;
    if (groups.fields.isEmpty()) {
      table = new Table(List.of("time"), List.of("events"), "");
      Instant from = Instant.parse(answer.text("from"));
      List<Long> counts = series.stream().flatMap(each -> counts(each).stream()).toList();
      for (int i = 0; i < counts.size(); i++) {
        String time = from.plusMillis(answer.number("step_ms") * i).toString();
        table.add(List.of(time, FigureText.count(counts.get(i)), Bars.lying(counts.get(i), max)));
      }
    } else {
      table = new Table(groups.fields, List.of("events"), span(answer));
      for (JsonTree each : series) {
        List<Long> counts = counts(each);
        String sum = FigureText.count(counts.stream().mapToLong(Long::longValue).sum());
        List<String> cells = new ArrayList<>(groups.cells(each));
        Stream.of(sum, Bars.standing(counts, max)).forEach(cells::add);
        table.add(cells);
      }
    }
    return table.text(colours::head) + FigureText.count(answer.number("total")) + " events\n";
  }

  private static List<Long> counts(JsonTree series) {
    return series.list("counts").stream()
        .map(count -> count instanceof BigDecimal number ? number.longValue() : 0L)
        .toList();
  }

  private static String span(JsonTree answer) {
    return "%s to %s"
        .formatted(Instant.parse(answer.text("from")), Instant.parse(answer.text("to")));
  }
}
