package hourglass.config.terminal;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The fields by which events are grouped, and the cells that name a group. */
class GroupOptions {
  private static final List<String> WITHOUT_VALUE = List.of("absent", "nested", "too_long");

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      description = "A group for each value of the field, or of type; may be repeated.")
  List<String> fields = new ArrayList<>();

  void addTo(UrlQuery parameters) {
    parameters.addAll("by", fields);
  }

  /** Returns the cells that name a group, one for each field. */
  final List<String> cells(JsonTree series) {
    List<String> cells = new ArrayList<>();
    for (String field : fields) {
      cells.add(series.isTrue("other") ? "(other)" : cell(series, field));
    }
    return cells;
  }

  /**
   * Returns the name that answers give to a field: every field except the type is in the payload.
   */
  private static String nameOf(String typed) {
    return typed.equals("type") || typed.startsWith("data.") ? typed : "data." + typed;
  }

  private static String cell(JsonTree series, String typed) {
    String field = nameOf(typed);
    JsonTree group = series.object("group");
    Object value = group.members().isEmpty() ? series.get(field) : group.get(field);
    if (value != null) {
      return ValueText.of(value);
    }
    return WITHOUT_VALUE.stream()
        .filter(why -> group.list(why).contains(field))
        .findFirst()
        .map(why -> "(" + why.replace('_', ' ') + ")")
        .orElse("");
  }
}
