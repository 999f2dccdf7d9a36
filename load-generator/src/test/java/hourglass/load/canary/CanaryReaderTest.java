package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Ticks;
import hourglass.command.ProgressLine;
import hourglass.load.client.Batch;
import hourglass.load.client.FakeTarget;
import hourglass.load.client.PushAnswer;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CanaryReaderTest {
  private static final long NOON = Ticks.of(Instant.parse("2026-11-20T12:00:00Z"));
  private static final int BACKLOG = 5 * LoadLimits.CANARY_PAGE_EVENTS / 2;

  private final CanaryEvents events = CanaryEvents.ofNewRun("canary");
  private final CanaryTally tally = new CanaryTally(ProgressLine.silent(), Nanos.SYSTEM);
  private final CanaryLedger ledger =
      new CanaryLedger(Duration.ofSeconds(1), Duration.ofSeconds(10), BACKLOG, Nanos.SYSTEM, tally);

  /** All acknowledged before the first look. */
  private void send(TargetClient client, long... ticks) {
    Buffer lines = Buffer.buffer();
    for (int i = 0; i < ticks.length; i++) {
      lines.appendBytes(events.payload(i, ticks[i])).appendByte((byte) '\n');
      ledger.acknowledged(ledger.begin(ticks[i], 0), 0);
    }
    PushAnswer answer = client.push(Batch.plain(0, 0, ticks.length, lines), "", null, 0);
    assertThat(answer).isInstanceOf(PushAnswer.Verdict.class);
  }

  /** The interval is an hour, so there is no second look. */
  private void lookOnce(TargetClient client) throws InterruptedException {
    CanaryReader reader = new CanaryReader(client, client, events, ledger, tally, Nanos.SYSTEM);
    Thread watching = new Thread(() -> reader.watch(Duration.ofHours(1)), "watch");
    watching.start();
    try {
      await().until(() -> ledger.unseenBefore(Long.MAX_VALUE) == null);
    } finally {
      watching.interrupt();
      watching.join();
    }
  }

  private static long[] backlog(long ticksBetween) {
    long[] ticks = new long[BACKLOG];
    for (int i = 0; i < BACKLOG; i++) {
      ticks[i] = NOON + i * ticksBetween;
    }
    return ticks;
  }

  @Test
  void oneReadFindsABacklogOfManyPages() throws Exception {
    try (FakeTarget target = new FakeTarget();
        TargetClient client =
            new TargetClient(
                List.of(target.uri()), target.uri(), 2, Duration.ofMinutes(1), null, null)) {
      send(client, backlog(7));
      lookOnce(client);
    }
    assertThat(tally.visibleSinceAcknowledged.micros().getTotalCount()).isEqualTo(BACKLOG);
    assertThat(tally.checks.readsFailed.total()).isZero();
  }

  @Test
  void pageEndAmongEqualTimesHidesNone() throws Exception {
    long[] ticks = backlog(7);
    for (int i = 0; i < BACKLOG; i++) {
      ticks[i] -= ticks[i] % 21; // three at a time; no page holds a multiple of three
    }
    try (FakeTarget target = new FakeTarget();
        TargetClient client =
            new TargetClient(
                List.of(target.uri()), target.uri(), 2, Duration.ofMinutes(1), null, null)) {
      send(client, ticks);
      lookOnce(client);
    }
    assertThat(tally.visibleSinceAcknowledged.micros().getTotalCount()).isEqualTo(BACKLOG);
  }
}
