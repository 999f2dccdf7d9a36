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
 * Remembers the states of hours for a while, since every write and read needs one; but not of one
 * that is about to be dropped. A drop waits that while before the next generation begins: then
 * nobody goes by a state of before, and whoever reads finds what was written to the next one at
 * once. Thread-safe.
 */
final class HourStates {
  /** More than any process writes and reads at a time. */
  private static final int HOURS_MAX = 10_000;

  private record Known(HourState state, long askedNanos) {}

  /** An answer that is yet to come. */
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
   * @param nanoTime a clock that never steps back
   */
  HourStates(
      Function<Hour, CompletionStage<HourState>> read, Duration trustFor, LongSupplier nanoTime) {
    this.read = read;
    this.trustNanos = trustFor.toNanos();
    this.nanoTime = nanoTime;
  }

  /** The state of an hour, not older than is trusted; its classes are some of those there are. */
  CompletionStage<HourState> of(Hour hour) {
    Known now = trusted(hour);
    return now == null
        ? shared(hour).thenCompose(state -> settled(hour, state))
        : CompletableFuture.completedFuture(now.state());
  }

  /** An answer that was asked for by others may be older than the generation that just began. */
  private CompletionStage<HourState> settled(Hour hour, HourState state) {
    return state.dropping() ? refresh(hour) : CompletableFuture.completedFuture(state);
  }

  private synchronized @Nullable Known trusted(Hour hour) {
    Known now = known.get(hour);
    return now != null && nanoTime.getAsLong() - now.askedNanos() < trustNanos ? now : null;
  }

  /**
   * The answer that is under way for others too, as all that write to an hour ask at one moment;
   * but none that was asked for so long ago that it would not be trusted if it were there.
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

  /** Asks for the state of an hour. */
  CompletionStage<HourState> refresh(Hour hour) {
    long askedNanos = nanoTime.getAsLong(); // before asking, so that what is old is never young
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
    } catch (RuntimeException e) { // or those who share the answer would wait for ever
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized void remember(Hour hour, Known now) {
    Known before = known.get(hour);
    if (before == null || now.askedNanos() - before.askedNanos() >= 0) {
      known.put(hour, now);
    }
  }

  /** A class was put into an hour by this process. */
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
