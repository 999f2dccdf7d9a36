package hourglass.program.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.program.SetClockServe;
import hourglass.program.tail.FollowedTail;
import hourglass.testing.Seed;
import hourglass.testing.SetClock;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A clock that is set forth and back, by seconds and by hours, with kills between: a tail has each
 * event once, at once, and the server says that its clock is behind.
 */
@Tag(Tier.IN_FULL)
class ClockSetBackIT {

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private Path clock;
  private Duration ahead = Duration.ZERO;
  private ServerProcess server;
  private FollowedTail tail;
  private int pushed;

  @BeforeEach
  void start() throws Exception {
    clock = folder.resolve("clock");
    set(Duration.ZERO);
    server = SetClockServe.start(folder, clock, "query.settle=300ms");
    tail = new FollowedTail(() -> server, "");
    await().until(() -> tail.connections.get() == 1);
  }

  @AfterEach
  void stop() throws Exception {
    tail.close();
    server.close();
  }

  @Test
  void clockSetBackTailHasEachEventOnce() throws Exception {
    pushAndAwait();
    assertThat(server.get("/health/ready").body()).doesNotContain("clock");

    set(Duration.ofHours(2));
    pushAndAwait();
    set(Duration.ZERO);
    pushAndAwait();
    assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
    assertThat(server.get("/health/ready").body()).contains(" s behind the latest time");
    assertThat(server.metric("hourglass_store_clock_behind_seconds")).isBetween(6_000L, 7_200L);
    assertThat(server.log()).containsOnlyOnce("it was set back");

    killAndSet(Duration.ofSeconds(-30));
    pushAndAwait();
    assertThat(server.get("/health/ready").body()).contains(" s behind the latest time");
    for (int step = 0; step < 8; step++) {
      set(ahead.plusMillis(random.nextInt(3_000) - 1_000));
      push();
    }
    awaitAll();

    set(Duration.ofHours(3));
    pushAndAwait();
    assertThat(server.get("/health/ready").body()).doesNotContain("clock");
    assertThat(tail.ids).hasSize(pushed).doesNotHaveDuplicates();
    assertThat(new HashSet<>(tail.ids)).isEqualTo(new HashSet<>(stored()));
    assertThat(tail.others).as("gaps").isEmpty();
  }

  private void set(Duration to) throws Exception {
    ahead = to;
    SetClock.set(clock, to);
  }

  private void killAndSet(Duration to) throws Exception {
    server.kill();
    set(to);
    server = server.restart();
  }

  private void pushAndAwait() throws Exception {
    push();
    awaitAll();
  }

  /** Some with a time of a moment ago, one of long ago, and one without a time. */
  private void push() throws Exception {
    StringBuilder body = new StringBuilder("{\"type\":\"untimed\"}\n");
    Instant now = Instant.now().plus(ahead);
    for (int i = 0; i < 10; i++) {
      int ageMillis = i == 0 ? 1_800_000 : random.nextInt(400);
      body.append(
          "{\"type\":\"type %d\",\"time\":%d}%n"
              .formatted(i % 3, now.minusMillis(ageMillis).toEpochMilli()));
    }
    assertThat(server.post("/api/v1/events", "application/x-ndjson", body.toString()).statusCode())
        .isEqualTo(200);
    pushed += 11;
  }

  private void awaitAll() {
    await().until(() -> tail.ids.size() >= pushed);
  }

  private List<String> stored() throws Exception {
    String range = "&from=2000-01-01T00:00:00Z&to=2099-01-01T00:00:00Z";
    return server
        .get("/api/v1/events?limit=all&format=ndjson" + range)
        .body()
        .lines()
        .map(line -> line.substring(7, 43))
        .toList();
  }
}
