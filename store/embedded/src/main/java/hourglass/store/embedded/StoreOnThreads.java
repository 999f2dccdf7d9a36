package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.ForwardingStore;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A store whose rows are read on the threads of a caller. Thread-safe. */
final class StoreOnThreads extends ForwardingStore {
  private final WideColumnStore store;
  private final RowsOnThreads reads;

  StoreOnThreads(WideColumnStore store, RowsOnThreads reads) {
    this.store = store;
    this.reads = reads;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  @Override
  public WideColumnStore readingOn(Executor threads) {
    return new StoreOnThreads(store, reads.on(threads));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return reads.slice(query);
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return reads.count(query);
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return reads.rows(hour);
  }

  @Override
  public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> some, FieldFilter filter) {
    return reads.mayMatch(some, filter);
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return reads.hours(from, to);
  }
}
