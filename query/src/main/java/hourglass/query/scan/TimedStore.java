package hourglass.query.scan;

import hourglass.store.ForwardingStore;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A store whose slow reads and claims fail with {@link java.util.concurrent.TimeoutException}.
 * Failures are never thrown, but reported through the stage. Thread-safe.
 */
public final class TimedStore extends ForwardingStore {
  private final WideColumnStore store;
  private final long timeoutMillis;

  public TimedStore(WideColumnStore store, long timeoutMillis) {
    this.store = store;
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  @Override
  public WideColumnStore readingOn(Executor threads) {
    return new TimedStore(store.readingOn(threads), timeoutMillis);
  }

  @Override
  protected <T> CompletionStage<T> read(Supplier<CompletionStage<T>> call) {
    CompletableFuture<T> answer;
    try {
      answer = call.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    // The timeout is set on a copy, since the answer may be shared, and only the store completes
    // it.
    return answer.isDone() ? answer : answer.copy().orTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
  }
}
