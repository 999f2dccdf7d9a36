package hourglass.store.cassandra;

import hourglass.store.OverloadedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many requests be under way at a time; those that come meanwhile wait in order, up to a
 * bound. Thread-safe.
 */
final class RequestWindow {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final String what;
  private final int runningMax;
  private final int waitingMax;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int running;

  /**
   * @param what the requests are, for the refusal
   */
  RequestWindow(String what, int runningMax, int waitingMax) {
    this.what = what;
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  /** Runs a request now or when it is its turn; fails with overload if too many wait. */
  <T> CompletableFuture<T> run(Supplier<? extends CompletionStage<T>> request) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Runnable start = () -> start(request, answer);
    synchronized (this) {
      if (running >= runningMax) {
        if (waiting.size() >= waitingMax) {
          return CompletableFuture.failedFuture(
              new OverloadedException(waiting.size() + " " + what + " wait", RETRY_AFTER));
        }
        waiting.add(start);
        return answer;
      }
      running++;
    }
    start.run();
    return answer;
  }

  private <T> void start(
      Supplier<? extends CompletionStage<T>> request, CompletableFuture<T> answer) {
    CompletionStage<T> asked;
    try {
      asked = request.get();
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedFuture(e);
    }
    asked.whenComplete(
        (value, failure) -> {
          startNext();
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
  }

  private void startNext() {
    Runnable next = next();
    if (next != null) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      running--;
    }
    return next;
  }

  synchronized int running() {
    return running;
  }

  synchronized int waiting() {
    return waiting.size();
  }
}
