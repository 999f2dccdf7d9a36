package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.UnavailableException;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Row placement with clocks that step. */
class RowPlacementTimeTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final FakeStore store = new FakeStore();
  private final TestClock clock = new TestClock(HOUR.start());
  private long nanos;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RowPlacement rows =
      new RowPlacement(store, PlannerOptions.DEFAULTS, clock, () -> nanos, Runnable::run, meters);

  private void place(String type, int columns) {
    rows.place(List.of(new PendingWrite.Batch(new TypeHour(HOUR, type), columns(columns))))
        .toCompletableFuture()
        .join();
  }

  private static Columns columns(int count) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 0);
    for (int i = 0; i < count; i++) {
      columns.add(HOUR.startTicks() + i, 0, new byte[0], 0, 0);
    }
    return columns.build();
  }

  private long claimed(String type) {
    return store.claim(new TypeHour(HOUR, type), List.of()).toCompletableFuture().join().stream()
        .mapToLong(ShardClaim::columns)
        .sum();
  }

  @Test
  void metersCountClaimsAndWaits() {
    CompletableFuture<Void> answered = new CompletableFuture<>();
    store.answerClaims(answered);
    CompletableFuture<Void> placed =
        rows.place(List.of(new PendingWrite.Batch(new TypeHour(HOUR, "t"), columns(60_000))))
            .toCompletableFuture();
    assertThat(placed).isNotDone();
    assertThat(meters.get("hourglass.ingest.claims.under.way").gauge().value()).isEqualTo(1);
    assertThat(meters.get("hourglass.ingest.claim.waiting").gauge().value()).isEqualTo(1);
    nanos += TimeUnit.MILLISECONDS.toNanos(300);
    answered.complete(null);
    placed.join();
    assertThat(meters.get("hourglass.ingest.claims.under.way").gauge().value()).isZero();
    assertThat(meters.get("hourglass.ingest.claim.waiting").gauge().value()).isZero();
    Timer waits = meters.get("hourglass.ingest.claim.waits").timer();
    assertThat(waits.count()).isEqualTo(1);
    assertThat(waits.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(300);
    assertThat(claims("made")).isPositive();
    assertThat(meters.get("hourglass.ingest.rounds").functionCounter().count()).isPositive();
    assertThat(meters.get("hourglass.ingest.rows.opened").functionCounter().count()).isPositive();

    store.answerClaims(CompletableFuture.failedFuture(new UnavailableException("away")));
    assertThat(
            rows.place(List.of(new PendingWrite.Batch(new TypeHour(HOUR, "other"), columns(500)))))
        .isCompletedExceptionally();
    assertThat(claims("failed")).isEqualTo(1);
    assertThat(waits.count()).isEqualTo(2);
  }

  @Test
  void retriesDuringAnOutageDoNotRaiseTheRate() {
    place("t", 1_000);
    for (int i = 0; i < 200; i++) {
      List<PendingWrite.Batch> write =
          List.of(new PendingWrite.Batch(new TypeHour(HOUR, "t"), columns(10)));
      rows.place(write).toCompletableFuture().join();
      nanos += TimeUnit.MILLISECONDS.toNanos(50);
      rows.failed(write, false);
    }
    place("t", 5_000);
    assertThat(store.claims(new TypeHour(HOUR, "t")).toCompletableFuture().join())
        .allMatch(claim -> claim.shard() == 0);
  }

  private double claims(String outcome) {
    return meters.get("hourglass.ingest.claims").tag("outcome", outcome).counter().count();
  }

  @Test
  void clockStepDoesNotKeepIdleClaims() {
    place("left", 200);
    clock.pass(Duration.ofDays(1));
    place("other", 1);
    clock.pass(Duration.ofDays(-1));
    assertThat(claimed("left")).isGreaterThan(200);
    clock.pass(Duration.ofMinutes(11));
    nanos += TimeUnit.MINUTES.toNanos(11);
    place("other", 1);
    assertThat(claimed("left")).as("unused claims are given up").isEqualTo(200);
  }
}
