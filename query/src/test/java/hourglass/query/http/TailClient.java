package hourglass.query.http;

import hourglass.testing.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of a tail, like a browser: its messages, and its position. */
public final class TailClient implements AutoCloseable {

  /** The kind is {@code message} if none is given. */
  public record Message(String id, String kind, String data) {}

  final Queue<Message> messages = new ConcurrentLinkedQueue<>();
  final AtomicInteger comments = new AtomicInteger();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpResponse<InputStream> response;
  private final Thread thread;
  private volatile String lastEventId;
  private volatile boolean ended;

  public TailClient(int port, String query, String lastEventId) {
    this(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/tail" + query)),
        lastEventId);
  }

  static TailClient of(String client, int port) {
    return new TailClient(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/tail"))
            .header("Client", client),
        "");
  }

  /** May see some types only. */
  static TailClient ofTypes(String types, int port, String query) {
    return new TailClient(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/tail" + query))
            .header("Types", types),
        "");
  }

  private TailClient(HttpRequest.Builder request, String lastEventId) {
    this.lastEventId = lastEventId;
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    try {
      response =
          client
              .sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream())
              .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    thread = new Thread(this::read);
    thread.start();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String kind = "message";
      String data = null;
      String id = null;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isEmpty()) {
          lastEventId = id == null ? lastEventId : id;
          if (data != null) {
            messages.add(new Message(lastEventId, kind, data));
          }
          kind = "message";
          data = null;
          id = null;
        } else if (line.startsWith(":")) {
          comments.incrementAndGet();
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          kind = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // cut off, or closed by this client
    } finally {
      ended = true;
    }
  }

  public int status() {
    return response.statusCode();
  }

  public String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  public String lastEventId() {
    return lastEventId;
  }

  public boolean hasEnded() {
    return ended;
  }

  @Override
  public void close() {
    try {
      response.body().close();
      thread.join(TimeUnit.SECONDS.toMillis(30));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
