package hourglass.config.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads settings one by one and collects everything that is wrong. Not thread-safe. */
final class SettingsReader {
  private static final int ORIGIN_COLUMN = 48;

  /** A text that needs no quotes. */
  private static final Pattern PLAIN =
      Pattern.compile("(?!null$)[A-Za-z0-9][A-Za-z0-9._-]*( [A-Za-z0-9._-]+)*");

  private final List<String> problems;
  private final Config merged;

  /** The keys with a reported problem. A conflict that follows from it is not reported again. */
  private final Set<String> refused = new HashSet<>();

  private SettingsReader(List<String> problems, Config merged) {
    this.problems = problems;
    this.merged = merged;
  }

  static SettingsReader of(SettingsSources sources) {
    List<String> problems = new ArrayList<>();
    return new SettingsReader(problems, new SettingsLayers(problems).merge(sources));
  }

  static SettingsReader ofDefaults() {
    return new SettingsReader(new ArrayList<>(), Reference.DEFAULTS);
  }

  /**
   * Returns the value of a key, or its default if the value is not allowed.
   *
   * @param kind converts an allowed value, and throws an exception for any other. The message of an
   *     {@link IllegalArgumentException} is reported before what {@code reference.conf} says
   */
  <T> T get(String key, Function<ConfigValue, T> kind) {
    ConfigValue value = value(key);
    try {
      return kind.apply(value);
    } catch (RuntimeException e) {
      if (refused.add(key)) {
        problems.add(SettingProblem.of(key, value, "not allowed; " + want(key, e)));
      }
      return kind.apply(Reference.key(key).byDefault());
    }
  }

  /** Returns the path of a file; null if the text is empty. */
  @Nullable Path file(String key) {
    Path path = get(key, Kinds.text(Path::of));
    return path.toString().isEmpty() ? null : path;
  }

  /** Returns the merged value of a key, which need not be allowed. */
  ConfigValue value(String key) {
    @Nullable ConfigValue value = merged.root();
    for (String name : key.split("\\.", -1)) {
      value = value instanceof ConfigObject group ? group.get(name) : null;
    }
    return value == null ? Reference.key(key).byDefault() : value;
  }

  /**
   * Reports a value that is allowed by itself but does not fit other settings. Each key is reported
   * once.
   */
  void refuse(String key, String want) {
    if (refused.add(key)) {
      problems.add(SettingProblem.of(key, value(key), "not allowed; want " + want));
    }
  }

  /** Reports a part of a value that does not fit other settings. */
  void refusePart(String key, String part, String wrong) {
    problems.add(SettingProblem.of(key, part, SettingProblem.origin(value(key)), wrong));
  }

  /**
   * Returns the options, or reports a problem and returns the default options if several settings
   * do not fit together. The message of the exception begins with the last word of a key.
   */
  <T> T group(String name, Function<SettingsReader, T> options) {
    int problemsBefore = problems.size();
    try {
      return options.apply(this);
    } catch (IllegalArgumentException e) {
      if (problems.size() == problemsBefore) {
        String problem = name + "." + e.getMessage();
        String key = problem.split(":", 2)[0];
        boolean isKnown = Reference.KEYS.containsKey(key);
        problems.add(
            isKnown ? problem + " (from " + SettingProblem.origin(value(key)) + ")" : problem);
      }
      return options.apply(ofDefaults());
    }
  }

  /** Returns every setting as a line of a settings file, with its origin. */
  String text() {
    return Reference.KEYS.keySet().stream()
        .map(key -> line(key, value(key)))
        .collect(Collectors.joining());
  }

  private static String line(String key, ConfigValue value) {
    String origin = SettingProblem.origin(value);
    boolean isDefault = origin.equals(Reference.DEFAULT);
    // A secret that is set becomes a comment, so that the file does not replace it by another
    // value.
    String assignment =
        SettingProblem.isSecret(key) && !isDefault
            ? "# " + key + " = " + SettingProblem.HIDDEN
            : key + " = " + hocon(value);
    String padding = " ".repeat(Math.max(1, ORIGIN_COLUMN - assignment.length()));
    return assignment + padding + "# " + (isDefault ? origin : "from " + origin) + "\n";
  }

  /** Returns a value as a settings file has it, with quotes only where it needs them. */
  static String hocon(ConfigValue value) {
    if (value instanceof ConfigList list) {
      return list.stream().map(SettingsReader::hocon).collect(Collectors.joining(", ", "[", "]"));
    }
    return value.unwrapped() instanceof String text && PLAIN.matcher(text).matches()
        ? text
        : value.render(ConfigRenderOptions.concise());
  }

  /** Returns the result. Throws {@link SettingsException} if anything was wrong. */
  <T> T finish(T read) {
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return read;
  }

  private static String want(String key, RuntimeException e) {
    boolean isOurs = e instanceof IllegalArgumentException && !(e instanceof NumberFormatException);
    String more = isOurs && e.getCause() == null ? e.getMessage() : null;
    return (more == null ? "" : more + "; ") + "want " + Reference.key(key).allowed();
  }
}
