package hourglass.query.tail;

import hourglass.query.BadParameterException;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.filter.EventFilter;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.TimedStore;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Starts tails on a store. Thread-safe. */
public final class TailService {
  private final TailFeed feed;
  private final TailOptions tails;

  /**
   * @param executor runs merges; bounded in threads
   */
  public TailService(
      WideColumnStore store, QueryOptions options, TailOptions tails, Executor executor) {
    WideColumnStore timed = new TimedStore(store, options.storeTimeoutMillis());
    // Steps have their own bounds; the bounds of queries would refuse the same step forever.
    QueryOptions unbounded = options.withBounds(QueryBounds.WIDEST);
    StoreAccess access = StoreAccess.of(timed, unbounded, executor);
    TailReader reader = new TailReader(access, tails);
    this.feed = new TailFeed(reader, tails, executor);
    this.tails = tails;
  }

  public TailOptions options() {
    return tails;
  }

  /**
   * Starts a tail, which must be closed.
   *
   * @throws BadParameterException if the selection's expression is invalid
   */
  public CompletionStage<Tail> begin(TailQuery query) {
    @Nullable EventFilter filter = EventFilter.of(query.selection());
    feed.enter();
    return feed.start()
        .thenApply(now -> begin(query, filter, now))
        .whenComplete(
            (tail, failure) -> {
              if (failure != null) {
                feed.leave();
              }
            });
  }

  private Tail begin(TailQuery query, @Nullable EventFilter filter, TailPosition now) {
    return new Tail(feed, tails, query.selection(), filter, first(query, now));
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
