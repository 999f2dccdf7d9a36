package hourglass.config.settings;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

final class KeysSettings {
  static final SettingGroup ALL = new SettingGroup("keys");

  private static final Setting<String> FILE =
      ALL.key("file", Kinds.optionalText("a file; empty: no keys"), "")
          .about(
              "The keys of clients, as `hourglass key add` writes them; every request needs one then."
                  + " A change holds within five seconds.");

  private KeysSettings() {}

  /** Reads the path of the keys file. Returns null if there are no keys. */
  static @Nullable Path readFile(SettingsReader reader) {
    String file = reader.get(FILE);
    return file.isEmpty() ? null : Path.of(file);
  }
}
