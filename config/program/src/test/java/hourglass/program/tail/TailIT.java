package hourglass.program.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tail through the whole program, which is killed again and again, and stopped once, while events
 * of all ages are pushed, and pushed again where no answer came: in the end the client has what a
 * query gives, each event once.
 */
@Tag(Tier.IN_FIRST)
class TailIT {
  private static final String[] SETTINGS = {
    "constant.segmentBytes=1048576",
    "store.embedded.memory-budget=16MiB",
    "constant.flushIdleMillis=50",
    "store.embedded.free-space-reserve=16MiB",
    "query.settle=300ms",
  };

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final AtomicReference<ServerProcess> server = new AtomicReference<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private volatile boolean enough;

  @Test
  void tailMatchesTheQueryAfterKills() throws Exception {
    server.set(ServerProcess.start(folder, SETTINGS));
    Instant begin = Instant.now().minusSeconds(3_600);
    List<Thread> pushers = new ArrayList<>();
    try (FollowedTail tail = new FollowedTail(server::get, "?since=" + begin)) {
      await().until(() -> tail.connections.get() == 1);
      for (int i = 0; i < 3; i++) {
        pushers.add(pusher(i, random.nextLong()));
      }
      int rounds = Tier.length(2, 4, 20);
      for (int round = 1; round <= rounds; round++) {
        int target = acknowledged.get() + 300 + random.nextInt(1_000);
        int connections = tail.connections.get();
        await().until(() -> acknowledged.get() >= target);
        if (round == rounds) {
          assertThat(server.get().terminate()).isZero();
        } else {
          server.get().kill();
        }
        server.set(server.get().restart());
        await().until(() -> tail.connections.get() > connections);
      }
      enough = true;
      for (Thread pusher : pushers) {
        pusher.join();
      }
      List<String> stored = stored(begin);
      await().until(() -> tail.ids.size() >= stored.size());
      assertThat(tail.ids).doesNotHaveDuplicates();
      assertThat(new HashSet<>(tail.ids)).isEqualTo(new HashSet<>(stored));
      assertThat(tail.late.get()).isBetween(1, stored.size() - 1);
      assertThat(tail.others).isEmpty();
      System.out.printf(
          "%,d events, %,d of them late, over %d connections%n",
          stored.size(), tail.late.get(), tail.connections.get());
    } finally {
      enough = true;
      server.get().close();
    }
  }

  private List<String> stored(Instant from) throws Exception {
    return server
        .get()
        .get("/api/v1/events?limit=all&format=ndjson&from=" + from)
        .body()
        .lines()
        .map(line -> line.substring(7, 43))
        .toList();
  }

  private Thread pusher(int number, long seed) {
    Thread thread =
        new Thread(
            () -> {
              Random ages = new Random(seed);
              for (int batch = 0; !enough; batch++) {
                push(body(ages, number, batch));
              }
            });
    thread.start();
    return thread;
  }

  /** Repeats the push until it is acknowledged, like a client whose answer was lost. */
  private void push(String body) {
    boolean done = false;
    while (!done) {
      try {
        done =
            server.get().post("/api/v1/events", "application/x-ndjson", body).statusCode() == 200;
      } catch (IOException e) {
        LockSupport.parkNanos(FollowedTail.RETRY_NANOS); // killed, and not back yet
      } catch (InterruptedException e) {
        return;
      }
    }
    acknowledged.addAndGet((int) body.lines().count());
  }

  private static String body(Random ages, int number, int batch) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      int ageMillis = ages.nextInt(4) == 0 ? ages.nextInt(1_800_000) : ages.nextInt(400);
      body.append(
          "{\"id\":\"%d-%d-%d\",\"type\":\"type %d\",\"time\":%d}%n"
              .formatted(
                  number, batch, i, ages.nextInt(3), System.currentTimeMillis() - ageMillis));
    }
    return body.toString();
  }
}
