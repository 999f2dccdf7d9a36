package hourglass.config.settings;

import java.util.List;

/** Thrown with a list of everything that is wrong with the settings. */
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  SettingsException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems, at least one. */
  public List<String> problems() {
    return problems;
  }
}
