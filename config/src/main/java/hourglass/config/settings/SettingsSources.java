package hourglass.config.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sources of settings, the strongest last: the file, the environment, and --set.
 *
 * @param file null for {@link #DEFAULT_FILE} in the working directory, if it exists
 * @param environment variables; only names that begin with HOURGLASS_ count
 * @param assignments texts {@code key=value} in their order; the last one wins
 */
public record SettingsSources(
    @Nullable Path file, Map<String, String> environment, List<String> assignments) {
  static final Path DEFAULT_FILE = Path.of("hourglass.conf");

  /** Returns these sources with an assignment that is weaker than the other assignments. */
  public SettingsSources underneath(String assignment) {
    return with(Stream.of(assignment), assignments.stream());
  }

  /** Returns these sources with an assignment that is stronger than the other assignments. */
  public SettingsSources onTop(String assignment) {
    return with(assignments.stream(), Stream.of(assignment));
  }

  private SettingsSources with(Stream<String> first, Stream<String> then) {
    return new SettingsSources(file, environment, Stream.concat(first, then).toList());
  }
}
