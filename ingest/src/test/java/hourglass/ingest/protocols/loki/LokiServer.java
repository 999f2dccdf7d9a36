package hourglass.ingest.protocols.loki;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.ingest.http.IngestServer;
import hourglass.store.Columns;
import hourglass.testing.Patience;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server that takes pushes of Loki, and the events in it. */
final class LokiServer implements AutoCloseable {
  static final String JSON = "application/json";
  static final String PROTOBUF = "application/x-protobuf";

  private static final String PATH = "/loki/api/v1/push";

  final IngestServer server = new IngestServer(new LokiPush(LokiPush.DEFAULTS));
  private final HttpClient client = HttpClient.newHttpClient();

  HttpResponse<String> push(String contentType, byte[] body, String... headers) {
    return pushTo(PATH, contentType, body, headers);
  }

  HttpResponse<String> pushTo(String path, String contentType, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url(path)))
            .timeout(Patience.LONGEST)
            .header("Content-Type", contentType)
            .POST(BodyPublishers.ofByteArray(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  int json(String body) {
    return push(JSON, body.getBytes(StandardCharsets.UTF_8)).statusCode();
  }

  /** Returns the stored events by type and then by time. */
  List<Pushes.Event> events() {
    List<Pushes.Event> events = new ArrayList<>();
    forEach(
        (type, nanos, payload) ->
            events.add(new Pushes.Event(type, nanos, new JsonObject(payload))));
    return events;
  }

  /** Returns the stored payloads in the order of {@link #events}. */
  List<String> payloads() {
    List<String> payloads = new ArrayList<>();
    forEach((type, nanos, payload) -> payloads.add(payload));
    return payloads;
  }

  private interface Reader {
    void read(String type, long nanos, String payload);
  }

  private void forEach(Reader reader) {
    for (Map.Entry<RowKey, Columns> row : server.store.rows().entrySet()) {
      Columns columns = row.getValue();
      for (int i = 0; i < columns.size(); i++) {
        String payload = new String(columns.payload(i), StandardCharsets.UTF_8);
        long nanos = (columns.ticks(i) - Ticks.UNIX_EPOCH) * 100;
        reader.read(row.getKey().type(), nanos, payload);
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
