package hourglass.config.settings;

import java.util.Locale;

/** One key of the settings; its default is that of the module that owns it. */
record Setting<T>(String key, Kind<T> kind, T byDefault, String about) {
  static final String ENVIRONMENT_PREFIX = "HOURGLASS_";

  /** As in {@code HOURGLASS_STORE_EMBEDDED_DIR}. */
  String environmentName() {
    return ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  String showDefault() {
    return kind.show(byDefault);
  }
}
