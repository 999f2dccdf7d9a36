package hourglass.config.cli;

import hourglass.config.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class SettingsArguments {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "settings in HOCON (default: hourglass.conf in the working directory, if there)")
  private @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "one setting; stronger than the environment (HOURGLASS_A_B), which is stronger"
              + " than the file; may be repeated, the last one wins")
  private List<String> assignments = new ArrayList<>();

  SettingsSources sources() {
    return new SettingsSources(file, System.getenv(), List.copyOf(assignments));
  }
}
