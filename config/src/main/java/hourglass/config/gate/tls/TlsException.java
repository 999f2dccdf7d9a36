package hourglass.config.gate.tls;

import org.jspecify.annotations.Nullable;

/** Thrown for files that cannot be used. Its message gives a person the file and the remedy. */
public final class TlsException extends Exception {
  private static final long serialVersionUID = 1L;

  TlsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
