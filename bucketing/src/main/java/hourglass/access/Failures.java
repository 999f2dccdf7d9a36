package hourglass.access;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Finds the failures of asynchronous work. */
public final class Failures {
  private Failures() {}

  /** Returns the failure without the exceptions that futures wrap around it. */
  public static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Returns the failure as one that can be thrown without being declared. */
  public static RuntimeException unchecked(Throwable thrown) {
    Throwable cause = cause(thrown);
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }
}
