package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Patience;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetricsPageTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> get(MetricsPage page, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + page.port() + path);
    return client.send(
        HttpRequest.newBuilder(uri).timeout(Patience.LONGEST).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static Socket sayHalf(MetricsPage page) throws IOException {
    Socket socket = new Socket("127.0.0.1", page.port());
    socket.getOutputStream().write("GET /metr".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void servesTheCurrentText() throws Exception {
    StringBuilder text = new StringBuilder("a 1\n");
    try (MetricsPage page = new MetricsPage("127.0.0.1", 0, text::toString)) {
      assertThat(get(page, "/metrics").body()).isEqualTo("a 1\n");
      text.append("b 2\n");
      assertThat(get(page, "/metrics").body()).isEqualTo("a 1\nb 2\n");
      assertThat(get(page, "/").statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void aHangingClientDoesNotDelayOthers(int clients) throws Exception {
    List<Socket> hanging = new ArrayList<>();
    try (MetricsPage page = new MetricsPage("127.0.0.1", 0, () -> "a 1\n")) {
      for (int i = 0; i < clients; i++) {
        hanging.add(sayHalf(page));
      }
      assertThat(get(page, "/metrics").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : hanging) {
        socket.close();
      }
    }
  }
}
