package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.LimitExceededException;
import hourglass.access.Limits;
import hourglass.access.Quota;
import hourglass.access.Quotas;
import hourglass.testing.Patience;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pushes slightly above the rate of their client are delayed. The clock of the limits stands still,
 * so waits add up.
 */
class PushTurnTest {
  private static final String EVENT = "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}";

  private IngestServer server;
  private Quotas quotas;

  @BeforeEach
  void start() {
    server = new IngestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void limit(Limits limits) {
    quotas = new Quotas(limits, () -> 0, limit -> {});
    server.limit(quotas);
  }

  private Quota quota() {
    return quotas.of("", Limits.NONE);
  }

  private int push(String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url("/api/v1/events")))
            .timeout(Patience.LONGEST)
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
  }

  private static String padded(int bytes) {
    return EVENT + " ".repeat(bytes - EVENT.length());
  }

  private void assertPushed(String body, int millisMin) throws Exception {
    long began = System.nanoTime();
    assertThat(push(body)).isEqualTo(200);
    long nanos = System.nanoTime() - began;
    assertThat(nanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(millisMin));
  }

  /** Nothing is read before a turn, so the end of a client's connection shows then, too. */
  private void awaitNothingHeld() {
    await()
        .ignoreExceptionsInstanceOf(LimitExceededException.class)
        .untilAsserted(
            () -> {
              // The only request at a time.
              assertThatCode(() -> quota().push().close()).doesNotThrowAnyException();
              assertThat(server.service.inFlight().used()).isZero();
            });
  }

  @Test
  void eventsSlightlyAboveTheRateAreDelayed() throws Exception {
    limit(new Limits(10, 0, 1, 0, 0, 0));
    assertPushed((EVENT + "\n").repeat(10), 0);
    assertPushed(EVENT, 100);
    assertPushed(EVENT, 200);
    assertThat(push(EVENT)).isEqualTo(429);
    assertThat(server.store.payloads()).hasSize(12);
    awaitNothingHeld();
  }

  @Test
  void bytesSlightlyAboveTheRateAreDelayed() throws Exception {
    limit(new Limits(0, 1_000, 1, 0, 0, 0));
    assertPushed(padded(1_000), 0);
    assertPushed(padded(100), 100);
    assertPushed(padded(100), 200);
    assertThat(push(padded(100))).isEqualTo(429);
    assertThat(server.store.payloads()).hasSize(3);
    awaitNothingHeld();
  }

  /** Decoding refused requests would take time from other clients. */
  @Test
  void aClientInDebtIsRefusedBeforeItsBodyIsRead() throws Exception {
    limit(new Limits(10, 1_000, 0, 0, 0, 0));
    quota().oweEvents(15);
    assertThat(push("no event")).isEqualTo(429);
    assertThat(server.service.rejects()).isEmpty();
    quota().takeBytes(1_000);
  }

  @Test
  void aBodyOfTooManyEventsIsRefusedBeforeItIsDecoded() throws Exception {
    limit(new Limits(10, 0, 0, 0, 0, 0));
    assertPushed((EVENT + "\n").repeat(10), 0);
    assertThat(push("no event".repeat(4 * EVENT.length() / 8))).isEqualTo(429);
    assertThat(server.service.rejects()).isEmpty();
    assertPushed((EVENT + "\n").repeat(2), 200);
  }

  @Test
  void aDisconnectedClientHoldsNoMemory() throws Exception {
    limit(new Limits(0, 1_000, 1, 0, 0, 0));
    quota().oweBytes(1_000);
    leave(padded(200), () -> quota().takeBytes(0));
    limit(new Limits(10, 0, 1, 0, 0, 0));
    quota().oweEvents(10);
    leave(EVENT, () -> quota().takeEvents(0));
  }

  /** Leaves once the request has reserved its turn: then {@code taking} nothing is refused. */
  private void leave(String body, Runnable taking) throws IOException {
    try (Socket socket = server.socket()) {
      String head =
          "POST /api/v1/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
              + "Content-Length: %d\r\n\r\n";
      socket.getOutputStream().write((head.formatted(body.length()) + body).getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      await()
          .untilAsserted(
              () -> assertThatThrownBy(taking::run).isInstanceOf(LimitExceededException.class));
    }
    awaitNothingHeld();
  }
}
