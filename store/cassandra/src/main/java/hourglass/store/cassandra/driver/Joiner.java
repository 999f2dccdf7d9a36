package hourglass.store.cassandra.driver;

import hourglass.access.Failures;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Joins requests with one key. While one is running, others wait and are then sent together, since
 * a node's work depends on the number of requests. Thread-safe.
 */
public final class Joiner<K, T> {
  /** Sends items of one key; completes when all are done. */
  public interface Request<K, T> {
    CompletionStage<Void> send(K key, List<T> items);
  }

  private final Request<K, T> request;
  private final ToLongFunction<T> size;
  private final long sizeMax;

  /** The items that wait, for each key with a running request. Guarded by itself. */
  private final Map<K, Deque<Waiting<T>>> keys = new HashMap<>();

  private record Waiting<T>(T item, CompletableFuture<Void> done) {}

  /**
   * The caller bounds the number of items that wait.
   *
   * @param sizeMax of the items that go together; a larger one goes alone
   */
  public Joiner(Request<K, T> request, ToLongFunction<T> size, long sizeMax) {
    this.request = request;
    this.size = size;
    this.sizeMax = sizeMax;
  }

  /**
   * Sends an item at once, or after a request with its key that is under way.
   *
   * @param executor sends items that waited
   */
  public CompletionStage<Void> add(K key, T item, Executor executor) {
    Waiting<T> mine = new Waiting<>(item, new CompletableFuture<>());
    synchronized (keys) {
      Deque<Waiting<T>> waiting = keys.get(key);
      if (waiting != null) {
        waiting.add(mine);
        return mine.done();
      }
      keys.put(key, new ArrayDeque<>());
    }
    send(key, List.of(mine), executor);
    return mine.done();
  }

  private void send(K key, List<Waiting<T>> group, Executor executor) {
    var unused =
        Futures.call(() -> request.send(key, group.stream().map(Waiting::item).toList()))
            .whenComplete(
                (done, failure) -> {
                  if (group.size() > 1 && isTooLarge(failure)) {
                    sendApart(key, group, executor);
                    return;
                  }
                  sendNext(key, executor);
                  group.forEach(each -> Futures.complete(each.done(), null, failure));
                });
  }

  private static boolean isTooLarge(@Nullable Throwable failure) {
    return failure != null && Failures.cause(failure) instanceof TooLargeException;
  }

  /**
   * Sends items one after the other, since only one of them may be the reason for which all were
   * refused.
   */
  private void sendApart(K key, List<Waiting<T>> group, Executor executor) {
    if (group.isEmpty()) {
      sendNext(key, executor);
      return;
    }
    Waiting<T> first = group.get(0);
    var unused =
        Futures.call(() -> request.send(key, List.of(first.item())))
            .whenComplete(
                (done, failure) -> {
                  Futures.complete(first.done(), null, failure);
                  sendApart(key, group.subList(1, group.size()), executor);
                });
  }

  private void sendNext(K key, Executor executor) {
    List<Waiting<T>> group = new ArrayList<>();
    synchronized (keys) {
      Deque<Waiting<T>> waiting = keys.getOrDefault(key, new ArrayDeque<>());
      long together = 0;
      while (!waiting.isEmpty()) {
        together += size.applyAsLong(waiting.peek().item());
        if (!group.isEmpty() && together > sizeMax) {
          break;
        }
        group.add(waiting.remove());
      }
      if (group.isEmpty()) {
        keys.remove(key);
        return;
      }
    }
    try {
      executor.execute(() -> send(key, group, executor));
    } catch (RejectedExecutionException e) {
      UnavailableException closed = new UnavailableException("the store is closed", e);
      group.forEach(each -> each.done().completeExceptionally(closed));
      sendNext(key, executor);
    }
  }
}
