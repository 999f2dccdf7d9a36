package hourglass.config.server;

import static org.awaitility.Awaitility.await;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.testing.Certificates;
import hourglass.testing.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A server of its own with keys, TLS, an audit file and syslog, which has answered a request of
 * each kind, so that its metrics have appeared.
 */
final class UsedServer implements AutoCloseable {
  private static final Certificates AUTHORITY = Certificates.authority("Servers");

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .sslContext(AUTHORITY.trusted())
          .build();

  private final KeyedServer server;
  private final String secret;

  UsedServer(Path folder) throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    secret = KeyedServer.add(keys, "all", "*", Instant.parse("2100-01-01T00:00:00Z"), Scope.ADMIN);
    AUTHORITY.server().write(folder, "server");
    int syslog = FreePorts.next();
    server =
        new KeyedServer(
            folder,
            keys,
            "http.tls.cert=" + folder.resolve("server.pem"),
            "http.tls.key=" + folder.resolve("server.key"),
            "audit.file=" + folder.resolve("audit.log"),
            "query.row-cache=16 MiB",
            "limits.tails=1",
            "syslog.key=all",
            "syslog.listen=[\"tcp://127.0.0.1:%d\",\"udp://127.0.0.1:%d\"]"
                .formatted(syslog, syslog));
    use(syslog);
  }

  private void use(int syslog) throws Exception {
    send(
        request("/api/v1/events")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("[{\"type\":\"t\"},{\"type\":null}]")));
    send(request("/api/v1/events"));
    send(request("/api/v1/hits?hour=2026-11-20T08&by=type"));
    // The second tail is one too many for its client.
    var tail = client.send(request("/api/v1/tail").build(), BodyHandlers.ofInputStream());
    send(request("/api/v1/tail"));
    tail.body().close();
    try (Socket sender = new Socket("127.0.0.1", syslog)) {
      sender
          .getOutputStream()
          .write("<13>Nov 20 08:00:00 host app: text\n".getBytes(StandardCharsets.US_ASCII));
    }
    System.gc(); // the collector has metrics of its own once it has worked
    await()
        .until(
            () -> {
              String metrics = metrics();
              return List.of(
                      "hourglass_syslog_messages_total{transport=\"tcp\"} 1.0",
                      "hourglass_query_tails_ended_total",
                      "jvm_gc_pause_seconds_count")
                  .stream()
                  .allMatch(metrics::contains);
            });
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.uri(path)).header("Authorization", "Bearer " + secret);
  }

  private String send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the answer of {@code /metrics}. */
  String metrics() {
    return send(request("/metrics"));
  }

  @Override
  public void close() {
    server.close();
  }
}
