package hourglass.load.lab;

import hourglass.load.client.Backoff;
import hourglass.load.command.Limits;
import hourglass.load.command.Nanos;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Writes to a store, again and again where it is overloaded or away, which is safe since every
 * write is an upsert. Thread-safe.
 */
final class StoreWrites {
  private final WideColumnStore store;
  private final Nanos nanos;
  private final long patienceNanos;

  /**
   * @param patienceNanos after which a write that did not succeed has failed
   */
  StoreWrites(WideColumnStore store, Nanos nanos, long patienceNanos) {
    this.store = store;
    this.nanos = nanos;
    this.patienceNanos = patienceNanos;
  }

  /** Completes when the rows are written, or exceptionally with the failure of the last attempt. */
  CompletionStage<Void> write(List<Mutation> mutations) {
    return attempt(mutations, nanos.now() + patienceNanos, 0);
  }

  private CompletionStage<Void> attempt(List<Mutation> mutations, long untilNanos, int attempt) {
    return store
        .write(mutations)
        .handle((done, failure) -> failure)
        .thenCompose(
            failure ->
                failure == null
                    ? CompletableFuture.<Void>completedFuture(null)
                    : again(mutations, untilNanos, attempt, cause(failure)));
  }

  private CompletionStage<Void> again(
      List<Mutation> mutations, long untilNanos, int attempt, Throwable failure) {
    boolean may = failure instanceof OverloadedException || failure instanceof UnavailableException;
    if (!may || nanos.now() - untilNanos >= 0) {
      return CompletableFuture.failedFuture(failure);
    }
    long asked =
        failure instanceof OverloadedException overloaded
            ? Math.min(overloaded.retryAfter().toMillis(), Limits.RETRY_AFTER_MILLIS_MAX)
            : -1;
    Executor later =
        CompletableFuture.delayedExecutor(Backoff.millis(attempt, asked), TimeUnit.MILLISECONDS);
    return CompletableFuture.runAsync(() -> {}, later)
        .thenCompose(waited -> attempt(mutations, untilNanos, attempt + 1));
  }

  /** The failure without the wrappers of completion stages. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause(cause) : failure;
  }
}
