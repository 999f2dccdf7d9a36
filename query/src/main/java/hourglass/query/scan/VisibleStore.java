package hourglass.query.scan;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.CountQuery;
import hourglass.store.DroppedHours;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * A store as seen by a client that may read only some types. For this client, rows of other types
 * do not exist: no directory lists them, and a read of one fails, since no query should ask for it.
 * Thread-safe.
 */
final class VisibleStore extends ForwardingStore implements RowSource {
  private final WideColumnStore store;
  private final RowSource source;
  private final TypePatterns types;

  VisibleStore(WideColumnStore store, RowSource source, TypePatterns types) {
    this.store = store;
    this.source = source;
    this.types = types;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  @Override
  public VisibleStore readingOn(Executor threads) {
    return new VisibleStore(store.readingOn(threads), source.on(threads), types);
  }

  @Override
  public VisibleStore on(Executor threads) {
    return readingOn(threads);
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return store
        .rows(hour)
        .thenApply(
            rows -> rows.stream().filter(entry -> types.allows(entry.row().type())).toList());
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return isVisible(query.row()) ? store.slice(query) : hidden();
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return isVisible(query.row()) ? store.count(query) : hidden();
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return isVisible(query.part().row()) ? store.values(query) : hidden();
  }

  @Override
  public CompletionStage<Slice> slice(RowEntry entry, SliceQuery query) {
    return isVisible(query.row()) ? source.slice(entry, query) : hidden();
  }

  @Override
  public CompletionStage<RowCounts> count(RowEntry entry, CountQuery query) {
    return isVisible(query.row()) ? source.count(entry, query) : hidden();
  }

  @Override
  public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
    return types.allows(typeHour.type()) ? store.claims(typeHour) : hidden();
  }

  @Override
  public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
    return store.dropped(from, to).thenApply(dropped -> dropped.ofTypes(types::allows));
  }

  @Override
  public List<String> missing(Hour from, Hour to, Predicate<String> wanted) {
    return store.missing(from, to, type -> types.allows(type) && wanted.test(type));
  }

  private boolean isVisible(RowKey row) {
    return types.allows(row.type());
  }

  /** Returns a failure. Only a mistake in a query leads here, and it must not become an answer. */
  private static <T> CompletionStage<T> hidden() {
    return CompletableFuture.failedFuture(
        new IllegalStateException("a query reads a row of a type that its client may not see"));
  }
}
