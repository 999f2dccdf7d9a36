package hourglass.access;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The reason why something was not done, and its meaning for the caller. Exceptions carry it. Our
 * own API and Loki's answer with its status, unless they know a more exact one; other protocols
 * answer in their own forms.
 */
public enum Refusal {
  /** The caller asks for more at once than there is room for. */
  TOO_MUCH(429, Duration.ofSeconds(1)),

  /** The store or the server cannot do it now: a disk is full, a node is down, or it stops. */
  AWAY(503, Duration.ofSeconds(5)),

  /** The work did not end within its time. */
  OUT_OF_TIME(503, Duration.ofSeconds(1)),

  /** The request was wrong, so a repeat would be refused, too. */
  FOR_GOOD(400, Duration.ZERO);

  private final int status;
  private final Duration retryAfter;

  Refusal(int status, Duration retryAfter) {
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Returns the HTTP status. */
  public int status() {
    return status;
  }

  /**
   * Returns the time until a repeat, where an exception does not know a better one; zero if a
   * repeat would not help.
   */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Returns whether the same request may succeed later. */
  public boolean passes() {
    return this != FOR_GOOD;
  }

  /** Returns the reason of a failure; null for a defect. */
  public static @Nullable Refusal of(Throwable thrown) {
    Throwable cause = Failures.cause(thrown);
    if (cause instanceof RefusedException refused) {
      return refused.refusal();
    }
    if (cause instanceof RejectedExecutionException) {
      return AWAY; // queues of threads have no bound, so the process stops
    }
    return cause instanceof TimeoutException ? OUT_OF_TIME : null;
  }

  /** Returns whether the work that failed may succeed later; false for a defect. */
  public static boolean passes(Throwable thrown) {
    Refusal refusal = of(thrown);
    return refusal != null && refusal.passes();
  }

  /** Returns a message for the caller. */
  public static String message(Throwable thrown) {
    Throwable cause = Failures.cause(thrown);
    if (cause instanceof RejectedExecutionException) {
      return "the server is stopping";
    }
    return cause instanceof TimeoutException
        ? "the store did not answer in time"
        : String.valueOf(cause.getMessage());
  }

  /** Returns the whole seconds until a repeat, rounded up; 0 if it would not help. */
  public static long retryAfterSeconds(Throwable thrown) {
    Refusal refusal = of(thrown);
    if (refusal == null || !refusal.passes()) {
      return 0;
    }
    Duration after =
        Failures.cause(thrown) instanceof RefusedException refused
            ? refused.retryAfter()
            : refusal.retryAfter();
    return Math.max(1, after.plusSeconds(1).minusNanos(1).toSeconds());
  }
}
