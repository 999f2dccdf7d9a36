package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "stats",
    description = "The least, mean and greatest number of a field, and its quantiles.")
final class StatsCommand extends CountQuestion {
  private static final List<String> FIGURES =
      List.of("min", "mean", "p50", "p90", "p99", "p99.9", "max");

  @Parameters(index = "0", paramLabel = "FIELD", description = "The field, as in data.ms.")
  private String field = "";

  @Mixin private StepOptions steps = new StepOptions();
  @Mixin private BoundedGroupOptions groups = new BoundedGroupOptions();

  StatsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void addTo(UrlQuery parameters, Instant now) {
    parameters.add("field", field);
    if (steps.step == null) {
      range.bounds(now).addTo(parameters);
    } else {
      steps.addTo(parameters, range, now);
    }
    groups.addTo(parameters);
  }

  /** Returns a line for each group, or for each step of each group. */
  @Override
  String text(JsonTree answer, Colours colours) {
    boolean hasSteps = answer.get("step_ms") != null;
    List<String> left = new ArrayList<>(groups.fields);
    if (hasSteps) {
      left.add("time");
    }
    List<String> right = new ArrayList<>(List.of("events", "numbers"));
    right.addAll(FIGURES);
    Table table = new Table(left, right);
    for (JsonTree series : answer.objects("series")) {
      int lines = hasSteps ? series.list("count").size() : 1;
      for (int i = 0; i < lines; i++) {
        List<String> cells = new ArrayList<>(groups.cells(series));
        if (hasSteps) {
          Instant from = Instant.parse(answer.text("from"));
          cells.add(from.plusMillis(answer.number("step_ms") * i).toString());
        }
        cells.add(count(at(series, "events", i)));
        cells.add(count(at(series, "count", i)));
        for (String figure : FIGURES) {
          Object value = at(series, figure, i);
          boolean isExact = figure.equals("min") || figure.equals("max");
          cells.add(isExact ? ValueText.exact(value) : ValueText.rounded(value));
        }
        table.add(cells);
      }
    }
    return table.text(colours::head);
  }

  /** Returns the figure itself, or the element of a step if it is a list. */
  private static @Nullable Object at(JsonTree series, String figure, int step) {
    Object value = series.get(figure);
    return value instanceof List<?> list ? list.get(step) : value;
  }

  private static String count(@Nullable Object value) {
    return value instanceof BigDecimal number ? FigureText.count(number.longValue()) : "";
  }
}
