package hourglass.config.terminal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which events, whatever their time. */
final class SelectionOptions {
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

  /** Whether nothing but types selects events. */
  boolean hasOnlyTypes() {
    return where == null && contains == null && !ignoresCase;
  }

  void addTo(UrlQuery parameters) {
    parameters
        .addAll("type", types)
        .add("where", where)
        .add("contains", contains)
        .add("icase", ignoresCase ? true : null);
  }
}
