package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.command.ProgressLine;
import hourglass.load.command.Nanos;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CanaryCheckTest {
  private static final long NOON = Ticks.of(Instant.parse("2026-11-20T12:00:00Z"));

  private final CanaryEvents events = new CanaryEvents("canary", "0123456789abcdef");
  private final CanaryWindow window = new CanaryWindow(0, 1_000_000_000);
  private final CanaryTally tally = new CanaryTally(ProgressLine.silent(), Nanos.SYSTEM);

  private void sent(CanaryWindow.Fate... fates) {
    for (int i = 0; i < fates.length; i++) {
      window.add(100 + i, NOON + i, 0).decide(fates[i], 0);
    }
  }

  private static void answer(CanaryCheck check, CanaryEvents of, long sequence) {
    long ticks = NOON + sequence - 100;
    byte[] line =
        "{\"id\":\"%s\",\"time\":\"%s\",\"type\":\"canary\",\"data\":%s}"
            .formatted(
                new TimeUuid(ticks, 0x8000000000000001L),
                Ticks.text(ticks),
                new String(of.payload(sequence, ticks), StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
    check.accept(StoredEvent.read(line, 0, line.length, Mapping.DEFAULT.extractor()));
  }

  @Test
  void unacknowledgedEventsAreCountedSeparately() {
    sent(
        CanaryWindow.Fate.ACKNOWLEDGED,
        CanaryWindow.Fate.UNACKNOWLEDGED,
        CanaryWindow.Fate.UNACKNOWLEDGED,
        CanaryWindow.Fate.UNACKNOWLEDGED);
    CanaryCheck check = new CanaryCheck(events, window);
    answer(check, events, 100);
    answer(check, events, 102);
    check.end(tally);
    assertThat(tally.checks.checked.sum()).isEqualTo(1);
    assertThat(tally.pushes.unacknowledgedPresent.sum()).isEqualTo(1);
    assertThat(tally.pushes.unacknowledgedAbsent.sum()).isEqualTo(2);
    assertThat(tally.faults()).isZero();
  }

  @Test
  void eventsOfOtherRunsAreIgnored() {
    sent(CanaryWindow.Fate.ACKNOWLEDGED);
    CanaryCheck check = new CanaryCheck(events, window);
    answer(check, new CanaryEvents("canary", "fedcba9876543210"), 100);
    answer(check, events, 101);
    check.end(tally);
    assertThat(tally.checks.lost.sum()).as("100 of this run").isEqualTo(1);
    assertThat(tally.checks.foreign.sum()).isZero();
    assertThat(tally.faults()).isEqualTo(1);
  }
}
