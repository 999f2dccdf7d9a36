package hourglass.config.settings;

import static java.util.Objects.requireNonNullElse;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads settings one by one and collects everything that is wrong. Not thread-safe. */
final class SettingsReader {
  private final List<String> problems = new ArrayList<>();

  /** The keys with a reported problem. A conflict that follows from it is not reported again. */
  private final Set<String> refused = new HashSet<>();

  private final Config merged;

  SettingsReader(SettingsSources sources) {
    this.merged = new SettingsLayers(problems).merge(sources);
  }

  /**
   * Returns the value of a setting, or its default if there is no value or the value is not
   * allowed.
   */
  <T> T get(Setting<T> setting) {
    ConfigValue value = value(setting);
    if (value == null) {
      return setting.byDefault();
    }
    try {
      return setting.kind().read(value);
    } catch (RuntimeException e) {
      if (refused.add(setting.key())) {
        add(SettingProblem.of(setting.key(), value, "not allowed; " + want(setting, e)));
      }
      return setting.byDefault();
    }
  }

  /** Returns the source of a value, or null if the default applies. */
  @Nullable String origin(Setting<?> setting) {
    ConfigValue value = value(setting);
    return value == null ? null : SettingProblem.origin(value);
  }

  /** Adds a problem that shows only in the combination of several settings. */
  void add(String problem) {
    problems.add(problem);
  }

  /**
   * Reports a value that is allowed by itself but does not fit other settings. Each setting is
   * reported once.
   */
  <T> void refuse(Setting<T> setting, String want) {
    if (!refused.add(setting.key())) {
      return;
    }
    String shown = setting.kind().show(get(setting));
    String from = requireNonNullElse(origin(setting), "default");
    add(SettingProblem.of(setting.key(), shown, from, "not allowed; want " + want));
  }

  /**
   * Returns the options, or reports a problem and returns the fallback if several settings do not
   * fit together.
   */
  <T> T group(String name, Supplier<T> options, T fallback) {
    int problemsBefore = problems.size();
    try {
      return options.get();
    } catch (IllegalArgumentException e) {
      if (problems.size() == problemsBefore) {
        add(name + "." + e.getMessage());
      }
      return fallback;
    }
  }

  /** Returns the result. Throws {@link SettingsException} if anything was wrong. */
  <T> T finish(T read) {
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return read;
  }

  private @Nullable ConfigValue value(Setting<?> setting) {
    ConfigValue value = merged.root();
    for (String name : ConfigUtil.splitPath(setting.key())) {
      value = value instanceof ConfigObject group ? group.get(name) : null;
    }
    return value;
  }

  private static String want(Setting<?> setting, RuntimeException e) {
    String more = e.getMessage();
    boolean isOurs = e instanceof IllegalArgumentException && !(e instanceof NumberFormatException);
    return isOurs && more != null && e.getCause() == null
        ? more
        : "want " + setting.kind().allowed();
  }
}
