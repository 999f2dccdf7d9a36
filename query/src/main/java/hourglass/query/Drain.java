package hourglass.query;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Gives all that a merge has to a sink, in turns on an executor; blocks no thread. */
final class Drain {
  private final RowMerge merge;
  private final EventSink sink;
  private final Executor executor;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private Drain(RowMerge merge, EventSink sink, Executor executor) {
    this.merge = merge;
    this.sink = sink;
    this.executor = executor;
  }

  /**
   * Begins.
   *
   * @param sink says FULL to let others have a turn, and is given the event again; STOP to end
   * @return fails as the store did, or with {@link CancellationException} after STOP
   */
  static CompletionStage<Void> of(RowMerge merge, EventSink sink, Executor executor) {
    Drain drain = new Drain(merge, sink, executor);
    executor.execute(drain::turn);
    return drain.done;
  }

  private void turn() {
    try {
      switch (merge.advance(sink)) {
        case DONE -> done.complete(null);
        case ENOUGH -> done.completeExceptionally(new CancellationException("nobody waits"));
        case FULL, PAUSED -> executor.execute(this::turn);
        case WAITING -> merge.awaited().whenCompleteAsync((slice, failure) -> turn(), executor);
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }
}
