package hourglass.query;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Gives all that a source has to a sink, in turns on an executor; blocks no thread. */
final class Drain {
  private final EventSource source;
  private final EventSink sink;
  private final Executor executor;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private Drain(EventSource source, EventSink sink, Executor executor) {
    this.source = source;
    this.sink = sink;
    this.executor = executor;
  }

  /**
   * Begins.
   *
   * @param sink says FULL to let others have a turn, and is given the event again; STOP to end
   * @return fails as the store did, or with {@link CancellationException} after STOP
   */
  static CompletionStage<Void> of(EventSource source, EventSink sink, Executor executor) {
    Drain drain = new Drain(source, sink, executor);
    executor.execute(drain::turn);
    return drain.done;
  }

  private void turn() {
    try {
      switch (source.advance(sink)) {
        case DONE -> done.complete(null);
        case ENOUGH -> done.completeExceptionally(new CancellationException("nobody waits"));
        case FULL, PAUSED -> executor.execute(this::turn);
        case WAITING -> source.awaited().whenCompleteAsync((slice, failure) -> turn(), executor);
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }
}
