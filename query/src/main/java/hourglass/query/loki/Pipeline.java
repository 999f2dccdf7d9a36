package hourglass.query.loki;

import hourglass.query.filter.Effort;
import hourglass.query.logql.Stage;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The stages of a log query that change a line, in order. They leave no line out; its filters are
 * conditions, see {@link LogCondition}. Immutable.
 */
record Pipeline(List<Consumer<LogLine>> changes) {

  static Pipeline of(List<Stage> stages) {
    return new Pipeline(
        stages.stream().filter(stage -> !stage.isFilter()).map(Pipeline::change).toList());
  }

  private static Consumer<LogLine> change(Stage stage) {
    if (stage instanceof Stage.Json) {
      return LineParsers::json;
    }
    if (stage instanceof Stage.Logfmt) {
      return LineParsers::logfmt;
    }
    if (stage instanceof Stage.LineFormat format) {
      return line -> line.replace(format(format.parts(), line));
    }
    Stage.Select select = (Stage.Select) stage;
    Set<String> names = Set.copyOf(select.names());
    return line -> line.select(select.keeps(), names);
  }

  /**
   * Formats a line. Its length counts, since each stage could make a longer text from that of the
   * stage before.
   */
  private static String format(List<String> parts, LogLine line) {
    Effort effort = Effort.current();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      boolean isName = i % 2 == 1;
      String part =
          isName ? Objects.requireNonNullElse(line.label(parts.get(i)), "") : parts.get(i);
      effort.make(part.length());
      text.append(part);
    }
    return text.toString();
  }
}
