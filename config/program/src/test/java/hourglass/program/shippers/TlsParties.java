package hourglass.program.shippers;

import hourglass.config.gate.keys.KeyGrants;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.testing.Certificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The server and the senders of a trial over TLS: their certificates and keys. A sender of syslog
 * shows {@code client.pem}, whose name is that of a key, or is one without a certificate.
 */
final class TlsParties {
  private static final Certificates SERVERS = Certificates.authority("Servers");
  private static final Certificates CLIENTS = Certificates.authority("Clients");

  /** The name of the key of senders without a certificate. */
  private static final String STRANGER = "stranger";

  private static final String SENDER = "sender";

  private final Path folder;
  private final String senderSecret;
  private final String readerSecret;
  private final HttpClient client = HttpClient.newBuilder().sslContext(SERVERS.trusted()).build();

  /** Writes all files into a folder. */
  TlsParties(Path folder) throws IOException {
    this.folder = folder;
    SERVERS.server().write(folder, "server");
    CLIENTS.rsaClient("CN=certified").write(folder, "client");
    Files.writeString(folder.resolve("servers.pem"), SERVERS.pem());
    Files.writeString(folder.resolve("clients.pem"), CLIENTS.pem());
    add("certified", Scope.INGEST);
    add(STRANGER, Scope.INGEST);
    senderSecret = add(SENDER, Scope.INGEST);
    readerSecret = add("reader", Scope.QUERY);
  }

  private String add(String name, Scope scope) throws IOException {
    KeyGrants grants = new KeyGrants(Set.of(scope), List.of("*"), null, 0);
    return new KeysFile(folder.resolve("keys.conf")).add(name, grants);
  }

  Path folder() {
    return folder;
  }

  /** Returns the settings of the server. */
  List<String> settings() {
    return List.of(
        "http.tls.cert=" + folder.resolve("server.pem"),
        "http.tls.key=" + folder.resolve("server.key"),
        "http.tls.client-ca=" + folder.resolve("clients.pem"),
        "http.tls.client-auth=optional",
        "keys.file=" + folder.resolve("keys.conf"),
        "syslog.key=" + STRANGER);
  }

  /** Returns a URL for HTTP clients that contains the key. */
  String url(int port) {
    return "https://%s:%s@127.0.0.1:%d".formatted(SENDER, senderSecret, port);
  }

  /** Lets clients for Node trust the server. */
  Map<String, String> environment() {
    return Map.of("NODE_EXTRA_CA_CERTS", folder.resolve("servers.pem").toString());
  }

  HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + readerSecret).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
