package hourglass.query;

import hourglass.query.cache.RowSource;
import hourglass.store.WideColumnStore;
import java.util.concurrent.Executor;

/**
 * What a query reads with. Immutable.
 *
 * @param store tells which hours and rows there are, and what arrived
 * @param source of the columns of rows; it may know some of them without the store
 * @param options the limits
 * @param executor runs what takes more than a moment; bounded in threads
 */
record StoreAccess(
    WideColumnStore store, RowSource source, QueryOptions options, Executor executor) {

  /** With columns that all come from the store. */
  static StoreAccess of(WideColumnStore store, QueryOptions options, Executor executor) {
    return new StoreAccess(store, RowSource.of(store), options, executor);
  }
}
