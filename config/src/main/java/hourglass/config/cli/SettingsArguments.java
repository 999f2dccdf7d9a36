package hourglass.config.cli;

import com.typesafe.config.ConfigUtil;
import hourglass.config.settings.SettingsSources;
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

  @Option(names = "--host", paramLabel = "HOST", description = "short for --set http.host=HOST")
  private @Nullable String host;

  @Option(names = "--port", paramLabel = "PORT", description = "short for --set http.port=PORT")
  private @Nullable String port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "short for --set store.embedded.dir=DIR (default: data in the working directory; of the demo:"
              + " a temporary folder)")
  private @Nullable String folder;

  SettingsSources sources() {
    List<String> all = new ArrayList<>(assignments);
    add(all, "http.host", host);
    add(all, "http.port", port);
    add(all, "store.embedded.dir", folder);
    return new SettingsSources(file, System.getenv(), List.copyOf(all));
  }

  /**
   * Adds an assignment if a value is given. The value becomes a quoted text, which is never read as
   * HOCON.
   */
  private static void add(List<String> assignments, String key, @Nullable String value) {
    if (value != null) {
      assignments.add(key + "=" + ConfigUtil.quoteString(value));
    }
  }

  boolean hasFolder() {
    return folder != null;
  }

  boolean hasPort() {
    return port != null;
  }
}
