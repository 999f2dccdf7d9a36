package hourglass.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Reads rows as the directory described them just before. Whoever asks has read the entry first, so
 * an answer holds at least what was acknowledged by then. Thread-safe.
 */
public interface RowSource {

  /**
   * As {@link WideColumnStore#slice}.
   *
   * @param entry of the row that the query names
   */
  CompletionStage<Slice> slice(RowEntry entry, SliceQuery query);

  /**
   * As {@link WideColumnStore#count}.
   *
   * @param entry of the row that the query names
   */
  CompletionStage<RowCounts> count(RowEntry entry, CountQuery query);

  /** A cache of rows, which any number of sources may share. */
  interface Cache {
    /**
     * A source that reads sealed rows from the cache, and all else from a store.
     *
     * @param executor packs and unpacks what is kept
     */
    RowSource over(WideColumnStore store, Executor executor);
  }

  /** Asks the store each time, but for counts that the entry itself tells. */
  static RowSource of(WideColumnStore store) {
    return new RowSource() {
      @Override
      public CompletionStage<Slice> slice(RowEntry entry, SliceQuery query) {
        return store.slice(query);
      }

      @Override
      public CompletionStage<RowCounts> count(RowEntry entry, CountQuery query) {
        RowCounts told = ManifestCounts.of(entry, query);
        return told != null ? CompletableFuture.completedFuture(told) : store.count(query);
      }
    };
  }
}
