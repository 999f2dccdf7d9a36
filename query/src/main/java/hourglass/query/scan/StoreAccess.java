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
import java.util.function.Consumer;

/**
 * The resources of a query. Immutable.
 *
 * @param executor runs all longer work, on a bounded number of threads
 * @param loops runs work that waits for the store, each in a thread of its own
 * @param gone whether the client has cancelled the query; unfinished work then fails with {@link
 *     CancellationException}. Any thread may call it
 */
public record StoreAccess(
    WideColumnStore store,
    RowSource source,
    QueryOptions options,
    Executor executor,
    Loops loops,
    AnswerBytes.Account account,
    BooleanSupplier gone) {

  /** Starts threads of a query. */
  @FunctionalInterface
  public interface Loops {
    /** Runs work as {@link QueryThread#start} does. */
    CompletionStage<Void> start(BooleanSupplier gone, Consumer<QueryThread> work);

    /** Returns loops on threads of an executor, which no other client shares. */
    static Loops on(Executor threads) {
      return on(threads, FairExecutor.over(threads).lane(""));
    }

    /** Returns loops on threads of an executor, which work in the turns of a lane. */
    static Loops on(Executor threads, Lane lane) {
      return (gone, work) -> QueryThread.start(threads, lane, gone, work);
    }
  }

  /** Returns access that reads all columns from the store and does not limit memory. */
  public static StoreAccess of(WideColumnStore store, QueryOptions options, Executor executor) {
    return of(store, options, executor, Loops.on(executor));
  }

  /** Returns access as {@link #of(WideColumnStore, QueryOptions, Executor)} does. */
  public static StoreAccess of(
      WideColumnStore store, QueryOptions options, Executor executor, Loops loops) {
    return new StoreAccess(
        store,
        RowSource.of(store),
        options,
        executor,
        loops,
        new AnswerBytes(Long.MAX_VALUE).open(""),
        () -> false);
  }

  /**
   * Returns access that works on the threads of {@code other} and {@code otherLoops}, and reads on
   * those of {@code readers}.
   */
  public StoreAccess on(Executor other, Executor readers, Loops otherLoops) {
    return new StoreAccess(
        store.readingOn(readers), source.on(readers), options, other, otherLoops, account, gone);
  }

  /** Runs work that waits for the store in a thread of its own. */
  CompletionStage<Void> loop(Consumer<QueryThread> work) {
    return loops.start(gone, work);
  }

  public StoreAccess with(AnswerBytes.Account other) {
    return new StoreAccess(store, source, options, executor, loops, other, gone);
  }

  public StoreAccess until(BooleanSupplier isGone) {
    return new StoreAccess(store, source, options, executor, loops, account, isGone);
  }

  /** Returns access that hides the rows of other types. */
  public StoreAccess only(TypePatterns types) {
    if (types.isAll()) {
      return this;
    }
    VisibleStore visible = new VisibleStore(store, source, types);
    return new StoreAccess(visible, visible, options, executor, loops, account, gone);
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
