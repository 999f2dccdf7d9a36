package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches the states of hours for {@code trustFor}, except during a drop. A drop waits that long
 * before the next generation begins, so no process then uses an older state. Readers thus find
 * columns of the new generation at once. Thread-safe.
 */
final class HourStates {
  /** More than any process writes and reads at a time. */
  private static final int HOURS_MAX = 10_000;

  private record Known(HourState state, long askedNanos) {}

  /** A pending answer. */
  private record Asked(long nanos, CompletableFuture<HourState> answer) {}

  private final Function<Hour, CompletionStage<HourState>> read;
  private final long trustNanos;
  private final LongSupplier nanoTime;

  private final Map<Hour, Asked> underWay = new ConcurrentHashMap<>();

  private final Map<Hour, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Hour, Known> eldest) {
          return size() > HOURS_MAX;
        }
      };

  /**
   * @param nanoTime a monotonic clock
   */
  HourStates(
      Function<Hour, CompletionStage<HourState>> read, Duration trustFor, LongSupplier nanoTime) {
    this.read = read;
    this.trustNanos = trustFor.toNanos();
    this.nanoTime = nanoTime;
  }

  /** The state of an hour, at most {@code trustFor} old; recently added classes may be missing. */
  CompletionStage<HourState> of(Hour hour) {
    Known now = trusted(hour);
    return now == null
        ? shared(hour).thenCompose(state -> settled(hour, state))
        : CompletableFuture.completedFuture(now.state());
  }

  /** A shared answer may be older than the generation that just began. */
  private CompletionStage<HourState> settled(Hour hour, HourState state) {
    return state.dropping() ? refresh(hour) : CompletableFuture.completedFuture(state);
  }

  private synchronized @Nullable Known trusted(Hour hour) {
    Known now = known.get(hour);
    return now != null && nanoTime.getAsLong() - now.askedNanos() < trustNanos ? now : null;
  }

  /**
   * Shares a pending answer, since all writers to an hour ask at the same moment. An answer
   * requested more than {@code trustFor} ago is not shared.
   */
  private CompletionStage<HourState> shared(Hour hour) {
    Asked mine = new Asked(nanoTime.getAsLong(), new CompletableFuture<>());
    Asked one =
        underWay.compute(
            hour,
            (same, theirs) ->
                theirs != null && mine.nanos() - theirs.nanos() < trustNanos ? theirs : mine);
    if (one.equals(mine)) {
      refresh(hour)
          .whenComplete(
              (state, failure) -> {
                underWay.remove(hour, mine);
                if (failure == null) {
                  mine.answer().complete(state);
                } else {
                  mine.answer().completeExceptionally(failure);
                }
              });
    }
    return one.answer();
  }

  /** Reads the state of an hour from the table. */
  CompletionStage<HourState> refresh(Hour hour) {
    long askedNanos = nanoTime.getAsLong(); // before the request, to never understate the age
    return ask(hour)
        .thenApply(
            state -> {
              if (!state.dropping()) {
                remember(hour, new Known(state, askedNanos));
              }
              return state;
            });
  }

  private CompletionStage<HourState> ask(Hour hour) {
    try {
      return read.apply(hour);
    } catch (RuntimeException e) { // else callers that share the answer would hang
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized void remember(Hour hour, Known now) {
    Known before = known.get(hour);
    if (before == null || now.askedNanos() - before.askedNanos() >= 0) {
      known.put(hour, now);
    }
  }

  /** Adds a class that this process put into an hour. */
  synchronized void added(Hour hour, int generation, RetentionClass retentionClass) {
    Known now = known.get(hour);
    if (now != null && now.state().generation() == generation) {
      known.put(hour, new Known(now.state().with(retentionClass.name()), now.askedNanos()));
    }
  }

  synchronized void forget(Hour hour) {
    known.remove(hour);
  }
}
