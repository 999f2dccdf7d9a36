package hourglass.config.settings;

import java.util.ArrayList;
import java.util.List;

/** Settings with the same first words, in the order of their declaration and of the manual. */
final class SettingGroup {
  private final String words;
  private final List<Setting<?>> settings = new ArrayList<>();

  /** Empty words: keys of one word. */
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
