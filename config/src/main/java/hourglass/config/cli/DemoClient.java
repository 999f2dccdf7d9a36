package hourglass.config.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Talks to the program as any client does, over HTTP. Thread-safe. */
final class DemoClient {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final String address;

  DemoClient(String address) {
    this.address = address;
  }

  /**
   * Pushes lines of NDJSON.
   *
   * @return the answer
   * @throws IOException also if the answer is not 200
   */
  String push(String lines) throws IOException, InterruptedException {
    HttpRequest request =
        to("/api/v1/events")
            .header("Content-Type", "application/x-ndjson")
            .POST(HttpRequest.BodyPublishers.ofString(lines))
            .build();
    return checked(http.send(request, HttpResponse.BodyHandlers.ofString())).body();
  }

  /** Reads a whole answer, however long, and counts its lines. */
  long lines(String path) throws IOException, InterruptedException {
    HttpRequest request = to(path).build();
    HttpResponse<InputStream> response =
        checked(http.send(request, HttpResponse.BodyHandlers.ofInputStream()));
    long lines = 0;
    try (InputStream body = response.body()) {
      byte[] piece = new byte[64 << 10];
      for (int length = body.read(piece); length >= 0; length = body.read(piece)) {
        for (int i = 0; i < length; i++) {
          lines += piece[i] == '\n' ? 1 : 0;
        }
      }
    }
    return lines;
  }

  /** Reads a short answer. */
  String get(String path) throws IOException, InterruptedException {
    HttpRequest request = to(path).build();
    return checked(http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)))
        .body();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE);
  }

  private static <T> HttpResponse<T> checked(HttpResponse<T> response) throws IOException {
    if (response.statusCode() != 200) {
      throw new IOException(response.uri() + " answered " + response.statusCode());
    }
    return response;
  }
}
