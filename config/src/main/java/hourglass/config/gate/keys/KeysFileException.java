package hourglass.config.gate.keys;

import java.util.List;

/** Thrown for a file of keys that cannot be used, with everything that is wrong with it. */
public final class KeysFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception. The problems may quote names in the file, but never a value that may be a
   * secret.
   */
  KeysFileException(List<String> problems) {
    super(String.join("; ", problems), null, false, false);
  }

  KeysFileException(String problem) {
    this(List.of(problem));
  }
}
