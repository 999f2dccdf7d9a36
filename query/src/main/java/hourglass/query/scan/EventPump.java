package hourglass.query.scan;

import hourglass.query.Progress;
import hourglass.store.Columns;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Delivers events to a sink in turns, until the sink stops or the client cancels. Never blocks. */
public final class EventPump implements EventSink {
  interface Source {

    /**
     * Delivers events until the sink or the source pauses. Never blocks. A failure of the store is
     * thrown as {@link java.util.concurrent.CompletionException}.
     */
    Progress advance(EventSink sink);

    /**
     * Returns the stage that {@link #advance} waits for; a completed one if it waits for nothing.
     */
    CompletionStage<?> awaited();
  }

  private final Source source;
  private final EventSink sink;
  private final StoreAccess access;
  private final FilterTurn turn = new FilterTurn();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private EventPump(Source source, EventSink sink, StoreAccess access) {
    this.source = source;
    this.sink = sink;
    this.access = access;
  }

  /**
   * Delivers all events of a source. The sink is never full. The stage fails as the store did, or
   * with {@link CancellationException}.
   */
  public static CompletionStage<Void> of(Source source, EventSink sink, StoreAccess access) {
    EventPump pump = new EventPump(source, sink, access);
    pump.continueLater();
    return pump.done;
  }

  private void continueLater() {
    try {
      access.executor().execute(this::turn);
    } catch (RuntimeException e) {
      done.completeExceptionally(e); // the server stops
    }
  }

  private void turn() {
    try {
      access.check();
      turn.begin();
      switch (source.advance(this)) {
        case DONE, ENOUGH -> done.complete(null);
        case FULL, PAUSED -> continueLater();
        case WAITING -> source.awaited().whenComplete((slice, failure) -> continueLater());
      }
    } catch (RuntimeException | Error e) { // the executor would drop an Error unseen
      done.completeExceptionally(e);
    }
  }

  @Override
  public Verdict offer(RowReader row, Columns columns, int i) {
    access.check();
    return turn.takes(columns.length(i)) ? sink.offer(row, columns, i) : Verdict.FULL;
  }
}
