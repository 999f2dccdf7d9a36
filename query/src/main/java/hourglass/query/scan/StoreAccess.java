package hourglass.query.scan;

import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBytes;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * What a query reads with. Immutable.
 *
 * @param store tells which hours and rows there are, and what arrived
 * @param source of the columns of rows; it may know some of them without the store
 * @param options the limits
 * @param executor runs what takes more than a moment; bounded in threads
 * @param account of the memory that the query holds
 * @param gone whether the client gave the query up; then what is not done yet fails with {@link
 *     java.util.concurrent.CancellationException}. Safe from any thread
 */
public record StoreAccess(
    WideColumnStore store,
    RowSource source,
    QueryOptions options,
    Executor executor,
    AnswerBytes.Account account,
    BooleanSupplier gone) {

  /** With columns that all come from the store, and memory that is not accounted for. */
  public static StoreAccess of(WideColumnStore store, QueryOptions options, Executor executor) {
    return new StoreAccess(
        store,
        RowSource.of(store),
        options,
        executor,
        new AnswerBytes(Long.MAX_VALUE).open(),
        () -> false);
  }

  /** The same on another executor. */
  public StoreAccess on(Executor other) {
    return new StoreAccess(store, source, options, other, account, gone);
  }

  /** The same for a query with an account of its own. */
  public StoreAccess with(AnswerBytes.Account other) {
    return new StoreAccess(store, source, options, executor, other, gone);
  }

  /** The same for a query that its client may give up. */
  public StoreAccess until(BooleanSupplier isGone) {
    return new StoreAccess(store, source, options, executor, account, isGone);
  }

  /** Fails if the client gave the query up. */
  void check() {
    if (gone.getAsBoolean()) {
      throw new CancellationException("the client gave the query up");
    }
  }
}
