package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.command.ProgressLine;
import hourglass.load.client.Batch;
import hourglass.load.client.Destination;
import hourglass.load.client.FakeTarget;
import hourglass.load.client.PushAnswer;
import hourglass.load.client.TargetClient;
import hourglass.load.command.Nanos;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CanaryRunTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int EVENTS = 40;

  private final CanaryTally tally = new CanaryTally(ProgressLine.silent(), Nanos.SYSTEM);
  private final CanaryEvents events = CanaryEvents.ofNewRun("canary");
  private final AtomicInteger asked = new AtomicInteger();

  /** An hour back after the first ten, two forward after the next, then a little back. */
  private Instant jumping() {
    int n = asked.getAndIncrement();
    int hours = n < 10 ? 0 : n < 20 ? -1 : 1;
    int seconds = n < 30 ? 0 : -1;
    return NOON.plus(Duration.ofHours(hours)).plusSeconds(seconds).plusMillis(n);
  }

  /** Fails once in an unforeseen way. */
  private static final class BreaksOnce implements Destination {
    private final Destination real;
    private boolean broken;

    BreaksOnce(Destination real) {
      this.real = real;
    }

    @Override
    public PushAnswer push(Batch batch, String query, @Nullable String idempotencyKey, int turn) {
      return real.push(batch, query, idempotencyKey, turn);
    }

    @Override
    public void awaitStored(ProgressLine progress) throws InterruptedException {
      if (!broken) {
        broken = true;
        throw new IllegalStateException("unforeseen");
      }
      real.awaitStored(progress);
    }
  }

  private void run(URI target, InstantSource clock) throws InterruptedException {
    run(target, clock, client -> client);
  }

  private void run(URI target, InstantSource clock, UnaryOperator<Destination> wrapped)
      throws InterruptedException {
    CanaryOptions options = new CanaryOptions();
    options.rate = 400;
    options.events = (long) EVENTS;
    options.connections = 2;
    options.window = Duration.ofSeconds(30);
    options.settle = Duration.ofSeconds(10);
    options.lookEvery = Duration.ofMillis(10);
    options.giveUpAfter = Duration.ofSeconds(10);
    try (TargetClient client =
        new TargetClient(List.of(target), target, 4, Duration.ofMinutes(1), null, null)) {
      Destination destination = wrapped.apply(client);
      new CanaryRun(options, events, client, destination, tally, clock, Nanos.SYSTEM).run();
    }
  }

  @Test
  void aJumpingClockIsNotALoss() throws Exception {
    try (FakeTarget target = new FakeTarget()) {
      run(target.uri(), this::jumping);
    }
    assertThat(tally.checks.checked.sum()).isEqualTo(EVENTS);
    assertThat(tally.visibleSinceAcknowledged.micros().getTotalCount()).isEqualTo(EVENTS);
    assertThat(tally.passed()).isTrue();
  }

  @Test
  void anUnexpectedFailureDoesNotStopTheChecks() throws Exception {
    try (FakeTarget target = new FakeTarget()) {
      run(target.uri(), InstantSource.system(), BreaksOnce::new);
    }
    assertThat(tally.checks.checked.sum()).isEqualTo(EVENTS);
    assertThat(tally.checks.readsFailed.byKind()).containsEntry("broken", 1L);
    assertThat(tally.passed()).isTrue();
  }

  @Test
  void aStoppedClockIsNotADuplicate() throws Exception {
    try (FakeTarget target = new FakeTarget()) {
      run(target.uri(), InstantSource.fixed(NOON));
    }
    assertThat(tally.checks.checked.sum()).isEqualTo(EVENTS);
    assertThat(tally.passed()).isTrue();
  }
}
