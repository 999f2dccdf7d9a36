package hourglass.config.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sources of settings, the strongest last: the file, the environment, and --set.
 *
 * @param file null: {@link #DEFAULT_FILE} in the working directory if it is there
 * @param environment only names that begin with HOURGLASS_ count
 * @param assignments {@code key=value} in their order; the last one wins
 */
public record SettingsSources(
    @Nullable Path file, Map<String, String> environment, List<String> assignments) {
  static final Path DEFAULT_FILE = Path.of("hourglass.conf");

  /** With an assignment that is weaker than the others. */
  public SettingsSources underneath(String assignment) {
    return with(Stream.concat(Stream.of(assignment), assignments.stream()));
  }

  /** With an assignment that is stronger than the others. */
  public SettingsSources onTop(String assignment) {
    return with(Stream.concat(assignments.stream(), Stream.of(assignment)));
  }

  private SettingsSources with(Stream<String> all) {
    return new SettingsSources(file, environment, all.toList());
  }
}
