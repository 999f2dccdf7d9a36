package hourglass.config.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Merges the sources and finds unknown keys. Maps are merged by entry; other values are replaced.
 */
record SettingsLayers(List<String> problems) {
  /**
   * The variables that are no settings: of the commands that query a server, and those that
   * Kubernetes and Docker set for a service named hourglass-something.
   */
  private static final Pattern OTHER_VARIABLE =
      Pattern.compile(
          "HOURGLASS_(TARGET|KEY|CA_FILE|(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?"
              + "|PORT(_\\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?))");

  /**
   * Merges the sources over the defaults. Unreadable sources are left out and reported as problems.
   */
  Config merge(SettingsSources sources) {
    Config merged =
        environment(sources.environment(), file(sources).withFallback(Reference.DEFAULTS));
    for (String assignment : sources.assignments()) {
      merged = assignment(assignment, merged);
    }
    Reference.leaves(merged.root(), Reference.KEYS::containsKey).forEach(this::refuseUnknown);
    return merged;
  }

  private Config file(SettingsSources sources) {
    Path file = sources.file() == null ? SettingsSources.DEFAULT_FILE : sources.file();
    if (sources.file() == null && !Files.exists(file)) {
      return ConfigFactory.empty();
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      problems.add(file + ": no such file, or it cannot be read");
      return ConfigFactory.empty();
    }
    try {
      return ConfigFactory.parseFile(
              file.toFile(),
              ConfigParseOptions.defaults()
                  .setAllowMissing(false)
                  .setOriginDescription(origin(file)))
          .resolve();
    } catch (ConfigException e) {
      problems.add("not readable as HOCON: " + e.getMessage());
      return ConfigFactory.empty();
    }
  }

  /** Returns the origin of the values of a file, which must not look like that of defaults. */
  private static String origin(Path file) {
    return file.equals(Path.of(Reference.DEFAULT)) ? "./" + file : file.toString();
  }

  private Config environment(Map<String, String> environment, Config below) {
    Config merged = below;
    for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (!name.startsWith(Reference.ENVIRONMENT_PREFIX)) {
        continue;
      }
      String key = Reference.OF_ENVIRONMENT.get(name);
      if (key != null) {
        merged = assign(key, variable.getValue(), "environment " + name, merged);
      } else if (!OTHER_VARIABLE.matcher(name).matches()) {
        problems.add(SettingProblem.unknown(name, variable.getValue(), "environment"));
      }
    }
    return merged;
  }

  private Config assignment(String assignment, Config below) {
    int equals = assignment.indexOf('=');
    if (equals < 1) {
      problems.add("--set " + assignment + ": not an assignment; want key=value");
      return below;
    }
    String key = assignment.substring(0, equals).strip();
    return assign(key, assignment.substring(equals + 1), "--set", below);
  }

  /**
   * Assigns a value to a key. A text that begins like a list, a map or a quoted text is read as
   * HOCON; any other text is the value itself.
   */
  private Config assign(String key, String text, String from, Config below) {
    try {
      boolean isHocon = !text.isEmpty() && "[{\"".indexOf(text.charAt(0)) >= 0;
      ConfigValue value =
          isHocon
              ? ConfigFactory.parseString(
                      "value = " + text, ConfigParseOptions.defaults().setOriginDescription(from))
                  .resolve()
                  .getValue("value")
              : ConfigValueFactory.fromAnyRef(text, from);
      return value.atPath(key).withFallback(below);
    } catch (ConfigException e) {
      String why =
          SettingProblem.mayBeSecret(key) ? "want HOCON where it begins so" : e.getMessage();
      problems.add(SettingProblem.of(key, text, from, "not readable: " + why));
      return below;
    }
  }

  private void refuseUnknown(String key, ConfigValue value) {
    if (!Reference.KEYS.containsKey(key)) {
      problems.add(
          SettingProblem.unknown(key, SettingProblem.show(value), SettingProblem.origin(value)));
    }
  }
}
