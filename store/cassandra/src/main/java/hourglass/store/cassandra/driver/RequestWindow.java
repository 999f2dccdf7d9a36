package hourglass.store.cassandra.driver;

import hourglass.store.OverloadedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Limits concurrent requests. Others wait in order, up to a limit of their own. Thread-safe. */
public final class RequestWindow {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final String name;
  private final int runningMax;
  private final int waitingMax;
  private final Queue<Request<?>> waiting = new ArrayDeque<>();
  private int running;

  private record Request<T>(
      Supplier<? extends CompletionStage<T>> call, CompletableFuture<T> answer) {}

  /** {@code name} is a plural noun for the message of a refusal. */
  public RequestWindow(String name, int runningMax, int waitingMax) {
    this.name = name;
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  public String name() {
    return name;
  }

  /** Runs a request, at once or later. Fails with OverloadedException if too many requests wait. */
  public <T> CompletableFuture<T> run(Supplier<? extends CompletionStage<T>> call) {
    Request<T> request = new Request<>(call, new CompletableFuture<>());
    synchronized (this) {
      if (running >= runningMax) {
        if (waiting.size() >= waitingMax) {
          return CompletableFuture.failedFuture(
              new OverloadedException(waiting.size() + " " + name + " wait", RETRY_AFTER));
        }
        waiting.add(request);
        return request.answer();
      }
      running++;
    }
    send(request);
    return request.answer();
  }

  /**
   * Sends requests in a loop, not recursively: while no node is reachable, all answers are
   * immediate.
   */
  private void send(@Nullable Request<?> first) {
    for (Request<?> next = first; next != null; next = next()) {
      if (isUnderWay(next)) {
        return;
      }
    }
  }

  private <T> boolean isUnderWay(Request<T> request) {
    CompletableFuture<T> answer = Futures.call(request.call());
    boolean later = !answer.isDone();
    var unused =
        answer.whenComplete(
            (value, failure) -> {
              try {
                Futures.complete(request.answer(), value, failure);
              } finally {
                if (later) {
                  send(next());
                }
              }
            });
    return later;
  }

  private synchronized @Nullable Request<?> next() {
    Request<?> next = waiting.poll();
    if (next == null) {
      running--;
    }
    return next;
  }

  public synchronized int running() {
    return running;
  }

  public synchronized int waiting() {
    return waiting.size();
  }
}
