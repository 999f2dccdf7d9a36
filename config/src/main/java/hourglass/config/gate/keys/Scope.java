package hourglass.config.gate.keys;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A purpose for which a key may be used. {@link #ADMIN} includes all others. */
public enum Scope {
  /** Permits pushing events. */
  INGEST,
  /** Permits reading events and numbers computed from them. */
  QUERY,
  /** Permits reading the metrics of the process. */
  METRICS,
  /** Permits backups, erasing events, and everything else. */
  ADMIN;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads one of {@code ingest}, {@code query}, {@code metrics} and {@code admin}.
   *
   * @throws IllegalArgumentException if the text is none of them
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
