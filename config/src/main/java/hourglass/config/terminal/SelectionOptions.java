package hourglass.config.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select events other than by time. */
final class SelectionOptions {
  @Parameters(
      index = "0+",
      arity = "0..*",
      paramLabel = "FILTER",
      description = {
        "A filter as people type it: 'status>=500 level:(error OR warn) -path:/health timeout',",
        "or the id of an event. In quotes, as shells take > and ( for themselves."
      })
  private List<String> filter = new ArrayList<>();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Only events of this type; may be repeated. Default: all types.")
  List<String> types = new ArrayList<>();

  @Option(
      names = "--where",
      paramLabel = "CEL",
      description = "Only events for which this is true, as in 'data.status >= 500'.")
  private @Nullable String where;

  @Option(
      names = "--contains",
      paramLabel = "TEXT",
      description = "Only events with this text in their payload.")
  private @Nullable String contains;

  @Option(names = "--icase", description = "--contains ignores case.")
  private boolean ignoresCase;

  private static final Pattern ID =
      Pattern.compile("(?i)\\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\s*");

  /** Returns whether the filter is an id. An id contains its time, so it needs no range. */
  boolean isId() {
    return filter.size() == 1 && ID.matcher(filter.get(0)).matches();
  }

  /** Returns whether only types select events. */
  boolean hasOnlyTypes() {
    return filter.isEmpty() && where == null && contains == null && !ignoresCase;
  }

  void addTo(UrlQuery parameters) {
    parameters
        .addAll("type", types)
        .add("q", filter.isEmpty() ? null : String.join(" ", filter))
        .add("where", where)
        .add("contains", contains)
        .add("icase", ignoresCase ? true : null);
  }
}
