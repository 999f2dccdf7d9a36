package hourglass.query.scan;

import hourglass.query.filter.FilterTurn;
import hourglass.store.Columns;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Delivers all events of a source to a sink, in turns on the query's executor, until the client
 * cancels the query. Never blocks.
 */
public final class EventPump implements EventSink {
  private final EventSource source;
  private final EventSink sink;
  private final StoreAccess access;
  private final FilterTurn turn = new FilterTurn();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private EventPump(EventSource source, EventSink sink, StoreAccess access) {
    this.source = source;
    this.sink = sink;
    this.access = access;
  }

  /**
   * Starts the delivery.
   *
   * @param sink takes every event
   * @return fails as the store did, or with {@link CancellationException} if the client cancels the
   *     query
   */
  public static CompletionStage<Void> of(EventSource source, EventSink sink, StoreAccess access) {
    EventPump pump = new EventPump(source, sink, access);
    access.executor().execute(pump::turn);
    return pump.done;
  }

  private void turn() {
    try {
      access.check();
      turn.begin();
      switch (source.advance(this)) {
        case DONE -> done.complete(null);
        case ENOUGH ->
            done.completeExceptionally(new CancellationException("the source was given up"));
        case FULL, PAUSED -> access.executor().execute(this::turn);
        case WAITING ->
            source.awaited().whenCompleteAsync((slice, failure) -> turn(), access.executor());
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  @Override
  public Verdict offer(RowReader row, Columns columns, int i) {
    access.check();
    return turn.takes(columns.length(i)) ? sink.offer(row, columns, i) : Verdict.FULL;
  }
}
