package hourglass.config.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code reference.conf}: every key, its default and its documentation; and the keys
 * that were removed.
 */
final class Reference {
  static final String ENVIRONMENT_PREFIX = "HOURGLASS_";

  /** The origin of each default. */
  static final String DEFAULT = "default";

  private static final String ALLOWED = "Allowed: ";

  /** The defaults, which every other source overrides. */
  static final Config DEFAULTS = resource("reference.conf");

  /** The keys by their paths, in the order of the file. */
  static final Map<String, Key> KEYS = keys();

  /** The paths of the keys by the names of their environment variables. */
  static final Map<String, String> OF_ENVIRONMENT =
      KEYS.keySet().stream().collect(Collectors.toUnmodifiableMap(Reference::variable, key -> key));

  /** A key of the settings, with its comment in the file. */
  record Key(ConfigValue byDefault) {
    /** Returns what the key is for. */
    String about() {
      return comment().substring(0, comment().lastIndexOf(ALLOWED)).strip();
    }

    /** Returns the allowed values, in words that follow "want ". */
    String allowed() {
      return comment().substring(comment().lastIndexOf(ALLOWED) + ALLOWED.length());
    }

    private String comment() {
      return byDefault.origin().comments().stream()
          .map(String::strip)
          .collect(Collectors.joining(" "));
    }
  }

  private Reference() {}

  static Key key(String path) {
    return Objects.requireNonNull(KEYS.get(path), path);
  }

  /** Returns the environment variable of a key, such as {@code HOURGLASS_STORE_EMBEDDED_DIR}. */
  static String variable(String path) {
    return ENVIRONMENT_PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /**
   * Returns the values of a tree by their paths, sorted. A map is a value itself if it is empty or
   * {@code isKey} holds for its path; otherwise its entries are visited.
   */
  static Map<String, ConfigValue> leaves(ConfigObject root, Predicate<String> isKey) {
    Map<String, ConfigValue> leaves = new TreeMap<>();
    collect("", root, isKey, leaves);
    return leaves;
  }

  private static void collect(
      String group, ConfigObject map, Predicate<String> isKey, Map<String, ConfigValue> leaves) {
    map.forEach(
        (name, value) -> {
          String key = group + ConfigUtil.joinPath(name);
          if (value instanceof ConfigObject nested && !nested.isEmpty() && !isKey.test(key)) {
            collect(key + ".", nested, isKey, leaves);
          } else {
            leaves.put(key, value);
          }
        });
  }

  /** Returns what became of a key or an environment variable; null if it was not removed. */
  static @Nullable String removal(String name) {
    return leaves(resource("removed.conf").root(), path -> false).entrySet().stream()
        .filter(entry -> name.equals(entry.getKey()) || name.equals(variable(entry.getKey())))
        .findFirst()
        .map(entry -> "removed: now fixed at " + entry.getValue().unwrapped())
        .orElse(null);
  }

  /** Reads a file next to this class. By its name alone, every library would be searched for it. */
  private static Config resource(String name) {
    return ConfigFactory.parseURL(
        Objects.requireNonNull(Reference.class.getResource(name), name),
        ConfigParseOptions.defaults().setAllowMissing(false).setOriginDescription(DEFAULT));
  }

  private static Map<String, Key> keys() {
    Map<String, Key> keys = new LinkedHashMap<>();
    leaves(DEFAULTS.root(), path -> false).entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> entry.getValue().origin().lineNumber()))
        .forEach(entry -> keys.put(entry.getKey(), new Key(entry.getValue())));
    return keys;
  }
}
