package hourglass.access;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports that something was not done, for a reason that the caller should know. */
public abstract class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  /** Creates an exception with a stack trace. */
  protected RefusedException(Refusal refusal, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.refusal = refusal;
  }

  /** Creates an exception without a stack trace, since such refusals are frequent. */
  protected RefusedException(Refusal refusal, String message) {
    super(message, null, false, false);
    this.refusal = refusal;
  }

  public final Refusal refusal() {
    return refusal;
  }

  /** Returns the time until a repeat; zero if that would not help. */
  public Duration retryAfter() {
    return refusal.retryAfter();
  }
}
