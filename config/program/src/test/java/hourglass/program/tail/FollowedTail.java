package hourglass.program.tail;

import hourglass.program.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that follows the tail of a server, and comes back with the id of its last message
 * whenever that ends, to whichever server is there then, until it is closed.
 */
public final class FollowedTail implements AutoCloseable {
  /** Clients that try again at once take the processor from the start that they wait for. */
  static final long RETRY_NANOS = 20_000_000;

  /** The ids of all events, in order of arrival. */
  public final List<String> ids = new CopyOnWriteArrayList<>();

  /** Messages that are neither events nor late ones. */
  public final List<String> others = new CopyOnWriteArrayList<>();

  public final AtomicInteger late = new AtomicInteger();
  public final AtomicInteger connections = new AtomicInteger();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Supplier<ServerProcess> server;
  private final String query;
  private final Thread thread = new Thread(this::follow, "tail");
  private volatile boolean closed;
  private volatile @Nullable InputStream body;
  private volatile String position;

  public FollowedTail(Supplier<ServerProcess> server, String query) {
    this(server, query, "");
  }

  /**
   * @param position where to continue; empty: where the query says
   */
  public FollowedTail(Supplier<ServerProcess> server, String query, String position) {
    this.server = server;
    this.query = query;
    this.position = position;
    thread.start();
  }

  /** Returns the position where another tail can continue. */
  public String position() {
    return position;
  }

  private void follow() {
    while (!closed) {
      try {
        HttpRequest.Builder request =
            HttpRequest.newBuilder(server.get().uri("/api/v1/tail" + query));
        if (!position.isEmpty()) {
          request.header("Last-Event-ID", position);
        }
        HttpResponse<InputStream> answer =
            client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        body = answer.body();
        if (answer.statusCode() == 200 && !closed) {
          connections.incrementAndGet();
          read(new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
        }
      } catch (IOException e) {
        LockSupport.parkNanos(RETRY_NANOS); // it was killed, and is not back yet
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void read(BufferedReader lines) throws IOException {
    String[] message = {"", "", ""};
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        take(message[0], message[1], message[2]);
        message[0] = message[1] = message[2] = "";
      } else if (line.startsWith("id: ")) {
        message[0] = line.substring(4);
      } else if (line.startsWith("event: ")) {
        message[1] = line.substring(7);
      } else if (line.startsWith("data: ")) {
        message[2] = line.substring(6);
      }
    }
  }

  private void take(String id, String kind, String data) {
    if (!data.isEmpty() && (kind.isEmpty() || kind.equals("late"))) {
      ids.add(data.substring(7, 43)); // {"id":"...
      late.addAndGet(kind.isEmpty() ? 0 : 1);
    } else if (!kind.isEmpty()) {
      others.add(kind + " " + data);
    }
    position = id.isEmpty() ? position : id;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed = true;
    InputStream open = body;
    if (open != null) {
      open.close(); // a reader of it does not mind being interrupted
    }
    thread.interrupt();
    thread.join();
  }
}
