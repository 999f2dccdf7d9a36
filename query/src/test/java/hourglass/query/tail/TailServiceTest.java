package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Ticks;
import hourglass.query.QueryOptions;
import hourglass.query.scan.StoreAccess;
import hourglass.query.service.Answer;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Followers of a common service, each at its own pace, from any position. */
class TailServiceTest {
  private static final int FOLLOWERS = 10;

  private final Random random = Seed.random(this);
  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T08:59:40Z"));
  private final OracleStore store = new OracleStore(clock, Duration.ofSeconds(2));
  private final TailWriter writer = new TailWriter(store, clock, random);
  private final TailOptions options =
      new TailOptions(1, 1, 10 + random.nextInt(20), 2_000, 4, 1, 1, 1 << 10);
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TailReader reader =
      new TailReader(
          StoreAccess.of(store, QueryOptions.builder().build(), Answer.THREADS), options);
  private final TailService service = new TailService(reader, options, executor);
  private final List<Follower> followers = new ArrayList<>();

  private final class Follower {
    private final TailFollower client;
    private CompletableFuture<TailStep> asked;
    private boolean isAfterLate;

    Follower() {
      TailPosition now = reader.now().toCompletableFuture().join();
      long ticks = now.name().ticks() - random.nextInt(30) * Ticks.PER_SECOND;
      client = new TailFollower(TailPosition.before(ticks, now.place()), writer.written, random);
      ask();
    }

    private void ask() {
      asked = service.next(client.position(), isAfterLate).toCompletableFuture();
    }

    boolean goOn() {
      if (asked.isDone()) {
        TailStep step = asked.join();
        isAfterLate = step.kind() == TailStep.Kind.LATE;
        client.take(step);
        ask();
      }
      return client.position().equals(service.head());
    }
  }

  @AfterEach
  void close() {
    service.leave();
    executor.shutdownNow();
  }

  @Test
  void allFollowersReachTheFeed() {
    service.enter();
    service.start().toCompletableFuture().join();
    int rounds = Tier.length(60, 200, 1_000);
    for (int round = 0; round < rounds; round++) {
      if (round % (rounds / FOLLOWERS) == 0) {
        followers.add(new Follower());
      }
      writer.write(20);
      clock.pass(Duration.ofMillis(random.nextInt(100)));
      followers.stream().filter(any -> random.nextBoolean()).forEach(Follower::goOn);
    }
    clock.pass(Duration.ofMillis(60_000));
    TailPosition end = reader.now().toCompletableFuture().join();
    for (Follower follower : followers) {
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> follower.goOn() && end.equals(service.head()));
      follower.client.check(writer.written);
    }
    assertThat(followers).hasSize(FOLLOWERS);
  }
}
