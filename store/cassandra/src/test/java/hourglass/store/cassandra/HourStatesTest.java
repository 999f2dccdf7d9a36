package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.store.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HourStatesTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final HourState FIRST = new HourState(0, Set.of(), 0, false);
  private static final Duration TRUST = Duration.ofSeconds(2);

  private final List<CompletableFuture<HourState>> asked = new ArrayList<>();
  private boolean away;
  private long nowNanos;
  private final HourStates hours =
      new HourStates(
          hour -> {
            if (away) {
              throw new UnavailableException("no connection");
            }
            asked.add(new CompletableFuture<>());
            return asked.get(asked.size() - 1);
          },
          TRUST,
          () -> nowNanos);

  private CompletableFuture<HourState> state() {
    return hours.of(HOUR).toCompletableFuture();
  }

  @Test
  void concurrentCallersShareOneRead() {
    CompletableFuture<HourState> one = state();
    CompletableFuture<HourState> other = state();
    asked.get(0).complete(FIRST);
    assertThat(one).isCompletedWithValue(FIRST);
    assertThat(other).isCompletedWithValue(FIRST);
    assertThat(state()).isCompletedWithValue(FIRST);
    assertThat(asked).hasSize(1);
    nowNanos = TRUST.toNanos();
    assertThat(state()).isNotDone();
    assertThat(asked).hasSize(2);
  }

  @Test
  void callersDoNotWaitForAnOutdatedRead() {
    CompletableFuture<HourState> slow = state();
    nowNanos = TRUST.toNanos();
    CompletableFuture<HourState> later = state();
    assertThat(asked).hasSize(2);
    asked.get(1).complete(FIRST);
    assertThat(later).isCompletedWithValue(FIRST);
    assertThat(slow).isNotDone();
    asked.get(0).complete(FIRST);
    assertThat(slow).isCompletedWithValue(FIRST);
  }

  @Test
  void theStateOfAnHourBeingDroppedIsReadEachTime() {
    HourState dropping = new HourState(0, Set.of("keep"), 0, true);
    HourState next = new HourState(1, Set.of(), 0, false);
    CompletableFuture<HourState> one = state();
    CompletableFuture<HourState> other = state();
    asked.get(0).complete(dropping);
    assertThat(asked).as("neither goes by an answer that others asked for").hasSize(3);
    asked.get(1).complete(dropping);
    assertThat(one.isDone()).isNotEqualTo(other.isDone());
    asked.get(2).complete(next);
    assertThat(List.of(one.join(), other.join())).containsExactlyInAnyOrder(dropping, next);
    assertThat(state()).isCompletedWithValue(next);
    assertThat(asked).hasSize(3);
  }

  @Test
  void aFailedReadIsRepeatedByTheNextCaller() {
    away = true;
    assertThat(state()).isCompletedExceptionally();
    away = false;
    CompletableFuture<HourState> again = state();
    asked.get(0).complete(FIRST);
    assertThat(again).isCompletedWithValue(FIRST);
  }
}
