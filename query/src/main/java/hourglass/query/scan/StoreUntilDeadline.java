package hourglass.query.scan;

import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A store whose rows can be read until a {@link RowDeadline} has passed. Thread-safe. */
final class StoreUntilDeadline extends ForwardingStore implements RowSource {
  private final WideColumnStore store;
  private final RowSource source;
  private final RowDeadline deadline;

  StoreUntilDeadline(WideColumnStore store, RowSource source, RowDeadline deadline) {
    this.store = store;
    this.source = source;
    this.deadline = deadline;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  @Override
  public StoreUntilDeadline readingOn(Executor threads) {
    return new StoreUntilDeadline(store.readingOn(threads), source.on(threads), deadline);
  }

  @Override
  public StoreUntilDeadline on(Executor threads) {
    return readingOn(threads);
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return deadline.read(() -> store.slice(query));
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return deadline.read(() -> store.count(query));
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return deadline.read(() -> store.values(query));
  }

  @Override
  public CompletionStage<Slice> slice(RowEntry entry, SliceQuery query) {
    return deadline.read(() -> source.slice(entry, query));
  }

  @Override
  public CompletionStage<RowCounts> count(RowEntry entry, CountQuery query) {
    return deadline.read(() -> source.count(entry, query));
  }
}
