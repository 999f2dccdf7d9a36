package hourglass.config;

import java.util.Locale;

/**
 * One key of the settings.
 *
 * @param key as in the file, {@code store.embedded.dir}
 * @param byDefault taken from the options of the module that owns it
 * @param about its purpose, in a sentence or two
 */
record Setting<T>(String key, Kind<T> kind, T byDefault, String about) {
  static final String ENVIRONMENT_PREFIX = "HOURGLASS_";

  /** Its name in the environment: {@code HOURGLASS_STORE_EMBEDDED_DIR}. */
  String environmentName() {
    return ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  String showDefault() {
    return kind.show(byDefault);
  }
}
