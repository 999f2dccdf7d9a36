package hourglass.program.fairness;

import hourglass.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A quiet client beside a noisy one: its requests, one after the other, and how long each took. */
final class Campaign {
  static final String HOUR = "2026-11-20T08";

  /** The hour whose events have a megabyte each. */
  static final String LARGE_HOUR = "2026-11-20T06";

  private static final Duration PATIENCE = Patience.LONGEST;
  private static final long NANOS_MAX = PATIENCE.toNanos();

  /** The queries of the quiet client. */
  enum Question {
    PUSH,
    COUNTS,
    SMALL_QUERY
  }

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI server;
  private final Map<Question, Histogram> nanos = new EnumMap<>(Question.class);
  private long number;

  Campaign(URI server) {
    this.server = server;
    for (Question question : Question.values()) {
      nanos.put(question, new Histogram(NANOS_MAX, 3));
    }
  }

  /** Sends each query in turn for the given time; any status but 200 is an error. */
  void run(Duration time) throws IOException, InterruptedException {
    long began = System.nanoTime();
    while (System.nanoTime() - began < time.toNanos()) {
      for (Question question : Question.values()) {
        long asked = System.nanoTime();
        HttpResponse<String> answer = client.send(request(question), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
          throw new AssertionError(question + ": " + answer.statusCode() + " " + answer.body());
        }
        nanos.get(question).recordValue(Math.min(NANOS_MAX, System.nanoTime() - asked));
      }
    }
  }

  private HttpRequest request(Question question) {
    long minute = number++ % 60;
    return switch (question) {
      case PUSH ->
          to("/api/v1/events")
              .header("Content-Type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString("{\"type\":\"quiet\",\"n\":" + number + "}"))
              .build();
      case COUNTS -> to("/api/v1/hits?by=type&step=1m&hour=" + HOUR).build();
      case SMALL_QUERY ->
          to("/api/v1/events?type=checkout&limit=100&where=data.status%%20%%3D%%3D%%20500&from=%s:%02d:00Z&to=%s:%02d:59Z"
                  .formatted(HOUR, minute, HOUR, minute))
              .build();
    };
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).timeout(PATIENCE);
  }

  double millis(Question question, double percentile) {
    return nanos.get(question).getValueAtPercentile(percentile) / 1e6;
  }

  /** Returns the row of the table: p50 / p99 of each query. */
  String row() {
    return String.join(
        " | ",
        List.of(Question.values()).stream()
            .map(
                question ->
                    "%.0f / %.0f (%d)"
                        .formatted(
                            millis(question, 50),
                            millis(question, 99),
                            nanos.get(question).getTotalCount()))
            .toList());
  }

  static long residentMegabytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }
}
