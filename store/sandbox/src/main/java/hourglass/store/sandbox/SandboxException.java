package hourglass.store.sandbox;

/** A server could not be started or used; the message has the reason and the remedy. */
public final class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SandboxException(String message) {
    super(message);
  }

  SandboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
