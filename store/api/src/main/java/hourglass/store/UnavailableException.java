package hourglass.store;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store cannot serve a request now: a disk is full, a node is down, or the store is
 * closed.
 */
public final class UnavailableException extends RefusedException {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String message) {
    this(message, null);
  }

  public UnavailableException(String message, @Nullable Throwable cause) {
    super(Refusal.AWAY, message, cause);
  }
}
