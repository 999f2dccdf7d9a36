package hourglass.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.load.client.TargetClient;
import hourglass.load.command.Nanos;
import hourglass.load.event.Mapping;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Coordinated omission: delayed requests count as late. */
final class ScheduleTest {
  private static final int STALL_MILLIS = 500;

  @Test
  void aStallCountsForWaitingRequests() throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    AtomicInteger requests = new AtomicInteger();
    try {
      HttpServer server =
          vertx
              .createHttpServer()
              .requestHandler(
                  request -> {
                    Runnable answer =
                        () ->
                            request
                                .response()
                                .end("{\"accepted\":10,\"rejected\":0,\"errors\":[]}");
                    if (requests.getAndIncrement() == 10) {
                      vertx.setTimer(STALL_MILLIS, fired -> answer.run());
                    } else {
                      answer.run();
                    }
                  })
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .join();
      Tally tally = run(URI.create("http://127.0.0.1:" + server.actualPort()));
      // 100 requests at 100 a second; about 50 wait behind the eleventh.
      assertThat(tally.latencies.intendedMicros.getTotalCount()).isEqualTo(100);
      assertThat(tally.latencies.intendedMicros.getCountBetweenValues(50_000, 600_000_000))
          .isGreaterThanOrEqualTo(40);
      assertThat(
              tally.latencies.serviceMicros.getCountBetweenValues(STALL_MILLIS * 900L, 600_000_000))
          .isEqualTo(1);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private static Tally run(URI target) throws InterruptedException {
    BatchSource source =
        new GeneratedSource(
            1000,
            10,
            new EventShape(2, 1, 0),
            Instant.parse("2026-11-20T08:00:00Z"),
            Duration.ofHours(1),
            0,
            0,
            1);
    Tally tally = new Tally(0);
    SendSettings settings = new SendSettings(1, 1000, null, Mapping.DEFAULT, Duration.ofSeconds(5));
    try (TargetClient client =
        new TargetClient(List.of(target), target, 1, Duration.ofSeconds(10), null, null)) {
      new Sender(client, settings, Nanos.SYSTEM, tally).run(source);
    }
    return tally;
  }
}
