package hourglass.program.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushingWriters;
import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server stopped under load ends in order, and contains everything after its restart. */
@Tag(Tier.IN_FULL)
class MemoryAndRestartIT {
  private static final int EVENTS_MIN = 30_000;
  private static final long RESIDENT_BYTES_MAX = 900L << 20;

  private static final int TERMINATION_MILLIS_MAX = 10_000;

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(random.nextLong(), 100));

  @Test
  void shutdownUnderLoadKeepsAcknowledgedEvents() throws Exception {
    ServerProcess server = ServerProcess.start(folder);
    try (PushingWriters writers = PushingWriters.start(server, batches, random)) {
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(() -> batches.acknowledgedEvents() >= EVENTS_MIN || writers.anyEnded());
      assertThat(writers.anyEnded()).as(server.log()).isFalse();
      long resident = server.metric("process_resident_memory_bytes");
      long endNanos = System.nanoTime();
      assertThat(server.terminate()).as(server.log()).isZero();
      long endMillis = millisSince(endNanos);
      writers.join();
      if (Tier.current() == Tier.LONGEST) { // elsewhere the machine may be slow
        assertThat(endMillis).as("ms to end").isLessThan(TERMINATION_MILLIS_MAX);
      }
      assertThat(resident).as("resident bytes").isLessThan(RESIDENT_BYTES_MAX);
      long startNanos = System.nanoTime();
      server = server.restart();
      System.out.printf(
          "%,d events acknowledged, %d MiB resident, ended after %d ms, ready again after %d ms%n",
          batches.acknowledgedEvents(), resident >> 20, endMillis, millisSince(startNanos));
      assertThat(server.log()).doesNotContain(" ERROR ");
      batches.check(server);
      batches.resendOpen(server);
      batches.check(server);
    } finally {
      server.close();
    }
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }
}
