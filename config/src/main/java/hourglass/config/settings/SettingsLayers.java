package hourglass.config.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Merges the sources and finds unknown keys. Maps are merged by entry; other values are replaced.
 */
record SettingsLayers(List<String> problems) {
  /**
   * The names of variables that Kubernetes and Docker set for a service named hourglass-something.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "HOURGLASS_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?"
              + "|PORT(_\\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)");

  /** The variables of the commands that query a server, which may run in the same environment. */
  private static final Set<String> OF_QUESTIONS =
      Set.of("HOURGLASS_TARGET", "HOURGLASS_KEY", "HOURGLASS_CA_FILE");

  /** Merges the sources. Unreadable sources are left out and reported as problems. */
  Config merge(SettingsSources sources) {
    Config merged = environment(sources.environment(), file(sources));
    for (String assignment : sources.assignments()) {
      merged = assignment(assignment, merged);
    }
    refuseUnknown(List.of(), merged.root());
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
                  .setOriginDescription(file.toString()))
          .resolve();
    } catch (ConfigException e) {
      problems.add("not readable as HOCON: " + e.getMessage());
      return ConfigFactory.empty();
    }
  }

  private Config environment(Map<String, String> environment, Config below) {
    Config merged = below;
    for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (!name.startsWith(Setting.ENVIRONMENT_PREFIX)) {
        continue;
      }
      Setting<?> setting = Catalogue.BY_ENVIRONMENT_NAME.get(name);
      if (setting != null) {
        merged = assign(setting.key(), variable.getValue(), "environment " + name, merged);
      } else if (!SERVICE_LINK.matcher(name).matches() && !OF_QUESTIONS.contains(name)) {
        problems.add(
            SettingProblem.of(
                name,
                variable.getValue(),
                "environment",
                "unknown name; the nearest known one is "
                    + NearestKey.to(name, Catalogue.BY_ENVIRONMENT_NAME.keySet())));
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
      String why = Secrets.holds(key) ? "want HOCON where it begins so" : e.getMessage();
      problems.add(SettingProblem.of(key, text, from, "not readable: " + why));
      return below;
    }
  }

  private void refuseUnknown(List<String> path, ConfigObject group) {
    group.forEach(
        (name, value) -> {
          List<String> below = new ArrayList<>(path);
          below.add(name);
          String key = ConfigUtil.joinPath(below);
          if (Catalogue.BY_KEY.containsKey(key)) {
            return;
          }
          if (value instanceof ConfigObject nested && !nested.isEmpty()) {
            refuseUnknown(below, nested);
          } else {
            problems.add(
                SettingProblem.of(
                    key,
                    value,
                    "unknown key; the nearest known one is "
                        + NearestKey.to(key, Catalogue.BY_KEY.keySet())));
          }
        });
  }
}
