package hourglass.config.settings;

import java.util.Map;
import java.util.regex.Pattern;

/** Keeps passwords out of messages. */
final class Secrets {
  static final String HIDDEN = "(secret)";

  private static final Pattern LOOKS_SECRET =
      Pattern.compile("(?i)pas|pwd|secret|jaas|(store|private)[._-]?key$");

  private Secrets() {}

  /** Returns whether a key or a variable names a secret, or may be a misspelled name of one. */
  static boolean holds(String name) {
    Map<String, Setting<?>> known =
        name.startsWith(Setting.ENVIRONMENT_PREFIX)
            ? Catalogue.BY_ENVIRONMENT_NAME
            : Catalogue.BY_KEY;
    Setting<?> nearest = known.get(NearestKey.to(name, known.keySet()));
    return LOOKS_SECRET.matcher(name).find() || (nearest != null && nearest.kind().isSecret());
  }
}
