package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.CountQuery;
import hourglass.store.ForwardingStore;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A store whose slow reads and claims fail with {@link java.util.concurrent.TimeoutException}.
 * Failures are never thrown, but reported through the stage. Thread-safe.
 */
public final class TimedStore extends ForwardingStore {
  private final WideColumnStore store;
  private final long timeoutMillis;

  public TimedStore(WideColumnStore store, long timeoutMillis) {
    this.store = store;
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return timed(() -> store.slice(query));
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return timed(() -> store.count(query));
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return timed(() -> store.rows(hour));
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return timed(() -> store.hours(from, to));
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims) {
    return timed(() -> store.claim(typeHour, claims));
  }

  @Override
  public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
    return timed(() -> store.claims(typeHour));
  }

  @Override
  public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
    return timed(() -> store.lateArrivals(after, namesMax));
  }

  private <T> CompletionStage<T> timed(Supplier<CompletionStage<T>> call) {
    CompletableFuture<T> answer;
    try {
      answer = call.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    // A copy: the answer may be shared, and only the store completes it.
    return answer.isDone() ? answer : answer.copy().orTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
  }
}
