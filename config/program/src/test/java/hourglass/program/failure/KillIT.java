package hourglass.program.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.cli.TunedServe;
import hourglass.program.NumberedEvents;
import hourglass.program.Program;
import hourglass.program.PushedBatches;
import hourglass.program.PushingWriters;
import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledged events survive kill -9 of the whole program with the embedded store. */
@Tag(Tier.IN_FIRST)
class KillIT {
  private static final int EVENTS_BEFORE_KILL_MAX = 25_000;
  private static final int MILLIS_BEFORE_KILL_MAX = 300;

  // Small segments and short waits, so that kills hit flushes, seals and reopened rows as well.
  private static final String[] SETTINGS = {
    "constant.segmentBytes=1048576",
    "store.embedded.memory-budget=16MiB",
    "constant.flushIdleMillis=50",
    "constant.sealAfterMillis=100",
    "store.embedded.free-space-reserve=16MiB",
    "bucketing.shards=2",
  };

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(random.nextLong(), 300));

  @Test
  void killLosesNoAcknowledgedEvent() throws Exception {
    int rounds = Tier.length(2, 4, 20);
    ServerProcess server = ServerProcess.start(folder, SETTINGS);
    try {
      for (int round = 1; round <= rounds; round++) {
        pushUntilKilled(server);
        long open = batches.open();
        long startNanos = System.nanoTime();
        if (random.nextBoolean()) {
          killWhileStarting();
          startNanos = System.nanoTime();
        }
        server = server.restart();
        System.out.printf(
            "round %d: %,d events acknowledged, %d batches without an answer, ready after %d ms%n",
            round,
            batches.acknowledgedEvents(),
            open,
            (System.nanoTime() - startNanos) / 1_000_000);
        batches.check(server);
        batches.resendOpen(server);
        assertThat(server.log()).doesNotContain(" ERROR ");
      }
      batches.check(server);
    } finally {
      server.close();
    }
  }

  private void pushUntilKilled(ServerProcess server) throws Exception {
    int target = batches.acknowledgedEvents() + 1 + random.nextInt(EVENTS_BEFORE_KILL_MAX);
    try (PushingWriters writers = PushingWriters.start(server, batches, random)) {
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> batches.acknowledgedEvents() >= target || writers.anyEnded());
      LockSupport.parkNanos(random.nextInt(MILLIS_BEFORE_KILL_MAX * 1_000_000));
      assertThat(writers.anyEnded()).as("before the kill: " + server.log()).isFalse();
      server.kill();
      writers.join();
    }
  }

  /**
   * Kills a second time, somewhere between the start of the process and a little after recovery.
   */
  private void killWhileStarting() throws Exception {
    Process starting =
        Program.builder(TunedServe.class, ServerProcess.arguments(folder, SETTINGS))
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    LockSupport.parkNanos(random.nextLong(2_000_000_000L));
    starting.destroyForcibly().waitFor();
  }
}
