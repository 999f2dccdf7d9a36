package hourglass.config.settings;

import java.util.Locale;

/** One key of the settings. The module that owns the option defines its default. */
record Setting<T>(String key, Kind<T> kind, T byDefault, String about) {
  static final String ENVIRONMENT_PREFIX = "HOURGLASS_";

  /** Returns the name of the environment variable, such as {@code HOURGLASS_STORE_EMBEDDED_DIR}. */
  String environmentName() {
    return ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  String showDefault() {
    return kind.show(byDefault);
  }
}
