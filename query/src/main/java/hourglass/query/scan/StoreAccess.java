package hourglass.query.scan;

import hourglass.access.TypePatterns;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBytes;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * The resources of a query. Immutable.
 *
 * @param executor runs all longer work, on a bounded number of threads
 * @param gone whether the client has cancelled the query; unfinished work then fails with {@link
 *     CancellationException}. Any thread may call it
 */
public record StoreAccess(
    WideColumnStore store,
    RowSource source,
    QueryOptions options,
    Executor executor,
    AnswerBytes.Account account,
    BooleanSupplier gone) {

  /** Returns access that reads all columns from the store and does not limit memory. */
  public static StoreAccess of(WideColumnStore store, QueryOptions options, Executor executor) {
    return new StoreAccess(
        store,
        RowSource.of(store),
        options,
        executor,
        new AnswerBytes(Long.MAX_VALUE).open(""),
        () -> false);
  }

  /**
   * Returns access that works on the threads of {@code other}, and reads on those of {@code
   * readers}.
   */
  public StoreAccess on(Executor other, Executor readers) {
    return new StoreAccess(
        store.readingOn(readers), source.on(readers), options, other, account, gone);
  }

  public StoreAccess with(AnswerBytes.Account other) {
    return new StoreAccess(store, source, options, executor, other, gone);
  }

  public StoreAccess until(BooleanSupplier isGone) {
    return new StoreAccess(store, source, options, executor, account, isGone);
  }

  /** Returns access that hides the rows of other types. */
  public StoreAccess only(TypePatterns types) {
    if (types.isAll()) {
      return this;
    }
    VisibleStore visible = new VisibleStore(store, source, types);
    return new StoreAccess(visible, visible, options, executor, account, gone);
  }

  public void check() {
    if (gone.getAsBoolean()) {
      throw givenUp();
    }
  }

  static CancellationException givenUp() {
    return new CancellationException("the client gave the query up");
  }
}
