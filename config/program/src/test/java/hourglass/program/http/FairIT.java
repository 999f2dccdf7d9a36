package hourglass.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One client takes all it can get, of each thing that clients share: others are served meanwhile,
 * and so are small requests from its own address. Clients are told apart by what a trusted proxy
 * says of them.
 */
@Tag(Tier.IN_FULL)
class FairIT {
  private static final int PLACES = 4;
  private static final Duration PATIENCE = Patience.LONGEST;

  /** 30 MB, more than the sockets between server and client hold. */
  private static final int EVENTS = 60_000;

  private static final int BATCH_EVENTS = 5_000;
  private static final String ALL = "/api/v1/events?format=ndjson&limit=all&hour=2026-11-20T08";
  private static final String[] SMALL = {
    "/api/v1/events?limit=100", "/api/v1/hits?hour=2026-11-20T08&by=type", "/api/v1/rows"
  };

  /** Each event is looked at, and none found. */
  private static final String HEAVY =
      "/api/v1/events?limit=10&where="
          + URLEncoder.encode(
              "data.text.matches('^(no|never) .*such [0-9]+ text$') || data.text.size() == 1",
              StandardCharsets.UTF_8);

  @TempDir static Path folder;
  private static ServerProcess server;
  private final List<Socket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    server =
        ServerProcess.start(
            folder,
            "query.concurrent=" + PLACES,
            "query.concurrent-tails=4",
            "ingest.max-body-bytes=4MiB",
            "ingest.max-in-flight-bytes=24MiB",
            "http.idle-timeout=1h",
            "http.trusted-proxies=[127.0.0.1]");
    for (int from = 0; from < EVENTS; from += BATCH_EVENTS) {
      StringBuilder lines = new StringBuilder();
      for (int i = from; i < from + BATCH_EVENTS; i++) {
        lines.append(
            "{\"type\":\"t%d\",\"time\":\"2026-11-20T08:%02d:%02d.%04dZ\",\"id\":%d,\"data\":{\"text\":\"%s\"}}%n"
                .formatted(i % 3, i % 60, i / 60 % 60, i % 10_000, i, "never a word ".repeat(30)));
      }
      assertThat(
              server.post("/api/v1/events", "application/x-ndjson", lines.toString()).statusCode())
          .isEqualTo(200);
    }
  }

  @AfterEach
  void hangUp() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @AfterAll
  static void stop() {
    assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    server.close();
  }

  /** Sends a request of a client, whose answer is left unread. */
  private Socket ask(String client, String path) throws IOException {
    return send(client, "GET " + path + " HTTP/1.1", "");
  }

  private Socket send(String client, String line, String headers) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(8 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    String address = "\r\nHost: localhost\r\nX-Forwarded-For: " + client + "\r\n";
    RawHttp.write(socket, line + address + headers + "\r\n");
    return socket;
  }

  private static HttpResponse<String> get(String client, String path) throws Exception {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .timeout(PATIENCE)
            .header("X-Forwarded-For", client));
  }

  /** A slow machine may refuse one after its wait for a place, and serves it the next time. */
  private static void assertServed(String client, String... paths) {
    for (String path : paths) {
      await().until(() -> isServed(client, path));
    }
  }

  private static boolean isServed(String client, String... paths) throws Exception {
    for (String path : paths) {
      if (!isServed(client, path)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isServed(String client, String path) throws Exception {
    HttpResponse<String> answer = get(client, path);
    assertThat(answer.statusCode()).as("%s %s: %s", client, path, answer.body()).isIn(200, 429);
    return answer.statusCode() == 200;
  }

  @Test
  void stalledReadersHoldNoPlaces() throws Exception {
    for (int i = 0; i < 8 * PLACES; i++) {
      ask("10.0.0.1", ALL);
    }
    await().until(() -> server.metric("hourglass_query_resting") > PLACES);
    assertServed("10.0.0.1", SMALL);
    assertServed("10.0.0.2", SMALL);
    await()
        .untilAsserted(
            () -> assertThat(get("10.0.0.2", ALL).body().lines().count()).isEqualTo(EVENTS));
    // On a slow machine some were refused after their wait, and those at rest are too few.
    await()
        .until(
            () -> {
              ask("10.0.0.1", ALL);
              return server.metrics().contains("outcome=\"crowded_out\"");
            });
  }

  @Test
  void idleTailsYieldAPlaceToAnotherClient() throws Exception {
    for (int i = 0; i < 4; i++) {
      ask("10.0.0.1", "/api/v1/tail");
    }
    await().until(() -> server.metric("hourglass_query_tails") == 4);
    assertThat(get("10.0.0.1", "/api/v1/tail").statusCode()).isEqualTo(429);
    Socket other = ask("10.0.0.2", "/api/v1/tail");
    assertThat(other.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
    assertThat(server.metrics())
        .contains("hourglass_query_tails_ended_total{outcome=\"crowded_out\"} 1");
  }

  /** The slow clients hold all the memory of pushes, and send a byte now and then. */
  @Test
  void slowBodiesYieldMemoryToOtherPushes() throws Exception {
    byte[] spaces = new byte[3 << 20];
    Arrays.fill(spaces, (byte) ' ');
    List<Socket> slow = new ArrayList<>();
    String headers = "Content-Type: application/x-ndjson\r\nContent-Length: 4000000\r\n";
    for (int i = 0; i < 12; i++) {
      slow.add(send("10.0.0.1", "POST /api/v1/events HTTP/1.1", headers));
      slow.get(i).getOutputStream().write(spaces, 0, 2 << 20);
    }
    await().until(() -> server.metric("hourglass_ingest_in_flight_bytes") > 19 << 20);
    String large = new String(spaces, StandardCharsets.US_ASCII) + "{\"type\":\"pushed\"}";
    for (String client : List.of("10.0.0.2", "10.0.0.1")) {
      await()
          .until(
              () -> {
                slow.forEach(FairIT::trickle);
                return push(client, large) == 200;
              });
    }
  }

  private static void trickle(Socket socket) {
    try {
      socket.getOutputStream().write(' ');
    } catch (IOException e) {
      Thread.onSpinWait(); // it has lost its memory, and its connection
    }
  }

  private static int push(String client, String body) throws Exception {
    return server
        .send(
            HttpRequest.newBuilder(server.uri("/api/v1/events"))
                .timeout(PATIENCE)
                .header("X-Forwarded-For", client)
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(body)))
        .statusCode();
  }

  @Test
  void heavyQueriesLeavePlacesForSmallOnes() throws Exception {
    for (int round = 0; round < 3; round++) {
      // Those in line are refused after a while, so a round counts if some still wait at its end.
      await()
          .until(
              () -> {
                askUntilSomeWait();
                return isServed("10.0.0.1", SMALL)
                    && isServed("10.0.0.2", SMALL)
                    && server.metric("hourglass_query_waiting") > 0;
              });
    }
    assertServed("10.0.0.2", HEAVY);
  }

  private void askUntilSomeWait() {
    await()
        .until(
            () -> {
              for (int i = 0; i < 10 * PLACES; i++) {
                ask("10.0.0.1", HEAVY);
              }
              return server.metric("hourglass_query_waiting") > 0;
            });
  }
}
