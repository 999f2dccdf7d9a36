package hourglass.config.server;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Failures in words for a person. */
public final class Failures {
  private Failures() {}

  /** Without the wrapping that stages put around. */
  public static String reason(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
