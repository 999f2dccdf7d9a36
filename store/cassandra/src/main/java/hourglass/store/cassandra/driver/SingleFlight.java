package hourglass.store.cassandra.driver;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one request per key at a time. Requests made meanwhile share the next answer, so no caller
 * gets an answer requested before its own call. Thread-safe.
 *
 * <pre>
 * asked      a   b  c d
 * under way  |--a--|-b,c,d-|
 * </pre>
 */
public final class SingleFlight<K, T> {
  private final Function<K, CompletionStage<T>> request;
  private final Map<K, Flight<T>> underWay = new HashMap<>();

  /** A pending answer, and the next one if a caller waits for it. */
  private static final class Flight<T> {
    private final CompletableFuture<T> answer;
    private @Nullable CompletableFuture<T> next;

    private Flight(CompletableFuture<T> answer) {
      this.answer = answer;
    }
  }

  public SingleFlight(Function<K, CompletionStage<T>> request) {
    this.request = request;
  }

  public CompletionStage<T> ask(K key) {
    Flight<T> mine;
    synchronized (this) {
      Flight<T> pending = underWay.get(key);
      if (pending != null) {
        if (pending.next == null) {
          pending.next = new CompletableFuture<>();
        }
        return pending.next.copy();
      }
      mine = new Flight<>(new CompletableFuture<>());
      underWay.put(key, mine);
    }
    CompletionStage<T> answer = mine.answer.copy();
    send(key, mine);
    return answer;
  }

  private void send(K key, Flight<T> flight) {
    var unused =
        Futures.call(() -> request.apply(key))
            .whenComplete(
                (value, failure) -> {
                  Flight<T> next = next(key, flight);
                  Futures.complete(flight.answer, value, failure);
                  if (next != null) {
                    send(key, next);
                  }
                });
  }

  private synchronized @Nullable Flight<T> next(K key, Flight<T> flight) {
    if (flight.next == null) {
      underWay.remove(key);
      return null;
    }
    Flight<T> next = new Flight<>(flight.next);
    underWay.put(key, next);
    return next;
  }
}
