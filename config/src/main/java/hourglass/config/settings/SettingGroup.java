package hourglass.config.settings;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings whose keys begin with the same words, in the order of their declaration, which is
 * also the order of the manual.
 */
final class SettingGroup {
  private final String words;
  private final List<Setting<?>> settings = new ArrayList<>();

  /** Creates a group. If {@code words} is empty, its keys consist of one word. */
  SettingGroup(String words) {
    this.words = words;
  }

  List<Setting<?>> settings() {
    return settings;
  }

  <T> Draft<T> key(String lastWord, Kind<T> kind, T byDefault) {
    return new Draft<>(this, words.isEmpty() ? lastWord : words + "." + lastWord, kind, byDefault);
  }

  record Draft<T>(SettingGroup group, String key, Kind<T> kind, T byDefault) {
    /** Adds the setting to its group. */
    Setting<T> about(String text) {
      Setting<T> setting = new Setting<>(key, kind, byDefault, text);
      group.settings.add(setting);
      return setting;
    }
  }
}
