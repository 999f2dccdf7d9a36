package hourglass.query.cache;

import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
