package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.store.CountQuery;
import hourglass.store.ForwardingStore;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store that answers later and from other threads, and counts slices. Half of the slices have a
 * smaller limit of columns than requested.
 */
public final class LatentStore extends ForwardingStore {
  private final WideColumnStore store;
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final AtomicInteger slicesUnderWay = new AtomicInteger();
  private final AtomicInteger slices = new AtomicInteger();
  private final AtomicInteger slicesUnderWayMax = new AtomicInteger();
  private volatile Function<SliceQuery, Slice> fault = query -> null;

  public LatentStore(WideColumnStore store) {
    this.store = store;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  /** A fault's result or exception replaces slices from now on; null replaces none. */
  public void setFault(Function<SliceQuery, Slice> newFault) {
    fault = newFault;
  }

  public int slices() {
    return slices.get();
  }

  public int slicesUnderWayMax() {
    return slicesUnderWayMax.get();
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    int number = slices.incrementAndGet();
    slicesUnderWayMax.accumulateAndGet(slicesUnderWay.incrementAndGet(), Math::max);
    SliceQuery smaller =
        number % 2 == 0 ? query.withColumnsMax(Math.max(1, query.columnsMax() / 2)) : query;
    return later(
        () -> {
          slicesUnderWay.decrementAndGet();
          Slice faulty = fault.apply(query);
          return faulty != null ? CompletableFuture.completedFuture(faulty) : store.slice(smaller);
        });
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return later(() -> store.count(query));
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return later(() -> store.rows(hour));
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return later(() -> store.hours(from, to));
  }

  private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> call) {
    return CompletableFuture.supplyAsync(call, threads).thenCompose(Function.identity());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    store.close();
  }
}
