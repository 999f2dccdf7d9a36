package hourglass.program.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushedBatches.Batch;
import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk: writes are refused with a reason, reads continue, nothing acknowledged is lost. */
@Tag(Tier.IN_FIRST)
class DiskFullIT {
  private static final int BATCH_EVENTS = 500;
  private static final String[] SMALL = {
    "store.embedded.free-space-reserve=16MiB",
    "store.embedded.memory-budget=8MiB",
    "constant.flushIdleMillis=50",
  };

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(random.nextLong(), 2000));
  private final HttpClient client = PushedBatches.newClient();

  @Test
  void diskReserveRefusesWritesAndAllowsReads() throws Exception {
    ServerProcess server = ServerProcess.start(folder, SMALL);
    try {
      for (int i = 0; i < 10; i++) {
        assertThat(push(server).statusCode()).isEqualTo(200);
      }
      assertThat(server.terminate()).isZero();
      server = server.restartWith("store.embedded.free-space-reserve=1000TiB");
      assertRefuses(server);
      assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
      batches.check(server);
      assertThat(server.terminate()).as(server.log()).isZero();
      server = server.restartWith(SMALL);
      batches.check(server);
      batches.resendOpen(server);
      assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
      batches.check(server);
      assertThat(server.log()).doesNotContain(" ERROR ");
    } finally {
      server.close();
    }
  }

  private HttpResponse<String> push(ServerProcess server) throws Exception {
    Batch batch = batches.take(BATCH_EVENTS, true);
    return batches.push(client, server, batch);
  }

  private void assertRefuses(ServerProcess server) throws Exception {
    HttpResponse<String> refused = push(server);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(refused.headers().firstValue("retry-after")).isPresent();
    assertThat(refused.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(refused.body()).contains("bytes free, a reserve of");
    HttpResponse<String> ready = server.get("/health/ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("bytes free, a reserve of");
  }

  /** Runs only if this process may mount a file system; the engine's tests use a fake one. */
  @Test
  @Tag(Tier.IN_LONGEST)
  void fullFileSystemRefusesWritesAndRecovers() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    if (!run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", data)) {
      System.out.println("DiskFullIT: a real file system is filled by root alone");
      return;
    }
    try {
      fillAndFree(data);
    } finally {
      run("umount", "-l", data);
    }
  }

  private void fillAndFree(Path data) throws Exception {
    Path other = data.resolve("of-others");
    ServerProcess server = ServerProcess.start(folder, SMALL);
    try {
      for (int cycle = 0; cycle < 3; cycle++) {
        Files.write(other, new byte[42 << 20]);
        pushUntilFull(server);
        // Flushing frees some of the log again; others take that as well.
        await().pollInterval(Duration.ofMillis(500)).until(() -> takenUp(data, other));
        assertRefuses(server);
        batches.check(server);
        if (cycle == 1) {
          server.kill();
          server = server.restart();
          batches.check(server);
        }
        Files.delete(other);
        ServerProcess running = server;
        await().until(() -> running.get("/health/ready").statusCode() == 200);
        batches.resendOpen(server);
        batches.check(server);
      }
      assertThat(server.terminate()).as(server.log()).isZero();
    } finally {
      server.close();
    }
  }

  private void pushUntilFull(ServerProcess server) throws Exception {
    long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int status;
    do {
      status = push(server).statusCode();
      assertThat(status).isIn(200, 429, 503);
      assertThat(System.nanoTime()).as("never full").isLessThan(untilNanos);
    } while (status != 503);
  }

  /** Whether the free space is used up, down to a little below the reserve. */
  private static boolean takenUp(Path data, Path other) throws IOException {
    int bytes = (int) (Files.getFileStore(data).getUsableSpace() - (12 << 20));
    if (bytes <= 0) {
      return true;
    }
    Files.write(other, new byte[bytes], StandardOpenOption.APPEND);
    return false;
  }

  private static boolean run(Object... command) throws IOException, InterruptedException {
    String[] words = Arrays.stream(command).map(Object::toString).toArray(String[]::new);
    return new ProcessBuilder(words).inheritIO().start().waitFor() == 0;
  }
}
