package hourglass.program.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.program.PushedBatches;
import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system, which the oldest hours leave while newer ones come. */
@Tag(Tier.IN_FULL)
class DiskBudgetIT {
  private static final Hour FIRST = Hour.parse("2026-11-20T00");
  private static final int HOURS = 120;

  /** Until then, no other program takes space, and nothing is refused for lack of it. */
  private static final int ALONE = 80;

  private static final int EVENTS = 1_000;
  private static final int EVENT_BYTES = 4_500;
  private static final int PERCENT = 70;

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final HttpClient client = PushedBatches.newClient();

  /** Runs only if this process may mount a file system; the engine's tests use a fake one. */
  @Test
  void theOldestHoursLeaveAFullDisk() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    if (!run("mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", data)) {
      System.out.println("DiskBudgetIT: a real file system is filled by root alone");
      return;
    }
    try {
      fill(data);
    } finally {
      run("umount", "-l", data);
    }
  }

  private void fill(Path data) throws Exception {
    ServerProcess server =
        ServerProcess.start(
            folder,
            "retention.max-disk-percent=" + PERCENT,
            "retention.keep-at-least=1h",
            "retention.pass-pause=1s",
            "store.embedded.free-space-reserve=16MiB",
            "store.embedded.memory-budget=64MiB");
    try {
      for (int number = 0; number < HOURS; number++) {
        if (number <= ALONE) { // hours must not come faster than a tenth of them each second
          await().until(() -> percent(data) <= PERCENT + 10);
        }
        push(server, number);
        if (number == ALONE) {
          takeAllSpace(data);
        }
      }
      await().until(() -> percent(data) <= PERCENT);
      JsonObject hits = hits(server);
      assertThat(hits.getBoolean("complete")).isTrue();
      JsonArray dropped = hits.getJsonArray("dropped");
      assertThat(dropped).as(server.log()).hasSize(1);
      String[] range = dropped.getString(0).split("\\.\\.");
      assertThat(range[0]).isEqualTo(FIRST.toString());
      int left = hour(HOURS - 1).epochHours() - Hour.parse(range[1]).epochHours();
      assertThat(left).isBetween(1, HOURS - 20);
      assertThat(hits.getLong("total")).isEqualTo((long) left * EVENTS);
      server.kill();
      server = server.restart();
      await().until(() -> percent(data) <= PERCENT);
      assertThat(hits(server).getJsonArray("dropped").getString(0)).startsWith(range[0]);
      assertThat(server.log()).doesNotContain(" ERROR ");
    } finally {
      server.close();
    }
  }

  private static Hour hour(int number) {
    return new Hour(FIRST.epochHours() + number);
  }

  /** Pushes the events of an hour, again and again while the disk is full. */
  private void push(ServerProcess server, int number) {
    StringBuilder events = new StringBuilder();
    byte[] bytes = new byte[EVENT_BYTES];
    for (int n = 0; n < EVENTS; n++) {
      random.nextBytes(bytes);
      events
          .append("{\"type\":\"t\",\"id\":\"" + number + "-" + n + "\",\"time\":")
          .append(hour(number).start().toEpochMilli() + n)
          .append(",\"text\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}\n");
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "/api/v1/events"))
            .POST(BodyPublishers.ofString(events.toString()))
            .header("Content-Type", "application/x-ndjson")
            .build();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
              assertThat(answer.statusCode())
                  .as(answer.body())
                  .isIn(200, 429, number < ALONE ? 200 : 503);
              return answer.statusCode() == 200;
            });
  }

  private JsonObject hits(ServerProcess server) throws Exception {
    String range = "from=%s&to=%s".formatted(FIRST.start(), hour(HOURS).start());
    HttpResponse<String> answer = server.get("/api/v1/hits?step=1h&" + range);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private static double percent(Path data) throws IOException {
    FileStore disk = Files.getFileStore(data);
    return 100 - 100.0 * disk.getUsableSpace() / disk.getTotalSpace();
  }

  /** Another program takes all that is free. */
  private static void takeAllSpace(Path data) throws IOException {
    Path other = data.resolve("of-others");
    FileStore disk = Files.getFileStore(data);
    byte[] block = new byte[4_096];
    try {
      while (disk.getUsableSpace() > 0) {
        Files.write(other, block, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    } catch (IOException full) {
      assertThat(disk.getUsableSpace()).isZero();
    }
  }

  private static boolean run(Object... command) throws IOException, InterruptedException {
    String[] words = Arrays.stream(command).map(Object::toString).toArray(String[]::new);
    return new ProcessBuilder(words).inheritIO().start().waitFor() == 0;
  }
}
