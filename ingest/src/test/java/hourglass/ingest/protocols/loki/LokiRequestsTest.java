package hourglass.ingest.protocols.loki;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.protocols.loki.Pushes.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests as clients send them, byte for byte, and the events that they become. */
class LokiRequestsTest {
  private static final LokiServer server = new LokiServer();

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    server.server.store.clear();
  }

  private static String statusOf(String file) throws IOException {
    try (InputStream in = LokiRequestsTest.class.getResourceAsStream("/requests/loki/" + file);
        Socket socket = server.server.socket()) {
      socket.getOutputStream().write(Objects.requireNonNull(in, file).readAllBytes());
      InputStreamReader answer =
          new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII);
      return new BufferedReader(answer).readLine();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "alloy             | 2 | shop            | \"level\":\"info\",\"msg\":\"cart opened\",\"user\":7}",
        "curl              | 2 | c               | x",
        "docker-driver     | 1 | shop-web-1      | 10.0.0.1 - - \"GET /cart HTTP/1.1\" 200",
        "fluent-bit        | 2 | fluent-bit      | \"message\":\"café\",\"level\":\"info\"}",
        "fluent-bit-gzip   | 2 | fluent-bit      | \"message\":\"café\",\"level\":\"info\"}",
        "loki4j            | 4 | my-app          | ~[main] shop.Cart - user=u1 slow\n~",
        "promtail          | 3 | varlogs         | Nov 23 11:57:50 web-1 kernel: C:\\path \"quoted\"",
        "vector            | 2 | shop            | \"message\":\"paid\",\"level\":\"info\"}",
        "vector-json       | 1 | shop            | app=shop level=info msg=paid",
        "pino-loki         | 4 | pino-demo       | ",
        "winston-loki      | 3 | winston-proto   | ",
        "winston-loki-json | 3 | winston-json    | "
      })
  void recordedRequestsAreStored(String file, int count, String type, String line)
      throws IOException {
    assertThat(statusOf(file)).isEqualTo("HTTP/1.1 204 No Content");
    List<Event> events = server.events();
    assertThat(events).hasSize(count);
    assertThat(events).anyMatch(event -> event.type().equals(type));
    if (line == null) {
      assertThat(server.payloads()).allMatch(payload -> payload.startsWith("{\"_loki\":{"));
    } else if (line.endsWith("}")) {
      assertThat(server.payloads())
          .anyMatch(each -> each.startsWith("{\"_loki\":{") && each.endsWith("," + line));
    } else {
      assertThat(events).anyMatch(event -> line.equals(event.payload().getString("message")));
    }
  }
}
