package hourglass.query.scan;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The time after which a query reads no more rows, so that an answer that may be partial ends with
 * those that it has. Directories are still read, since the answer names the other rows.
 * Thread-safe.
 */
public final class RowDeadline {
  /** The actions that fail the reads under way. */
  private final Set<Runnable> underWay = ConcurrentHashMap.newKeySet();

  private volatile boolean hasPassed;

  /** The failure of a row whose query has no more time. */
  static final class Passed extends TimeoutException {
    private static final long serialVersionUID = 1;

    Passed() {
      super("timeout: the query has no more time for this row, and for others of its answer");
    }
  }

  /** Makes all reads of rows fail with {@link TimeoutException}, those under way and later ones. */
  public void pass() {
    hasPassed = true;
    underWay.forEach(Runnable::run);
  }

  public boolean hasPassed() {
    return hasPassed;
  }

  /** Makes a read of a row, which fails once the time has passed. */
  <T> CompletionStage<T> read(Supplier<CompletionStage<T>> call) {
    if (hasPassed) {
      return CompletableFuture.failedFuture(new Passed());
    }
    CompletableFuture<T> answer = call.get().toCompletableFuture();
    if (answer.isDone()) {
      return answer;
    }
    CompletableFuture<T> timed = answer.copy();
    Runnable end = () -> timed.completeExceptionally(new Passed());
    underWay.add(end);
    var unused = timed.whenComplete((value, failure) -> underWay.remove(end));
    if (hasPassed) { // it may have passed before the read was added
      end.run();
    }
    return timed;
  }
}
