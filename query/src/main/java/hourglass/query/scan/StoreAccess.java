package hourglass.query.scan;

import hourglass.access.FairExecutor;
import hourglass.access.FairExecutor.Lane;
import hourglass.access.TypePatterns;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The resources of a query. Immutable.
 *
 * @param lane the turns of the query, and brief work on the threads that clients share
 * @param threads run work that waits for the store, each in a thread of its own
 * @param reads counts what the query reads
 * @param gone whether the client has cancelled the query; unfinished work then fails with {@link
 *     CancellationException}. Any thread may call it
 */
public record StoreAccess(
    WideColumnStore store,
    RowSource source,
    QueryOptions options,
    Lane lane,
    Executor threads,
    AnswerBytes.Account account,
    QueryReads reads,
    BooleanSupplier gone) {

  /**
   * Returns access that reads all columns from the store and does not limit memory. Its work runs
   * on an executor that no other client shares, with as many threads as wait for the store.
   */
  public static StoreAccess of(WideColumnStore store, QueryOptions options, Executor executor) {
    return of(store, options, FairExecutor.over(executor).lane(""), executor);
  }

  /** Returns access that reads all columns from the store and does not limit memory. */
  public static StoreAccess of(
      WideColumnStore store, QueryOptions options, Lane lane, Executor threads) {
    return new StoreAccess(
        store,
        RowSource.of(store),
        options,
        lane,
        threads,
        new AnswerBytes(Long.MAX_VALUE).open(""),
        new QueryReads(),
        () -> false);
  }

  /** Returns access that works in the turns of another lane, and reads on {@code readers}. */
  public StoreAccess on(Lane otherLane, Executor readers, Executor otherThreads) {
    return new StoreAccess(
        store.readingOn(readers),
        source.on(readers),
        options,
        otherLane,
        otherThreads,
        account,
        reads,
        gone);
  }

  public StoreAccess with(AnswerBytes.Account other) {
    return new StoreAccess(store, source, options, lane, threads, other, reads, gone);
  }

  /** Returns access whose reads are counted in {@code others}. */
  public StoreAccess counting(QueryReads others) {
    return new StoreAccess(store, source, options, lane, threads, account, others, gone);
  }

  public StoreAccess until(BooleanSupplier isGone) {
    return new StoreAccess(store, source, options, lane, threads, account, reads, isGone);
  }

  /** Returns access that reads no more rows once a deadline has passed. */
  public StoreAccess until(RowDeadline deadline) {
    StoreUntilDeadline limited = new StoreUntilDeadline(store, source, deadline);
    return new StoreAccess(limited, limited, options, lane, threads, account, reads, gone);
  }

  /** Returns access that hides the rows of other types. */
  public StoreAccess only(TypePatterns types) {
    if (types.isAll()) {
      return this;
    }
    VisibleStore visible = new VisibleStore(store, source, types);
    return new StoreAccess(visible, visible, options, lane, threads, account, reads, gone);
  }

  /** Runs work that waits for the store in a thread of its own. */
  public <T> CompletionStage<T> start(Function<QueryThread, T> work) {
    return QueryThread.start(threads, lane, gone, work);
  }

  static CancellationException givenUp() {
    return new CancellationException("the client gave the query up");
  }
}
