package hourglass.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.PlannerOptions;
import hourglass.bucketing.planner.ShardClaim;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rows while clocks go as they like. */
class RowPlanningTimeTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final FakeStore store = new FakeStore();
  private long utcMillis = HOUR.start().toEpochMilli();
  private long nanos;
  private final RowPlanning rows =
      new RowPlanning(store, PlannerOptions.DEFAULTS, new SetClock(), () -> nanos, Runnable::run);

  private final class SetClock extends Clock {
    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(utcMillis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new IllegalArgumentException("UTC only");
    }
  }

  private void place(String type, int columns) {
    rows.place(List.of(new Unplaced(HOUR, type, columns(columns)))).toCompletableFuture().join();
  }

  private static Columns columns(int count) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 0);
    for (int i = 0; i < count; i++) {
      columns.add(HOUR.startTicks() + i, 0, new byte[0], 0, 0);
    }
    return columns.build();
  }

  private long claimed(String type) {
    return store.claim(HOUR, type, List.of()).toCompletableFuture().join().stream()
        .mapToLong(ShardClaim::columns)
        .sum();
  }

  @Test
  void aClockThatSteppedADayAheadAndBackDoesNotKeepWhatIsIdle() {
    place("left", 200);
    utcMillis += TimeUnit.DAYS.toMillis(1);
    place("other", 1);
    utcMillis -= TimeUnit.DAYS.toMillis(1);
    assertThat(claimed("left")).isGreaterThan(200);
    utcMillis += TimeUnit.MINUTES.toMillis(11);
    nanos += TimeUnit.MINUTES.toNanos(11);
    place("other", 1);
    assertThat(claimed("left")).as("what was not used is given up").isEqualTo(200);
  }
}
