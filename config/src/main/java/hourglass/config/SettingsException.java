package hourglass.config;

import java.util.List;

/** The settings cannot be used; it lists everything that is wrong with them at once. */
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
