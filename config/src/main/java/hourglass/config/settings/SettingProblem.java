package hourglass.config.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.stream.Collectors;

final class SettingProblem {
  private static final int VALUE_CHARS_MAX = 200;

  private SettingProblem() {}

  static String of(String key, ConfigValue value, String wrong) {
    return of(key, show(value), origin(value), wrong);
  }

  /** Describes a problem of a value. The value is hidden if the name may be that of a secret. */
  static String of(String name, String value, String from, String wrong) {
    String shown = Secrets.holds(name) ? Secrets.HIDDEN : value;
    return "%s = %s (from %s): %s".formatted(name, shown, from, wrong);
  }

  /** Returns the source of a value. For a map, these are the sources of its entries. */
  static String origin(ConfigValue value) {
    return value instanceof ConfigObject map && !map.isEmpty()
        ? map.values().stream()
            .map(SettingProblem::origin)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "))
        : place(value.origin().description());
  }

  /** Removes the line number from an origin that is not a file. */
  private static String place(String origin) {
    boolean isFile = !origin.startsWith("--set") && !origin.startsWith("environment ");
    return isFile ? origin : origin.replaceFirst(": \\d+$", "");
  }

  private static String show(ConfigValue value) {
    String text =
        value.valueType() == ConfigValueType.STRING
            ? String.valueOf(value.unwrapped())
            : value.render(ConfigRenderOptions.concise());
    return text.length() <= VALUE_CHARS_MAX ? text : text.substring(0, VALUE_CHARS_MAX) + "...";
  }
}
