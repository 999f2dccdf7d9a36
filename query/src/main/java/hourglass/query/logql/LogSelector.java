package hourglass.query.logql;

import java.util.List;
import java.util.stream.Collectors;

/** A query for lines: matchers of their streams, and a pipeline. */
public record LogSelector(List<Matcher> matchers, List<Stage> stages) implements Query {
  public LogSelector {
    matchers = List.copyOf(matchers);
    stages = List.copyOf(stages);
  }

  @Override
  public String toString() {
    return matchers.stream().map(Matcher::toString).collect(Collectors.joining(", ", "{", "}"))
        + stages.stream().map(stage -> " " + stage).collect(Collectors.joining());
  }
}
