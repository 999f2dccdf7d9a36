package hourglass.program.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer contains the id of its request, and so does the log. */
@Tag(Tier.IN_FIRST)
class RequestIdIT {
  private static final String HEADER = "X-Request-Id: ";
  private static final int EVENTS = 30_000;

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(folder, "constant.stallTimeoutMillis=1000");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1",
        "GET /health/live HTTP/1.1",
        "GET /metrics HTTP/1.1",
        "GET /api/v1/types HTTP/1.1",
        "GET /api/v1/types?typ=a HTTP/1.1",
        "GET /api/v1/events/none HTTP/1.1",
        "HEAD /api/v1/events HTTP/1.1",
        "GET /nothing HTTP/1.1",
        "DELETE /api/v1/types HTTP/1.1",
        "TRACE / HTTP/1.1",
        "POST /api/v1/events HTTP/1.1",
        "GET http://other.example/ HTTP/1.1",
      })
  void answersContainTheIdOfTheRequest(String line) throws Exception {
    assertThat(answer(line, "X-Request-Id: ada.1-b_C")).contains(HEADER + "ada.1-b_C\r\n");
    assertMade(answer(line, "X-Request-Id: a b"));
    assertMade(answer(line, "X-Request-Id: " + "a".repeat(129)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "no HTTP\r\n\r\n",
        "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5 5\r\n",
      })
  void unreadableRequestsGetAnId(String request) throws Exception {
    assertMade(RawHttp.exchange(server.port(), request.replace("%s", "a".repeat(100_000))));
  }

  @Test
  void answersOfTailsContainTheId() throws Exception {
    try (Socket tail = RawHttp.connect(server.port())) {
      RawHttp.write(
          tail, "GET /api/v1/tail HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: my-tail\r\n\r\n");
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) tail.getInputStream().read());
      }
      assertThat(head.toString()).startsWith("HTTP/1.1 200").contains(HEADER + "my-tail\r\n");
    }
  }

  @Test
  void theLogContainsTheId() throws Exception {
    for (int i = 0; i < EVENTS / 5_000; i++) {
      String lines = "{\"type\":\"t\",\"text\":\"%s\"}%n".formatted("x".repeat(1_000));
      server.post("/api/v1/events", "application/x-ndjson", lines.repeat(5_000));
    }
    try (Socket unread = new Socket()) {
      unread.setReceiveBufferSize(8 << 10);
      unread.connect(new InetSocketAddress("127.0.0.1", server.port()));
      RawHttp.write(
          unread,
          "GET /api/v1/events?limit=all HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: idler\r\n\r\n");
      await().until(() -> server.log().contains("the client of query idler took nothing"));
    }
  }

  private static String answer(String line, String header) throws Exception {
    return RawHttp.exchange(
        server.port(), line + "\r\nHost: localhost\r\n" + header + "\r\nConnection: close\r\n\r\n");
  }

  private static void assertMade(String answer) {
    assertThat(answer).containsOnlyOnce(HEADER).containsPattern(HEADER + "[0-9a-f]{8}-\\d+\r\n");
  }
}
