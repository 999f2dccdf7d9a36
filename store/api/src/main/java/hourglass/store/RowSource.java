package hourglass.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Reads rows by their directory entries. The caller has read the entry first, so an answer contains
 * at least everything acknowledged by then. Thread-safe.
 */
public interface RowSource {

  CompletionStage<Slice> slice(RowEntry entry, SliceQuery query);

  CompletionStage<RowCounts> count(RowEntry entry, CountQuery query);

  /** As {@link WideColumnStore#readingOn}. */
  default RowSource on(Executor threads) {
    return this;
  }

  /** A cache of rows, which any number of sources may share. */
  interface Cache {
    /**
     * Reads sealed rows from the cache, and all else from a store.
     *
     * @param executor packs and unpacks cached columns
     */
    RowSource over(WideColumnStore store, Executor executor);
  }

  /** Reads the store each time, except for counts that the entry contains. */
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
