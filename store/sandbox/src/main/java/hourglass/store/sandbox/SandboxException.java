package hourglass.store.sandbox;

/** A server could not be started or used; the message says why and what to do, to a person. */
public final class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SandboxException(String message) {
    super(message);
  }

  SandboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
