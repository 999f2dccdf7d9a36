package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.command.ProgressLine;
import hourglass.load.command.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class CanaryLedgerTest {
  private static final long NOON = Ticks.of(Instant.parse("2026-11-20T12:00:00Z"));

  private final CanaryTally tally = new CanaryTally(ProgressLine.silent(), Nanos.SYSTEM);
  private long nowNanos;

  private CanaryLedger ledger(int eventsMax) {
    return new CanaryLedger(
        Duration.ofSeconds(60), Duration.ofSeconds(10), eventsMax, () -> nowNanos, tally);
  }

  private CanaryWindow send(CanaryLedger ledger, long ticks) {
    CanaryWindow.Sent event = ledger.begin(ticks, nowNanos);
    ledger.acknowledged(event, nowNanos);
    return event.window();
  }

  private static boolean checked(CanaryLedger ledger, CanaryWindow window) {
    AtomicBoolean ended = new AtomicBoolean();
    ledger.checked(window, () -> ended.set(true));
    return ended.get();
  }

  private void passSeconds(long seconds) {
    nowNanos += seconds * 1_000_000_000;
  }

  @Test
  void windowsEndByElapsedTime() throws Exception {
    CanaryLedger ledger = ledger(100);
    CanaryWindow first = send(ledger, NOON);
    passSeconds(59);
    assertThat(send(ledger, NOON + 5)).isSameAs(first);
    passSeconds(1);
    assertThat(send(ledger, NOON + 6)).isNotSameAs(first);
    passSeconds(10);
    assertThat(ledger.awaitDue()).isSameAs(first);
    assertThat(first.fromTicks).isEqualTo(NOON);
    assertThat(first.toTicks).isEqualTo(NOON + 6);
  }

  @Test
  void rangesStayNarrowIfClockJumps() {
    CanaryLedger ledger = ledger(100);
    CanaryWindow first = send(ledger, NOON);
    CanaryWindow back = send(ledger, NOON - Ticks.PER_HOUR);
    CanaryWindow again = send(ledger, NOON + 1);
    assertThat(back).isNotSameAs(first);
    assertThat(again).isNotSameAs(first);
    assertThat(back.toTicks).isEqualTo(NOON - Ticks.PER_HOUR + 1);
    assertThat(again.fromTicks).isEqualTo(NOON + 1);
    assertThat(first.event(2)).as("of another window").isNull();
  }

  @Test
  void waitsForEventsBeingSent() throws Exception {
    CanaryLedger ledger = ledger(100);
    CanaryWindow.Sent slow = ledger.begin(NOON, 0);
    passSeconds(3600);
    CanaryWindow next = send(ledger, NOON + Ticks.PER_HOUR);
    assertThat(next).isNotSameAs(slow.window());
    assertThat(slow.window().quietNanos(nowNanos)).isNegative();
    ledger.givenUp(slow);
    ledger.seen(1, nowNanos);
    ledger.end();
    assertThat(ledger.awaitDue()).isSameAs(slow.window());
    assertThat(checked(ledger, slow.window())).isTrue();
    assertThat(ledger.awaitDue()).isSameAs(next);
    assertThat(checked(ledger, next)).isTrue();
    assertThat(ledger.awaitDue()).isNull();
  }

  @Test
  void otherWindowsPrecedeUnreadableOne() throws Exception {
    CanaryLedger ledger = ledger(100);
    CanaryWindow bad = send(ledger, NOON);
    passSeconds(60);
    CanaryWindow second = send(ledger, NOON);
    passSeconds(60);
    CanaryWindow third = send(ledger, NOON);
    passSeconds(70);
    assertThat(ledger.awaitDue()).isSameAs(bad);
    ledger.failed(bad);
    assertThat(ledger.awaitDue()).isSameAs(second);
    ledger.failed(second);
    assertThat(ledger.awaitDue()).isSameAs(third);
    assertThat(checked(ledger, third)).isTrue();
    assertThat(ledger.awaitDue()).as("tried longest ago").isSameAs(bad);
    ledger.failed(bad);
    assertThat(ledger.awaitDue()).isSameAs(second);
    assertThat(checked(ledger, second)).isTrue();
    assertThat(checked(ledger, bad)).isTrue();
    assertThat(ledger.awaited()).isZero();
  }

  @Test
  void oldestFailedWindowIsEvictedToo() {
    CanaryLedger ledger = ledger(2);
    CanaryWindow oldest = send(ledger, NOON);
    passSeconds(60);
    CanaryWindow second = send(ledger, NOON);
    passSeconds(60);
    ledger.failed(oldest);
    send(ledger, NOON);
    assertThat(checked(ledger, oldest)).as("it is gone").isFalse();
    assertThat(checked(ledger, second)).isTrue();
  }

  @Test
  void oldestWindowIsEvictedBeyondBound() {
    CanaryLedger ledger = ledger(3);
    CanaryWindow first = send(ledger, NOON);
    send(ledger, NOON);
    passSeconds(60);
    send(ledger, NOON);
    send(ledger, NOON);
    assertThat(tally.checks.unchecked.sum()).isEqualTo(2);
    assertThat(ledger.awaited()).isEqualTo(2);
    assertThat(checked(ledger, first)).as("it is gone").isFalse();
  }

  @Test
  void evictedEventsAreNotLookedFor() {
    CanaryLedger ledger = ledger(2);
    CanaryWindow.Sent prompt = ledger.begin(NOON, 0);
    CanaryWindow.Sent slow = ledger.begin(NOON + 1, 0);
    ledger.acknowledged(prompt, nowNanos);
    passSeconds(60);
    CanaryWindow.Sent next = ledger.begin(NOON + 2, nowNanos);
    assertThat(tally.checks.unchecked.sum()).isEqualTo(2);
    assertThat(ledger.unseenBefore(Long.MAX_VALUE)).as("it went with its window").isNull();
    ledger.acknowledged(slow, nowNanos);
    assertThat(ledger.unseenBefore(Long.MAX_VALUE)).as("its window went before").isNull();
    ledger.acknowledged(next, nowNanos);
    assertThat(ledger.unseenBefore(Long.MAX_VALUE)).isNotNull();
  }

  @Test
  void nothingIsCheckedAfterTheEnd() throws Exception {
    CanaryLedger ledger = ledger(100);
    CanaryWindow checked = send(ledger, NOON);
    passSeconds(60);
    CanaryWindow bad = send(ledger, NOON);
    passSeconds(60);
    CanaryWindow beingRead = send(ledger, NOON);
    send(ledger, NOON);
    assertThat(ledger.awaitDue()).isSameAs(checked);
    assertThat(checked(ledger, checked)).isTrue();
    ledger.failed(bad);
    ledger.abandon();
    assertThat(tally.checks.unchecked.sum()).isEqualTo(3);
    assertThat(ledger.awaited()).isZero();
    assertThat(checked(ledger, beingRead)).as("counted as unchecked before").isFalse();
    assertThat(checked(ledger, bad)).isFalse();
    assertThat(ledger.awaitDue()).isNull();
  }
}
