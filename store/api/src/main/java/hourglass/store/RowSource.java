package hourglass.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Reads rows by their directory entries. The caller has read the entry first, so an answer contains
 * at least every column that was acknowledged by then. Thread-safe.
 */
public interface RowSource {

  CompletionStage<Slice> slice(RowEntry entry, SliceQuery query);

  CompletionStage<RowCounts> count(RowEntry entry, CountQuery query);

  /**
   * Returns a view of this source that reads on {@code threads}, like {@link
   * WideColumnStore#readingOn}.
   */
  default RowSource on(Executor threads) {
    return this;
  }

  /** A cache of rows, which any number of sources may share. */
  interface Cache {
    /**
     * Returns a source that reads sealed rows from the cache, and all others from a store.
     *
     * @param executor packs and unpacks cached columns
     */
    RowSource over(WideColumnStore store, Executor executor);
  }

  /** Returns a source that reads the store each time, except for counts that the entry contains. */
  static RowSource of(WideColumnStore store) {
    return new RowSource() {
      @Override
      public CompletionStage<Slice> slice(RowEntry entry, SliceQuery query) {
        return store.slice(query);
      }

      @Override
      public CompletionStage<RowCounts> count(RowEntry entry, CountQuery query) {
        RowCounts counts = entry.counts(query);
        return counts != null ? CompletableFuture.completedFuture(counts) : store.count(query);
      }

      @Override
      public RowSource on(Executor threads) {
        return of(store.readingOn(threads));
      }
    };
  }
}
