package hourglass.config.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Describes what is wrong with a value, and keeps passwords out of that. */
final class SettingProblem {
  static final String HIDDEN = "(secret)";

  private static final int VALUE_CHARS_MAX = 200;
  private static final Set<String> SECRETS =
      Set.of("store.cassandra.password", "store.cassandra.trust-store-password", "kafka.client");
  private static final Pattern LOOKS_SECRET =
      Pattern.compile("(?i)pas|pwd|secret|jaas|(store|private)[._-]?key$");

  /** The line number of an origin that is no file. */
  private static final Pattern LINE_OF_NO_FILE =
      Pattern.compile("^(" + Reference.DEFAULT + "|--set|environment \\w+): \\d+$");

  private SettingProblem() {}

  static String of(String key, ConfigValue value, String wrong) {
    return of(key, show(value), origin(value), wrong);
  }

  /** Describes a problem of a value. The value is hidden if the name may be that of a secret. */
  static String of(String name, String value, String from, String wrong) {
    String shown = mayBeSecret(name) ? HIDDEN : value;
    return "%s = %s (from %s): %s".formatted(name, shown, from, wrong);
  }

  /** Returns a problem with a key or variable that does not exist. */
  static String unknown(String name, String value, String from) {
    String removal = Reference.removal(name);
    String unknown = "unknown key; the nearest known one is " + nearest(name);
    return of(name, value, from, removal == null ? unknown : removal);
  }

  static boolean isSecret(String key) {
    return SECRETS.contains(key);
  }

  /** Returns whether a key or a variable names a secret, or may be a misspelled name of one. */
  static boolean mayBeSecret(String name) {
    String nearest = nearest(name);
    return LOOKS_SECRET.matcher(name).find()
        || isSecret(Reference.OF_ENVIRONMENT.getOrDefault(nearest, nearest));
  }

  private static String nearest(String name) {
    return NearestKey.to(
        name,
        name.startsWith(Reference.ENVIRONMENT_PREFIX)
            ? Reference.OF_ENVIRONMENT.keySet()
            : Reference.KEYS.keySet());
  }

  /** Returns the source of a value. For a map, these are the sources of its entries. */
  static String origin(ConfigValue value) {
    return value instanceof ConfigObject map && !map.isEmpty()
        ? map.values().stream()
            .map(SettingProblem::origin)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "))
        : LINE_OF_NO_FILE.matcher(value.origin().description()).replaceFirst("$1");
  }

  /** Shows a value as a reader would write it, cut off where it is very long. */
  static String show(ConfigValue value) {
    String text =
        value.valueType() == ConfigValueType.STRING
            ? String.valueOf(value.unwrapped())
            : value.render(ConfigRenderOptions.concise());
    return text.length() <= VALUE_CHARS_MAX ? text : text.substring(0, VALUE_CHARS_MAX) + "...";
  }
}
