package hourglass.config.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The sources of a test's settings: a file of its own, and nothing of this machine. */
final class GivenSettings {
  private GivenSettings() {}

  /** One key by --set, and an empty file. */
  static SettingsSources set(Path folder, String assignment) {
    return new SettingsSources(file(folder, ""), Map.of(), List.of(assignment));
  }

  /** Writes the file, in place of one before. */
  static Path file(Path folder, String text) {
    try {
      return Files.writeString(folder.resolve("test.conf"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
