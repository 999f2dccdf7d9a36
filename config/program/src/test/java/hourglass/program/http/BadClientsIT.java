package hourglass.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import hourglass.program.ServerProcess;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections that break off, stay silent or dribble do not disturb others, and their memory is
 * released.
 */
@Tag(Tier.IN_FIRST)
class BadClientsIT {
  private static final int IDLE_MAX = 10_000;
  private static final int IDLE_MIN = 2_000;
  private static final int DESCRIPTORS_SPARED = 1_000;
  private static final int SLOW = 300;
  private static final int RESETS = 100;

  /** Files that the server may open or close between two counts, besides the connections. */
  private static final int OTHER_FILES = 20;

  private static final String EVENT = "{\"type\":\"%s\",\"time\":\"2026-11-20T08:00:00Z\"}\n";

  @TempDir static Path folder;
  private static ServerProcess server;

  private long filesBefore;

  @BeforeAll
  static void start() throws IOException {
    server = ServerProcess.start(folder, "http.idle-timeout=1h");
  }

  @AfterAll
  static void stop() {
    try {
      assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    } finally {
      server.close();
    }
  }

  @BeforeEach
  void countFiles() throws Exception {
    filesBefore = openFiles();
  }

  /** The connections of a test end before the next one counts its own. */
  @AfterEach
  void awaitEnds() {
    await().until(() -> openFiles() < filesBefore + OTHER_FILES);
  }

  @ParameterizedTest
  @CsvSource({
    // how it is framed | how it ends
    "announced, close",
    "announced, reset",
    "chunked, close",
    "chunked, reset",
  })
  void cutBodyStoresNothingAndFreesMemory(String framing, String end) throws Exception {
    String type = "cut-" + framing + "-" + end;
    String lines = EVENT.formatted(type).repeat(20_000);
    try (Socket socket = RawHttp.connect(server.port())) {
      if (end.equals("reset")) {
        socket.setSoLinger(true, 0);
      }
      boolean chunked = framing.equals("chunked");
      String length = chunked ? "Transfer-Encoding: chunked" : "Content-Length: 10000000";
      RawHttp.write(socket, head(length));
      RawHttp.write(
          socket, chunked ? Integer.toHexString(lines.length()) + "\r\n" + lines + "\r\n" : lines);
      await().until(() -> inFlightBytes() >= lines.length());
    }
    await().until(() -> inFlightBytes() == 0);
    assertThat(server.get("/api/v1/types?type=" + type).body()).startsWith("{\"types\":[]");
    pushAndQueryWork("after-" + type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "G",
        "GET / HTTP/1.1\r\nHo",
        "PRI *",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      })
  void resetsBeforeARequestAreNotLogged(String sent) throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < RESETS; i++) {
      Socket socket = RawHttp.connect(server.port());
      sockets.add(socket);
      RawHttp.write(socket, sent);
    }
    await().until(() -> openFiles() >= filesBefore + RESETS - 2 * OTHER_FILES);
    for (Socket socket : sockets) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
    awaitEnds();
    assertThat(server.log()).doesNotContainIgnoringCase("reset");
  }

  @Test
  void idleConnectionsDelayNoOtherClient() throws Exception {
    int wanted = (int) Math.min(IDLE_MAX, descriptorsMax() - DESCRIPTORS_SPARED);
    assertThat(wanted).as("file descriptors allowed: " + descriptorsMax()).isGreaterThan(IDLE_MIN);
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < wanted; i++) {
        idle.add(RawHttp.connect(server.port()));
      }
      System.out.printf("%,d idle connections, %,d MiB resident%n", wanted, residentBytes() >> 20);
      for (int i = 0; i < 5; i++) {
        pushAndQueryWork("idle-" + i);
      }
      for (int i = 0; i < wanted; i += wanted / 20) {
        assertThat(statusLine(idle.get(i))).isEqualTo("HTTP/1.1 200 OK");
      }
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
    pushAndQueryWork("idle-after");
  }

  /**
   * The clients announce much and send a little at a time: memory is held only for received bytes.
   */
  @Test
  void slowBodiesDelayNoOtherClient() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < SLOW; i++) {
        Socket socket = RawHttp.connect(server.port());
        slow.add(socket);
        RawHttp.write(socket, head("Content-Length: 60000000"));
      }
      for (int round = 0; round < 5; round++) {
        for (Socket socket : slow) {
          socket.getOutputStream().write('{');
        }
        pushAndQueryWork("slow-" + round);
      }
      assertThat(inFlightBytes()).isBetween(1L, SLOW * 4096L);
      if (Tier.current() == Tier.LONGEST) {
        assertAllAreRefusedInTheEnd(slow);
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    await().until(() -> inFlightBytes() == 0);
  }

  private static void assertAllAreRefusedInTheEnd(List<Socket> slow) throws IOException {
    for (Socket socket : slow) {
      socket.setSoTimeout(Patience.LONGEST_MILLIS);
      OutputStream out = socket.getOutputStream();
      out.write(' ');
      assertThat(readLine(socket)).isEqualTo("HTTP/1.1 408 Request Timeout");
    }
  }

  @Test
  void slowHeadersDelayNoOtherClient() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < SLOW; i++) {
        Socket socket = RawHttp.connect(server.port());
        slow.add(socket);
        RawHttp.write(socket, "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
      }
      pushAndQueryWork("slow-headers");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private static String head(String length) {
    return "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + length
        + "\r\n\r\n";
  }

  private static void pushAndQueryWork(String type) throws IOException, InterruptedException {
    assertThat(server.post("/api/v1/events", "application/x-ndjson", EVENT.formatted(type)).body())
        .startsWith("{\"accepted\":1,\"rejected\":0,\"times\":{");
    JsonObject page = new JsonObject(server.get("/api/v1/events?type=" + type).body());
    assertThat(page.getJsonArray("events")).hasSize(1);
  }

  private static String statusLine(Socket socket) throws IOException {
    RawHttp.write(socket, "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return readLine(socket);
  }

  private static String readLine(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
  }

  private static long inFlightBytes() throws IOException, InterruptedException {
    return server.metric("hourglass_ingest_in_flight_bytes");
  }

  private static long residentBytes() throws IOException, InterruptedException {
    return server.metric("process_resident_memory_bytes");
  }

  private static long openFiles() throws IOException, InterruptedException {
    return server.metric("process_files_open_files");
  }

  private static long descriptorsMax() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getMaxFileDescriptorCount();
  }
}
