package hourglass.config.settings;

import java.util.List;

/** Lists everything that is wrong with the settings at once. */
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  SettingsException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** At least one. */
  public List<String> problems() {
    return problems;
  }
}
