package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that behave unlike any client library. */
class RawSocketTest {
  private static final String EVENT = "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}\n";
  private static final String POST = "POST /api/v1/events HTTP/1.1\r\nHost: x\r\n";
  private static final String NDJSON = POST + "Content-Type: application/x-ndjson\r\n";

  private IngestServer server;

  @BeforeEach
  void start() {
    server = new IngestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  private static String answer(BufferedReader reader) throws IOException {
    StringBuilder text = new StringBuilder();
    int length = 0;
    for (String line = reader.readLine();
        line != null && !line.isEmpty();
        line = reader.readLine()) {
      text.append(line).append('\n');
      if (line.toLowerCase().startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).trim());
      }
    }
    char[] body = new char[length];
    for (int at = 0; at < length; ) {
      at += reader.read(body, at, length - at);
    }
    return text.append(body).toString();
  }

  private void awaitUsed(long bytes) {
    await().until(() -> server.service.inFlight().used() == bytes);
  }

  private void awaitSomeUsed() {
    await().until(() -> server.service.inFlight().used() > 0);
  }

  @Test
  void cutBodyIsNotStored() throws IOException {
    try (Socket socket = server.socket()) {
      write(socket, NDJSON + "Content-Length: 100000\r\n\r\n" + EVENT.repeat(10));
      awaitSomeUsed();
    }
    awaitUsed(0);
    assertThat(server.store.writes()).isZero();
  }

  @Test
  void cutChunkedBodyIsNotStored() throws IOException {
    try (Socket socket = server.socket()) {
      write(socket, NDJSON + "Transfer-Encoding: chunked\r\n\r\n2b\r\n" + EVENT + "\r\n");
      awaitSomeUsed();
    }
    awaitUsed(0);
    assertThat(server.store.writes()).isZero();
  }

  @Test
  void chunksMayBeOneByte() throws IOException {
    try (Socket socket = server.socket()) {
      write(socket, NDJSON + "Transfer-Encoding: chunked\r\n\r\n");
      for (char c : EVENT.repeat(100).toCharArray()) {
        write(socket, "1\r\n" + c + "\r\n");
      }
      assertThat(server.service.inFlight().used()).isLessThan(40_000);
      write(socket, "0\r\n\r\n");
      assertThat(answer(reader(socket))).contains("200 OK", "{\"accepted\":100,");
    }
    assertThat(server.store.payloads()).hasSize(100);
  }

  @Test
  void expectContinueIsAnswered() throws IOException {
    try (Socket socket = server.socket()) {
      write(socket, NDJSON + "Expect: 100-continue\r\nContent-Length: 43\r\n\r\n");
      BufferedReader reader = reader(socket);
      assertThat(answer(reader)).startsWith("HTTP/1.1 100");
      write(socket, EVENT);
      assertThat(answer(reader)).contains("200 OK", "{\"accepted\":1,");
    }
  }

  @Test
  void expectContinueMayBeRefused() throws IOException {
    try (Socket socket = server.socket()) {
      write(socket, NDJSON + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
      BufferedReader reader = reader(socket);
      assertThat(answer(reader)).startsWith("HTTP/1.1 413").contains("connection: close");
      assertThat(reader.read()).as("closed").isEqualTo(-1);
    }
  }

  @Test
  void http2UpgradeIsIgnored() throws IOException {
    String upgrade =
        "Connection: Upgrade, HTTP2-Settings\r\n"
            + "Upgrade: h2c\r\n"
            + "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n";
    try (Socket socket = server.socket()) {
      write(socket, NDJSON + upgrade + "Content-Length: 43\r\n\r\n" + EVENT);
      assertThat(answer(reader(socket))).startsWith("HTTP/1.1 200 OK");
    }
  }

  @Test
  void connectionOutlivesARefusal() throws IOException {
    try (Socket socket = server.socket()) {
      BufferedReader reader = reader(socket);
      write(socket, POST + "Content-Type: text/csv\r\nContent-Length: 100000\r\n\r\n");
      assertThat(answer(reader)).startsWith("HTTP/1.1 415");
      write(socket, " ".repeat(100_000));
      write(socket, NDJSON + "Content-Length: 43\r\n\r\n" + EVENT);
      assertThat(answer(reader)).startsWith("HTTP/1.1 200 OK");
    }
  }

  @Test
  void pipelinedRequestsAreServed() throws IOException {
    try (Socket socket = server.socket()) {
      String request = NDJSON + "Content-Length: 43\r\n\r\n" + EVENT;
      write(socket, request + request + request);
      BufferedReader reader = reader(socket);
      for (int i = 0; i < 3; i++) {
        assertThat(answer(reader)).startsWith("HTTP/1.1 200 OK");
      }
    }
  }

  @Test
  void silentClientTimesOut() throws IOException {
    try (IngestServer impatient = new IngestServer(50);
        Socket socket = impatient.socket()) {
      write(socket, NDJSON + "Content-Length: 100000\r\n\r\n" + EVENT);
      BufferedReader reader = reader(socket);
      assertThat(answer(reader)).startsWith("HTTP/1.1 408");
      assertThat(reader.read()).as("closed").isEqualTo(-1);
      await().until(() -> impatient.service.inFlight().used() == 0);
    }
  }

  @Test
  void announcedBytesReserveNothing() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        Socket socket = server.socket();
        sockets.add(socket);
        write(socket, NDJSON + "Content-Length: " + IngestServer.MAX_BODY_BYTES + "\r\n\r\n{");
      }
      awaitSomeUsed();
      try (Socket socket = server.socket()) {
        write(socket, NDJSON + "Content-Length: 43\r\n\r\n" + EVENT);
        assertThat(answer(reader(socket))).startsWith("HTTP/1.1 200 OK");
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    awaitUsed(0);
  }
}
