package hourglass.load;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CanaryLedgerTest {
  private static final long NOON = Ticks.of(Instant.parse("2026-11-20T12:00:00Z"));

  private final CanaryTally tally = new CanaryTally();
  private final CanaryUnseen unseen = new CanaryUnseen(tally);
  private long nowNanos;

  private CanaryLedger ledger(int eventsMax) {
    return new CanaryLedger(
        Duration.ofSeconds(60), Duration.ofSeconds(10), eventsMax, () -> nowNanos, unseen, tally);
  }

  private CanaryWindow send(CanaryLedger ledger, long ticks) {
    CanaryEvent event = ledger.begin(ticks, nowNanos);
    ledger.decide(event, CanaryWindow.Fate.ACKNOWLEDGED);
    return event.window();
  }

  private void passSeconds(long seconds) {
    nowNanos += seconds * 1_000_000_000;
  }

  @Test
  void gathersAWindowByTheTimeThatPassed() throws Exception {
    CanaryLedger ledger = ledger(100);
    CanaryWindow first = send(ledger, NOON);
    passSeconds(59);
    assertThat(send(ledger, NOON + 5)).isSameAs(first);
    passSeconds(1);
    assertThat(send(ledger, NOON + 6)).isNotSameAs(first);
    passSeconds(10);
    assertThat(ledger.awaitDue()).isSameAs(first);
    assertThat(first.fromTicks()).isEqualTo(NOON);
    assertThat(first.toTicks()).isEqualTo(NOON + 6);
  }

  @Test
  void keepsRangesNarrowWhereverTheClockJumps() {
    CanaryLedger ledger = ledger(100);
    CanaryWindow first = send(ledger, NOON);
    CanaryWindow back = send(ledger, NOON - Ticks.PER_HOUR);
    CanaryWindow again = send(ledger, NOON + 1);
    assertThat(back).isNotSameAs(first);
    assertThat(again).isNotSameAs(first);
    assertThat(back.toTicks()).isEqualTo(NOON - Ticks.PER_HOUR + 1);
    assertThat(again.fromTicks()).isEqualTo(NOON + 1);
    assertThat(first.indexOf(2)).as("of another window").isEqualTo(-1);
  }

  @Test
  void waitsForEventsOnTheirWay() throws Exception {
    CanaryLedger ledger = ledger(100);
    CanaryEvent slow = ledger.begin(NOON, 0);
    passSeconds(3600);
    CanaryWindow next = send(ledger, NOON + Ticks.PER_HOUR);
    assertThat(next).isNotSameAs(slow.window());
    assertThat(slow.window().quietNanos(nowNanos)).isNegative();
    ledger.decide(slow, CanaryWindow.Fate.UNACKNOWLEDGED);
    ledger.end();
    assertThat(ledger.awaitDue()).isSameAs(slow.window());
    assertThat(ledger.checked(slow.window())).isTrue();
    assertThat(ledger.awaitDue()).isSameAs(next);
    assertThat(ledger.checked(next)).isTrue();
    assertThat(ledger.awaitDue()).isNull();
  }

  @Test
  void offersTheOthersBeforeOneThatCouldNotBeRead() throws Exception {
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
    assertThat(ledger.checked(third)).isTrue();
    assertThat(ledger.awaitDue()).as("tried longest ago").isSameAs(bad);
    ledger.failed(bad);
    assertThat(ledger.awaitDue()).isSameAs(second);
    assertThat(ledger.checked(second)).isTrue();
    assertThat(ledger.checked(bad)).isTrue();
    assertThat(ledger.awaited()).isZero();
  }

  @Test
  void letsTheOldestGoThoughItWasTriedLast() {
    CanaryLedger ledger = ledger(2);
    CanaryWindow oldest = send(ledger, NOON);
    passSeconds(60);
    CanaryWindow second = send(ledger, NOON);
    passSeconds(60);
    ledger.failed(oldest);
    send(ledger, NOON);
    assertThat(ledger.checked(oldest)).as("it is gone").isFalse();
    assertThat(ledger.checked(second)).isTrue();
  }

  @Test
  void letsTheOldestGoBeyondItsBound() {
    CanaryLedger ledger = ledger(3);
    CanaryWindow first = send(ledger, NOON);
    send(ledger, NOON);
    passSeconds(60);
    send(ledger, NOON);
    send(ledger, NOON);
    assertThat(tally.unchecked.sum()).isEqualTo(2);
    assertThat(ledger.awaited()).isEqualTo(2);
    assertThat(ledger.checked(first)).as("it is gone").isFalse();
  }

  @Test
  void nobodyLooksForWhatWent() {
    CanaryLedger ledger = ledger(2);
    CanaryEvent prompt = ledger.begin(NOON, 0);
    CanaryEvent slow = ledger.begin(NOON + 1, 0);
    unseen.add(prompt, nowNanos);
    ledger.decide(prompt, CanaryWindow.Fate.ACKNOWLEDGED);
    passSeconds(60);
    CanaryEvent next = ledger.begin(NOON + 2, nowNanos);
    assertThat(tally.unchecked.sum()).isEqualTo(2);
    assertThat(unseen.isEmpty()).as("it went with its window").isTrue();
    unseen.add(slow, nowNanos);
    assertThat(unseen.isEmpty()).as("its window went before").isTrue();
    unseen.add(next, nowNanos);
    assertThat(unseen.isEmpty()).isFalse();
  }
}
