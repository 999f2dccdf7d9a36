package hourglass.program.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client of a tail that was away for longer than the server keeps notes of what came late: it is
 * told so, and goes on from there. It takes a minute, since the server looks that often for what is
 * over.
 */
@Order(14)
@Tag(Tier.IN_FULL)
class TailGapIT {
  private static final String[] SETTINGS = {
    "store.embedded.arrivals-bytes=1MiB", "constant.segmentBytes=1048576", "query.settle=300ms",
  };

  private static final int BATCH = 5_000;

  /** Several looks of the server, of a minute each. */
  private static final Duration ROUNDS = Duration.ofMinutes(5);

  /** Notes of so many batches fill a file of them several times. */
  private static final int BATCHES_MAX = 1_000;

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private ServerProcess server;

  @BeforeEach
  void start() throws IOException {
    server = ServerProcess.start(folder, SETTINGS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void tailReportsForgottenLateEvents() throws Exception {
    String position;
    try (FollowedTail tail = new FollowedTail(() -> server, "")) {
      await().until(() -> tail.connections.get() == 1);
      push(event("before", System.currentTimeMillis()));
      await().until(() -> tail.ids.size() == 1);
      position = tail.position();
    }
    Path oldest = folder.resolve("data/arrivals").resolve("%020d.notes".formatted(1));
    Path next = folder.resolve("data/arrivals").resolve("%020d.notes".formatted(2));
    for (int batch = 0; !Files.exists(next); batch++) {
      assertThat(batch).as("batches, and no second file of notes").isLessThan(BATCHES_MAX);
      pushLate();
    }
    await().atMost(ROUNDS).until(() -> !Files.exists(oldest));
    try (FollowedTail tail = new FollowedTail(() -> server, "", position)) {
      await().until(() -> !tail.others.isEmpty());
      push(event("after", System.currentTimeMillis()) + event("late", anHourAgo()));
      await().until(() -> tail.ids.size() >= 2);
      // On a busy machine the one of now may come late too.
      assertThat(tail.late.get()).isBetween(1, 2);
      assertThat(tail.ids).hasSize(2).doesNotHaveDuplicates();
      assertThat(tail.others)
          .singleElement()
          .asString()
          .startsWith("gap {\"to\":\"20")
          .contains("the position is older than the notes of late events that are kept");
    }
  }

  private static long anHourAgo() {
    return System.currentTimeMillis() - 3_600_000;
  }

  private void pushLate() throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < BATCH; i++) {
      body.append(event("late", anHourAgo() + random.nextInt(3_000_000)));
    }
    push(body.toString());
  }

  private static String event(String type, long millis) {
    return "{\"type\":\"%s\",\"time\":%d}%n".formatted(type, millis);
  }

  private void push(String body) throws Exception {
    assertThat(server.post("/api/v1/events", "application/x-ndjson", body).statusCode())
        .isEqualTo(200);
  }
}
