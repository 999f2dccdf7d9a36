package hourglass.query;

import hourglass.query.cache.RowSource;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Begins tails on a store. Thread-safe. */
public final class TailService {
  private final TailFeed feed;
  private final TailOptions tails;

  /**
   * @param executor runs merges; bounded in threads
   */
  public TailService(
      WideColumnStore store, QueryOptions options, TailOptions tails, Executor executor) {
    WideColumnStore timed = new TimedStore(store, options.storeTimeoutMillis());
    TailReader reader = new TailReader(timed, RowSource.of(timed), options, tails, executor);
    this.feed = new TailFeed(reader, tails, executor);
    this.tails = tails;
  }

  public TailOptions options() {
    return tails;
  }

  /**
   * Begins a tail, which must be closed.
   *
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<Tail> begin(TailQuery query) {
    EventFilter.of(query.selection());
    feed.enter();
    return feed.start()
        .thenApply(now -> new Tail(feed, tails, query.selection(), TailService.first(query, now)))
        .whenComplete(
            (tail, failure) -> {
              if (failure != null) {
                feed.leave();
              }
            });
  }

  private static TailPosition first(TailQuery query, TailPosition now) {
    if (query.after() != null) {
      return query.after();
    }
    Long since = query.sinceTicks();
    return since == null || since > now.name().ticks()
        ? now
        : TailPosition.before(since, now.place());
  }
}
