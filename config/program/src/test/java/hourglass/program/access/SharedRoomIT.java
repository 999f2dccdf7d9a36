package hourglass.program.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client takes all it can get of what is kept for a time: another one, at another address, still
 * gets through.
 */
@Tag(Tier.IN_FULL)
class SharedRoomIT {
  private static final String SENDER = "127.0.0.2";
  private static final String TYPE_MAKER = "127.0.0.3";
  private static final String OTHER = "127.0.0.1";
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final Pattern RETRY_AFTER = Pattern.compile("(?i)\r\nRetry-After: (\\d+)\r\n");

  /** The most that a store of 600,000 rows and pages leaves to one client. */
  private static final int TYPES_OF_ONE = 225_000;

  @TempDir static Path folder;
  private static ServerProcess server;

  private record Answer(int status, String text) {
    private long retryAfter() {
      Matcher header = RETRY_AFTER.matcher(text);
      assertThat(header.find()).as(text).isTrue();
      return Long.parseLong(header.group(1));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server =
        ServerProcess.start(
            folder, "untimed.events-max=1000", "store.embedded.memory-budget=256MiB");
  }

  @AfterAll
  static void stop() {
    assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    server.close();
  }

  /** Sends a CloudEvent for each number in {@code [from, to)} from a source address. */
  private static Answer push(String source, int from, int to, IntFunction<String> event)
      throws IOException {
    String body =
        IntStream.range(from, to).mapToObj(event).collect(Collectors.joining(",", "[", "]"));
    InetAddress address = InetAddress.getByName(source);
    try (Socket socket =
        new Socket(InetAddress.getByName("127.0.0.1"), server.port(), address, 0)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      RawHttp.write(
          socket,
          "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/cloudevents-batch+json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(body.length(), body));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(Integer.parseInt(answer.substring(9, 12)), answer);
    }
  }

  /** The events that the server accepted from a client before it refused. */
  private record Filled(int events, Answer refusal) {
    private static Filled by(String source, int batch, int max, IntFunction<String> event)
        throws IOException {
      for (int from = 0; from < max; from += batch) {
        Answer answer = push(source, from, from + batch, event);
        if (answer.status() != 200) {
          return new Filled(from, answer);
        }
      }
      throw new AssertionError(source + " took " + max);
    }
  }

  private static void awaitHeld(String metric, String client, long least) {
    Pattern line = Pattern.compile(metric + "\\{client=\"" + client + "\"} ([0-9.E]+)");
    await()
        .until(
            () -> {
              Matcher held = line.matcher(server.metrics());
              return held.find() && Double.parseDouble(held.group(1)) >= least;
            });
  }

  private static String untimed(String source, int id) {
    return "{\"specversion\":\"1.0\",\"type\":\"untimed\",\"source\":\"%s\",\"id\":\"%d\"}"
        .formatted(source, id);
  }

  @Test
  void aFullWindowOfFirstTimesLeavesRoomForOtherClients() throws Exception {
    Filled filled = Filled.by(SENDER, 50, 2_000, id -> untimed(SENDER, id));
    assertThat(filled.refusal().status()).isEqualTo(429);
    assertThat(filled.events()).isEqualTo(750);
    assertThat(filled.refusal().text())
        .contains("untimed.events-max = 1,000", "750 of this client", "make it larger");
    assertThat(filled.refusal().retryAfter()).as("about the window").isBetween(3_000L, 3_600L);
    assertThat(push(OTHER, 0, 100, id -> untimed(OTHER, id)).status()).isEqualTo(200);
    assertThat(push(SENDER, 0, 50, id -> untimed(SENDER, id)).status())
        .as("a repeat")
        .isEqualTo(200);
    awaitHeld("hourglass_store_first_times_held", SENDER, 750);
  }

  private static String typed(String source, int type) {
    return "{\"specversion\":\"1.0\",\"type\":\"%s-%d\",\"source\":\"a\",\"id\":\"1\",\"time\":\"2026-11-20T08:00:00Z\"}"
        .formatted(source, type);
  }

  @Test
  void aClientWithManyNewTypesLeavesRoomForOthers() throws Exception {
    Filled filled = Filled.by(TYPE_MAKER, 5_000, 2 * TYPES_OF_ONE, type -> typed(TYPE_MAKER, type));
    assertThat(filled.events()).isBetween(TYPES_OF_ONE - 5_000, TYPES_OF_ONE + 20_000);
    assertThat(filled.refusal().status()).isEqualTo(429);
    assertThat(filled.refusal().text()).contains("new types", "this client began", "a field");
    assertThat(filled.refusal().retryAfter()).as("the hour is over").isEqualTo(10);
    assertThat(push(OTHER, 0, 1_000, type -> typed(OTHER, type)).status()).isEqualTo(200);
    assertThat(push(TYPE_MAKER, 0, 1_000, type -> typed(TYPE_MAKER, type)).status())
        .as("known types")
        .isEqualTo(200);
    awaitHeld("hourglass_store_entries_held", TYPE_MAKER, 2L * (TYPES_OF_ONE - 5_000));
  }
}
