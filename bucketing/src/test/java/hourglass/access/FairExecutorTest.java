package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.FairExecutor.Lane;
import hourglass.testing.Patience;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FairExecutorTest {
  private static final long MILLI = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();
  private final Queue<Runnable> thread = new ArrayDeque<>();
  private final FairExecutor executor = new FairExecutor(thread::add, 2, nanos::get);
  private final List<String> ran = new ArrayList<>();

  /** Runs a query of some turns. */
  private void work(Lane lane, String name, int turns, long nanosEach) {
    lane.execute(
        () -> {
          ran.add(name);
          nanos.addAndGet(nanosEach);
          if (turns > 1) {
            work(lane, name, turns - 1, nanosEach);
          }
        });
  }

  private void runAll() {
    while (!thread.isEmpty()) {
      thread.remove().run();
    }
  }

  private void runUntil(String name) {
    while (!ran.contains(name)) {
      thread.remove().run();
    }
  }

  @Test
  void tasksOfALaneBeginInOrder() {
    Lane lane = executor.lane("a");
    work(lane, "1", 1, MILLI);
    work(lane, "2", 1, MILLI);
    work(lane, "3", 1, MILLI);
    runAll();
    assertThat(ran).containsExactly("1", "2", "3");
  }

  @Test
  void aNewQueryRunsBeforeHeavyOnesOfItsClient() {
    for (int i = 0; i < 200; i++) {
      work(executor.lane("a"), "heavy", 100, 10 * MILLI);
    }
    for (int i = 0; i < 1_000; i++) {
      thread.remove().run();
    }
    ran.clear();
    work(executor.lane("a"), "small", 5, MILLI);
    runUntil("small");
    assertThat(ran).hasSizeLessThanOrEqualTo(2);
    for (int i = 0; i < 4; i++) {
      thread.remove().run();
    }
    assertThat(ran.stream().filter("small"::equals)).as("%s", ran).hasSize(5);
  }

  /** Each new lane has a head start, and so little work that the others never catch up with it. */
  @Test
  void manyNewLanesDoNotStarveAnOldOne() {
    Lane old = executor.lane("a");
    work(old, "old", 100, 10 * MILLI);
    for (int i = 0; i < 50; i++) {
      thread.remove().run();
    }
    ran.clear();
    for (int i = 0; i < 1_000; i++) {
      work(executor.lane("a"), "new", 1, MILLI / 1_000);
      work(executor.lane("client " + i), "new", 1, MILLI / 1_000);
      thread.remove().run();
      thread.remove().run();
    }
    assertThat(ran.stream().filter("old"::equals).count()).isGreaterThanOrEqualTo(5);
  }

  @Test
  void clientsGetEqualSharesRegardlessOfTheirQueries() {
    for (int i = 0; i < 50; i++) {
      work(executor.lane("many"), "many", 100, 10 * MILLI);
    }
    work(executor.lane("one"), "one", 200, 10 * MILLI);
    for (int i = 0; i < 200; i++) {
      thread.remove().run();
    }
    assertThat(ran.stream().filter("one"::equals).count()).isBetween(95L, 105L);
  }

  @Test
  void anIdleClientAccumulatesNoShare() {
    Lane idle = executor.lane("idle");
    work(idle, "idle", 1, MILLI);
    runAll();
    work(executor.lane("busy"), "busy", 2_000, 10 * MILLI);
    for (int i = 0; i < 1_000; i++) {
      thread.remove().run();
    }
    ran.clear();
    work(idle, "idle", 100, 10 * MILLI);
    for (int i = 0; i < 100; i++) {
      thread.remove().run();
    }
    assertThat(ran.stream().filter("busy"::equals).count()).isBetween(45L, 55L);
  }

  @Test
  void aPausedLaneKeepsItsTasks() {
    Lane lane = executor.lane("a");
    lane.pause();
    work(lane, "paused", 2, MILLI);
    work(executor.lane("a"), "other", 1, MILLI);
    runAll();
    assertThat(ran).containsExactly("other");
    lane.resume();
    lane.resume();
    runAll();
    assertThat(ran).containsExactly("other", "paused", "paused");
  }

  @Test
  void aLanePausedBetweenTasksLosesNone() {
    Lane lane = executor.lane("a");
    work(lane, "1", 1, MILLI);
    lane.pause();
    runAll();
    assertThat(ran).isEmpty();
    work(lane, "2", 1, MILLI);
    lane.resume();
    runAll();
    assertThat(ran).containsExactly("1", "2");
  }

  @Test
  void aLaneContinuesAfterAFailedTask() {
    Lane lane = executor.lane("a");
    lane.execute(
        () -> {
          throw new IllegalStateException("broken");
        });
    assertThatThrownBy(() -> thread.remove().run()).hasMessage("broken");
    work(lane, "next", 1, MILLI);
    runAll();
    assertThat(ran).containsExactly("next");
  }

  @Test
  void longTasksOfAClientLeaveThreadsToOthers() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    FairExecutor shared = new FairExecutor(threads, 2, System::nanoTime);
    CountDownLatch isOver = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(10);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    for (int i = 0; i < 10; i++) {
      shared
          .lane("long")
          .execute(
              () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                awaitUninterruptibly(isOver);
                running.decrementAndGet();
                ended.countDown();
              });
    }
    await().until(() -> running.get() == 2);
    CountDownLatch other = new CountDownLatch(1);
    shared.lane("other").execute(other::countDown);
    awaitUninterruptibly(other);
    isOver.countDown();
    awaitUninterruptibly(ended);
    assertThat(most).hasValue(2);
    threads.shutdown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void turnsOfOtherThreadsCountLikeTasks() {
    Lane first = executor.lane("a");
    Lane second = executor.lane("a");
    long begun = first.begin();
    second.begin();
    nanos.addAndGet(MILLI);
    work(executor.lane("a"), "waits", 1, MILLI);
    work(executor.lane("b"), "other", 1, MILLI);
    runAll();
    assertThat(ran).as("of one client, two run at a time").containsExactly("other");
    first.end(begun);
    runAll();
    assertThat(ran).containsExactly("other", "waits");
  }

  @Test
  void pausedLaneBeginsNoTurn() {
    Lane lane = executor.lane("a");
    lane.pause();
    CountDownLatch begun = new CountDownLatch(1);
    Thread waiting =
        new Thread(
            () -> {
              lane.begin();
              begun.countDown();
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    assertThat(begun.getCount()).isEqualTo(1);
    lane.resume();
    runAll();
    awaitUninterruptibly(begun);
  }

  @Test
  void aRejectionByTheThreadPoolReachesTheCaller() {
    FairExecutor shut =
        new FairExecutor(
            task -> {
              throw new RejectedExecutionException("shut down");
            },
            2,
            nanos::get);
    assertThatThrownBy(() -> shut.lane("a").execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }
}
