package hourglass.config.gate.tls;

import org.jspecify.annotations.Nullable;

/** Files that cannot be used. The message names the file and the remedy, for a person. */
public final class TlsException extends Exception {
  private static final long serialVersionUID = 1L;

  TlsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
