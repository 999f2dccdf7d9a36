package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.Gaps;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.fair.PlaceLimits;
import hourglass.query.fair.Places;
import hourglass.query.fair.Places.Size;
import hourglass.query.fair.QueryThread;
import hourglass.query.service.Answer;
import hourglass.query.service.QueryService;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client disconnects at an awkward moment. */
class ResponseStreamTest {
  private static final Duration PATIENCE = Patience.LONGEST;

  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ExecutorService threads = Executors.newFixedThreadPool(1);
  private final QueryLimiter limiter =
      new QueryLimiter(
          new Places(PlaceLimits.of(4), client -> true, System::currentTimeMillis),
          new FairExecutor(threads, 4, System::nanoTime),
          threads,
          new QueryMeters(
              new RunningQueries(Clock.systemUTC()), new SlowQueries(0, System::nanoTime), meters));
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  /** Ends although its client has gone, as if that happened after its last check. */
  private final class Body implements AnswerBody {
    private volatile boolean written;

    @Override
    public AnswerFacts write(AnswerOutput out, QueryThread thread) {
      written = true;
      inside.countDown();
      awaitOpen();
      return AnswerFacts.of(Gaps.NONE);
    }
  }

  @AfterEach
  void close() throws Exception {
    open.countDown();
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    threads.shutdownNow();
  }

  private void awaitOpen() {
    try {
      assertThat(open.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Disconnects while the thread of the query waits inside. */
  private void askAndGo(Supplier<AnswerBody> source) throws Exception {
    Router router = Router.router(vertx);
    router.route().handler(ctx -> answer(ctx, source));
    int port =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
            .actualPort();
    go(port);
    await().until(() -> meters.find("hourglass.query").tag("outcome", "cancelled").timer() != null);
    open.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void go(int port) throws IOException, InterruptedException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      RawAnswer.send(socket, "/");
      assertThat(inside.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private void answer(RoutingContext ctx, Supplier<AnswerBody> source) {
    limiter
        .ticket(
            ctx,
            Endpoint.HITS,
            Client.open("a"),
            () -> {},
            Size.LARGE,
            ticket -> begin(ctx, source, ticket))
        .enter();
  }

  private static void begin(
      RoutingContext ctx, Supplier<AnswerBody> source, QueryLimiter.Ticket ticket) {
    new ResponseStream(
            ctx,
            AnswerHead.ofJson(BodyCoding.IDENTITY),
            source,
            true,
            TimeLimit.NONE,
            QueryOptions.builder().build(),
            Clock.systemUTC(),
            ticket,
            new AnswerBytes(64 << 20).open("client"))
        .start();
  }

  @Test
  void aBodyBegunForADisconnectedClientIsNotWritten() throws Exception {
    Body body = new Body();
    askAndGo(
        () -> {
          inside.countDown();
          awaitOpen();
          return body;
        });
    assertThat(body.written).isFalse();
  }

  @Test
  void bodyThatEndsAfterItsClientIsNotSent() throws Exception {
    Body body = new Body();
    askAndGo(() -> body);
    assertThat(meters.find("hourglass.query").tag("outcome", "ok").timer()).isNull();
  }

  @Test
  void aCancelledAnswerDoesNotComplete() {
    PartsStream<String> parts =
        new PartsStream<>(
            new QueryService(
                new OracleStore(), QueryOptions.DEFAULTS, Clock.systemUTC(), Answer.THREADS),
            (on, thread) -> "",
            text -> new JsonParts().object(),
            text -> AnswerFacts.of(Gaps.NONE));
    assertThatThrownBy(() -> parts.write(bytes -> new Chunk(1_000), Answer.goneThread()))
        .isInstanceOf(CancellationException.class);
  }
}
