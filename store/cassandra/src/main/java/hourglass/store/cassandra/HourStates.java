package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Caches the states of hours for {@code trustFor}, except during a drop. A drop waits that long
 * before the next generation begins, so no process then uses an older state. Thread-safe.
 */
final class HourStates {
  /** The most hours in the cache: more than any process writes and reads at a time. */
  private static final int HOURS_MAX = 10_000;

  private record Request(long sinceNanos, CompletableFuture<HourState> answer) {}

  private final Function<Hour, CompletionStage<HourState>> read;
  private final Map<Hour, Request> underWay = new ConcurrentHashMap<>();
  private final RecentCache<Hour, HourState> cache;

  HourStates(
      Function<Hour, CompletionStage<HourState>> read, Duration trustFor, LongSupplier nanoTime) {
    this.read = read;
    this.cache = new RecentCache<>(HOURS_MAX, trustFor, nanoTime);
  }

  /**
   * Returns a state that is at most {@code trustFor} old; recently added classes may be missing.
   */
  CompletionStage<HourState> of(Hour hour) {
    HourState cached = cache.get(hour);
    if (cached != null) {
      return CompletableFuture.completedFuture(cached);
    }
    // During a drop, a shared answer may be older than the generation that just began.
    return shared(hour)
        .thenCompose(
            state -> state.dropping() ? refresh(hour) : CompletableFuture.completedFuture(state));
  }

  /**
   * Shares a pending answer, since all writers to an hour ask at once, but none that was requested
   * more than {@code trustFor} ago.
   */
  private CompletionStage<HourState> shared(Hour hour) {
    Request mine = new Request(cache.nanoTime(), new CompletableFuture<>());
    Request one =
        underWay.compute(
            hour,
            (same, other) -> other != null && cache.isRecent(other.sinceNanos()) ? other : mine);
    if (one.equals(mine)) {
      refresh(hour)
          .whenComplete(
              (state, failure) -> {
                underWay.remove(hour, mine);
                Futures.complete(mine.answer(), state, failure);
              });
    }
    return one.answer();
  }

  CompletionStage<HourState> refresh(Hour hour) {
    long sinceNanos = cache.nanoTime(); // before the request, to never understate the age
    return Futures.call(() -> read.apply(hour))
        .thenApply(
            state -> {
              if (!state.dropping()) {
                cache.put(hour, state, sinceNanos);
              }
              return state;
            });
  }

  void added(Hour hour, int generation, RetentionClass retentionClass) {
    cache.update(
        hour,
        state -> state.generation() == generation ? state.with(retentionClass.name()) : state);
  }

  void forget(Hour hour) {
    cache.remove(hour);
  }
}
