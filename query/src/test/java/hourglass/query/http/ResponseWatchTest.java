package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.Client;
import hourglass.query.QueryOptions;
import hourglass.query.http.ResponseWatch.State;
import hourglass.query.scan.QueryReads;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResponseWatchTest {
  private final Vertx vertx = Vertx.vertx();
  private Instant now = Instant.EPOCH;
  private final InstantSource source = () -> now;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final ResponseWatch watch =
      new ResponseWatch(clock, QueryOptions.DEFAULTS, TimeLimit.NONE, new QueryReads());

  private void pass(long millis) {
    now = now.plusMillis(millis);
  }

  @Test
  void stalledTimeIsNotRunningTime() {
    pass(10);
    watch.become(State.STALLED);
    pass(100);
    assertThat(watch.stalledMillis()).isEqualTo(100);
    watch.become(State.RUNNING);
    pass(1);
    watch.become(State.RUNNING);
    assertThat(watch.stalledMillis()).isZero();
    assertThat(watch.ranMillis()).isEqualTo(11);
  }

  @Test
  void timeWithoutAPlaceIsNeitherStalledNorRunning() {
    pass(10);
    watch.become(State.STALLED);
    pass(100);
    watch.become(State.WITHOUT_PLACE);
    pass(1_000);
    assertThat(watch.stalledMillis()).isZero();
    assertThat(watch.ranMillis()).isEqualTo(10);
    watch.become(State.RUNNING);
    pass(5);
    assertThat(watch.ranMillis()).isEqualTo(15);
  }

  /** An answer that is only watched. */
  private static final class Watched implements ResponseWatch.Answer {
    private final AtomicInteger checks = new AtomicInteger();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    /** The number of checks before the first failure. */
    private volatile int checksBeforeFailure;

    @Override
    public void checkWaiting() {
      checks.incrementAndGet();
    }

    @Override
    public boolean fail(Failure failure) {
      if (failures.isEmpty()) {
        checksBeforeFailure = checks.get();
      }
      return failures.add(failure);
    }

    @Override
    public void cut(String outcome) {}

    @Override
    public void holdLittle() {}
  }

  /** Starts a watch with a timeout of 10 ms on the event loop. */
  private ResponseWatch start(Watched answer, State state) {
    ResponseWatch short10 =
        new ResponseWatch(
            Clock.systemUTC(), QueryOptions.DEFAULTS, new TimeLimit(10, null), new QueryReads());
    short10.become(state);
    vertx.runOnContext(ignored -> short10.start(vertx, Client.open("ada"), "some request", answer));
    return short10;
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void aShortTimeoutEndsAQueryBeforeTheNextCheck() {
    Watched answer = new Watched();
    start(answer, State.RUNNING);
    await().until(() -> !answer.failures.isEmpty());
    assertThat(answer.checksBeforeFailure).isZero();
    assertThat(answer.failures.peek().outcome()).isEqualTo("own_timeout");
  }

  @Test
  void aShortTimeoutDoesNotMultiplyTheChecksOfAStalledAnswer() {
    Watched answer = new Watched();
    long began = System.nanoTime();
    ResponseWatch stalled = start(answer, State.STALLED);
    await().until(() -> answer.checks.get() >= 2);
    int checks = answer.checks.get();
    assertThat(System.nanoTime() - began)
        .isGreaterThan(checks * TimeUnit.MILLISECONDS.toNanos(950));
    assertThat(answer.failures).isEmpty();
    stalled.become(State.RUNNING);
    await().until(() -> !answer.failures.isEmpty());
  }
}
