package hourglass.config.gate.keys;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a key is for. {@link #ADMIN} includes all others. */
public enum Scope {
  /** Pushes events. */
  INGEST,
  /** Reads events and what is counted from them. */
  QUERY,
  /** Reads the metrics of the process. */
  METRICS,
  /** Erases events, and all else. */
  ADMIN;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads one of {@code ingest}, {@code query}, {@code metrics} and {@code admin}.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  public static Scope of(String text) {
    return Arrays.stream(values())
        .filter(scope -> scope.text().equals(text))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("\"" + text + "\" is no scope; want " + names()));
  }

  private static String names() {
    return Arrays.stream(values()).map(Scope::text).collect(Collectors.joining(", "));
  }
}
