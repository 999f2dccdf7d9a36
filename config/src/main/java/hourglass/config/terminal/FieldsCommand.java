package hourglass.config.terminal;

import hourglass.command.FigureText;
import hourglass.command.Range;
import hourglass.command.Table;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "fields",
    description = "The fields of events and their values, those in most events first.")
final class FieldsCommand extends CountQuestion {
  @Option(names = "-n", paramLabel = "N", description = "At most so many fields. Default: 200.")
  @Range("1 or more")
  private @Nullable Integer fieldsMax;

  @Option(
      names = "--prefix",
      paramLabel = "NAME",
      description = "Only fields whose name begins so, as in data.http.")
  private @Nullable String prefix;

  FieldsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void addTo(UrlQuery parameters, Instant now) {
    range.bounds(now).addTo(parameters);
    parameters.add("prefix", prefix).add("n", fieldsMax);
  }

  @Override
  String text(JsonTree answer, Colours colours) {
    Table table =
        new Table(
            List.of("field", "kinds"),
            List.of("events", "share", "distinct", "min", "max"),
            "values");
    for (JsonTree field : answer.objects("fields")) {
      table.add(
          List.of(
              field.text("field"),
              kinds(field.object("kinds")),
              FigureText.count(field.number("events")),
              FigureText.share(field.number("events"), answer.number("events")),
              (field.isTrue("distinct_exact") ? "" : "~")
                  + FigureText.count(field.number("distinct")),
              ValueText.exact(field.get("min")),
              ValueText.exact(field.get("max")),
              values(field, answer.get("sampled") != null)));
    }
    String events = FigureText.count(answer.number("events")) + " events";
    String more = answer.isTrue("more") ? "; more fields with -n" : "";
    String sampled =
        answer.get("sampled") == null
            ? ""
            : "; estimated from " + ValueText.exact(answer.get("sampled")) + " of the time";
    return table.text(colours::head) + events + sampled + more + "\n";
  }

  private static String kinds(JsonTree kinds) {
    return kinds.members().keySet().stream()
        .filter(kind -> kinds.number(kind) > 0)
        .collect(Collectors.joining(" "));
  }

  private static String values(JsonTree field, boolean isSampled) {
    String about = field.isTrue("values_exact") ? "" : isSampled ? "~" : ">=";
    return field.objects("values").stream()
        .map(value -> ValueText.of(value.get("value")) + " (" + about + value.number("count") + ")")
        .collect(Collectors.joining(", "));
  }
}
