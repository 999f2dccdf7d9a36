package hourglass.config.terminal;

import hourglass.command.Range;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of groups of which only those with the most events are counted separately. */
final class BoundedGroupOptions extends GroupOptions {
  @Option(
      names = "-n",
      paramLabel = "N",
      description = "With --by: so many groups, and all others as one.")
  @Range("1 or more")
  @Nullable Integer groupsMax;

  @Override
  void addTo(UrlQuery parameters) {
    super.addTo(parameters);
    parameters.add("groups", groupsMax);
  }
}
