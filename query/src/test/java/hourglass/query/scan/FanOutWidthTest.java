package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.FairExecutor;
import hourglass.query.fair.QueryThread;
import hourglass.query.service.Answer;
import hourglass.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work whose end the test decides, begun by the thread of a query. */
class FanOutWidthTest {
  private final AtomicBoolean gone = new AtomicBoolean();
  private final FairExecutor.Lane lane = FairExecutor.over(Answer.THREADS).lane("");
  private final Map<Integer, CompletableFuture<Integer>> begun = new ConcurrentSkipListMap<>();
  private final List<Integer> taken = new ArrayList<>();

  private CompletableFuture<List<Integer>> run(int widthMax, int items) {
    return QueryThread.start(
            Answer.THREADS,
            lane,
            gone::get,
            thread -> {
              FanOut fanOut = new FanOut(widthMax, thread);
              for (int item : IntStream.range(0, items).toArray()) {
                fanOut.begin(() -> begin(item), taken::add);
              }
              fanOut.finish();
              return taken;
            })
        .toCompletableFuture();
  }

  private CompletableFuture<Integer> begin(int item) {
    CompletableFuture<Integer> work = new CompletableFuture<>();
    begun.put(item, work);
    return work;
  }

  private void end(int item) {
    begun.get(item).complete(item);
  }

  private void awaitBegun(int count) {
    await().until(() -> begun.size() == count);
  }

  @Test
  void noMoreIsUnderWayThanTheWidthAllows() {
    CompletableFuture<List<Integer>> done = run(2, 3);
    awaitBegun(2);
    await().until(() -> isWaiting("query-loop"));
    assertThat(begun).hasSize(2);
    end(0);
    awaitBegun(3);
    end(1);
    end(2);
    assertThat(done.join()).containsExactly(0, 1, 2);
  }

  private static boolean isWaiting(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .allMatch(
            thread ->
                thread.getState() == Thread.State.TIMED_WAITING
                    || thread.getState() == Thread.State.WAITING);
  }

  @Test
  void slowWorkDoesNotDelayTheNextUnlessTwiceTheWidthWaitsForIt() {
    CompletableFuture<List<Integer>> done = run(2, 5);
    for (int item = 1; item < 4; item++) {
      awaitBegun(item + 1);
      end(item);
    }
    await().until(() -> isWaiting("query-loop"));
    assertThat(begun).as("three results wait for the first").hasSize(4);
    end(0);
    awaitBegun(5);
    end(4);
    assertThat(done.join()).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void resultsAreTakenInTheOrderOfTheirBegin() {
    Random random = Seed.random(this);
    for (int width = 1; width < 5; width++) {
      begun.clear();
      taken.clear();
      AtomicInteger underWayMax = new AtomicInteger();
      CompletableFuture<List<Integer>> done = run(width, 100);
      while (!done.isDone()) {
        List<Integer> underWay =
            begun.keySet().stream().filter(item -> !begun.get(item).isDone()).toList();
        underWayMax.accumulateAndGet(underWay.size(), Math::max);
        if (!underWay.isEmpty()) {
          end(underWay.get(random.nextInt(underWay.size())));
        }
      }
      assertThat(done.join()).containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
      assertThat(underWayMax.get()).isBetween(1, width);
    }
  }

  /** Work that ends directly after it was looked at so many times. */
  private static final class EndsWhenLookedAt extends CompletableFuture<Integer> {
    private final AtomicInteger looksLeft;

    private EndsWhenLookedAt(int looks) {
      looksLeft = new AtomicInteger(looks);
    }

    @Override
    public boolean isDone() {
      boolean isDone = super.isDone();
      if (looksLeft.decrementAndGet() == 0) {
        complete(0);
      }
      return isDone;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void workMayEndBetweenTwoLooks(int looks) {
    CompletableFuture<List<Integer>> done =
        QueryThread.start(
                Answer.THREADS,
                lane,
                gone::get,
                thread -> {
                  FanOut fanOut = new FanOut(1, thread);
                  fanOut.begin(() -> new EndsWhenLookedAt(looks), taken::add);
                  fanOut.begin(() -> CompletableFuture.completedFuture(1), taken::add);
                  fanOut.finish();
                  return taken;
                })
            .toCompletableFuture();
    assertThat(done).succeedsWithin(Duration.ofMinutes(1));
    assertThat(taken).containsExactly(0, 1);
  }

  @Test
  void nothingBeginsAfterAFailure() {
    CompletableFuture<List<Integer>> done = run(2, 5);
    awaitBegun(2);
    begun.get(1).completeExceptionally(new IllegalStateException("away"));
    assertThatThrownBy(done::join).hasRootCauseMessage("away");
    assertThat(begun).hasSize(2);
  }

  @Test
  void nothingBeginsOnceTheQueryIsGone() {
    CompletableFuture<List<Integer>> done = run(2, 5);
    awaitBegun(2);
    gone.set(true);
    end(0);
    assertThatThrownBy(done::join).hasRootCauseInstanceOf(CancellationException.class);
    assertThat(begun).hasSize(2);
  }
}
