package hourglass.config.gate.keys;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A purpose for which a key may be used. {@link #ADMIN} includes all others but {@link #ERASE}. */
public enum Scope {
  /** Permits pushing events. */
  INGEST,
  /** Permits reading events and numbers computed from them. */
  QUERY,
  /** Permits reading the metrics of the process. */
  METRICS,
  /**
   * Permits erasing single events, with a look at what would be erased. Only a key that lists it
   * has it, since no other purpose needs it and nothing undoes it.
   */
  ERASE,
  /** Permits backups, dropping hours, and everything else but {@link #ERASE}. */
  ADMIN;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads one of {@code ingest}, {@code query}, {@code metrics}, {@code erase} and {@code admin}.
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
