package hourglass.store.cassandra.driver;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one request per key at a time. Requests made meanwhile share the next answer, so no caller
 * gets an answer requested before its own call. Thousands of concurrent calls cost two requests.
 * Thread-safe.
 *
 * <pre>
 * asked      a   b  c d
 * under way  |--a--|-b,c,d-|
 * </pre>
 */
public final class SingleFlight<K, T> {
  private final Function<K, CompletionStage<T>> question;
  private final Map<K, Turn<T>> underWay = new HashMap<>();

  /** A pending answer, and the next one if a caller waits for it. */
  private static final class Turn<T> {
    private final CompletableFuture<T> answer;
    private @Nullable CompletableFuture<T> next;

    private Turn(CompletableFuture<T> answer) {
      this.answer = answer;
    }
  }

  public SingleFlight(Function<K, CompletionStage<T>> question) {
    this.question = question;
  }

  public CompletionStage<T> ask(K about) {
    Turn<T> mine;
    synchronized (this) {
      Turn<T> theirs = underWay.get(about);
      if (theirs != null) {
        if (theirs.next == null) {
          theirs.next = new CompletableFuture<>();
        }
        return theirs.next.copy();
      }
      mine = new Turn<>(new CompletableFuture<>());
      underWay.put(about, mine);
    }
    CompletionStage<T> answer = mine.answer.copy();
    send(about, mine);
    return answer;
  }

  private void send(K about, Turn<T> turn) {
    CompletionStage<T> asked;
    try {
      asked = question.apply(about);
    } catch (RuntimeException e) { // else waiting callers would hang
      asked = CompletableFuture.failedFuture(e);
    }
    asked.whenComplete(
        (value, failure) -> {
          Turn<T> next = next(about, turn);
          if (failure == null) {
            turn.answer.complete(value);
          } else {
            turn.answer.completeExceptionally(failure);
          }
          if (next != null) {
            send(about, next);
          }
        });
  }

  private synchronized @Nullable Turn<T> next(K about, Turn<T> turn) {
    if (turn.next == null) {
      underWay.remove(about);
      return null;
    }
    Turn<T> next = new Turn<>(turn.next);
    underWay.put(about, next);
    return next;
  }
}
