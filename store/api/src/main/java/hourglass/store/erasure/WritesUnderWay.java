package hourglass.store.erasure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Knows when all writes that began before a moment have ended. Thread-safe. */
final class WritesUnderWay {
  private Group newest = new Group();

  /** Completes with the writes of all groups before the newest. */
  private CompletableFuture<Void> earlier = CompletableFuture.completedFuture(null);

  /** Writes that began between two moments. */
  private static final class Group {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int underWay;
    private boolean isClosed;
  }

  CompletionStage<Void> run(Supplier<CompletionStage<Void>> write) {
    Group group = begin();
    CompletionStage<Void> written;
    try {
      written = write.get();
    } catch (RuntimeException e) {
      end(group);
      return CompletableFuture.failedFuture(e);
    }
    return written.whenComplete((done, failure) -> end(group));
  }

  /** Completes when all writes that have begun by now have ended. */
  CompletionStage<Void> ended() {
    Group closed;
    boolean isIdle;
    CompletableFuture<Void> all;
    synchronized (this) {
      closed = newest;
      closed.isClosed = true;
      isIdle = closed.underWay == 0;
      newest = new Group();
      all = CompletableFuture.allOf(earlier, closed.ended);
      earlier = all;
    }
    if (isIdle) {
      closed.ended.complete(null);
    }
    return all;
  }

  private synchronized Group begin() {
    newest.underWay++;
    return newest;
  }

  private void end(Group group) {
    boolean isLast;
    synchronized (this) {
      group.underWay--;
      isLast = group.isClosed && group.underWay == 0;
    }
    if (isLast) {
      group.ended.complete(null);
    }
  }
}
