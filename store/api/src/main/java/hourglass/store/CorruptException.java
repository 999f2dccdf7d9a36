package hourglass.store;

import org.jspecify.annotations.Nullable;

/** Thrown when stored data is damaged. The message names the file, the place and the remedy. */
public final class CorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptException(String message) {
    this(message, null);
  }

  public CorruptException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
