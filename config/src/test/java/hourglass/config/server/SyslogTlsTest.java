package hourglass.config.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.testing.Certificates;
import hourglass.testing.Certificates.Issued;
import hourglass.testing.FreePorts;
import hourglass.testing.Patience;
import hourglass.testing.Tier;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Syslog over TLS, where the certificate of a sender names its key. */
class SyslogTlsTest {
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final int MESSAGES = Tier.length(8_000, 20_000, 20_000);
  private static final Instant NEVER = Instant.parse("2100-01-01T00:00:00Z");
  private static final String MESSAGE = "<13>1 2026-11-20T08:00:01Z host %s - - - %s\n";

  private static final Certificates AUTHORITY = Certificates.authority("Servers");
  private static final Certificates CLIENTS = Certificates.authority("Clients");

  /** An authority of the same name, so that a client offers its certificate. */
  private static final Certificates IMPOSTORS = Certificates.authority("Clients");

  @TempDir private static Path folder;

  private static KeyedServer server;
  private static String secret;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    KeyedServer.add(keys, "shipper", "app,many", NEVER, Scope.INGEST);
    KeyedServer.add(keys, "leaver", "app", NEVER, Scope.INGEST);
    KeyedServer.add(keys, "looker", "*", NEVER, Scope.QUERY);
    secret = KeyedServer.add(keys, "reader", "*", NEVER, Scope.QUERY, Scope.METRICS);
    AUTHORITY.server().write(folder, "server");
    Files.writeString(folder.resolve("clients.pem"), CLIENTS.pem());
    port = FreePorts.next();
    server =
        new KeyedServer(
            folder,
            keys,
            "http.tls.cert=" + folder.resolve("server.pem"),
            "http.tls.key=" + folder.resolve("server.key"),
            "http.tls.client-ca=" + folder.resolve("clients.pem"),
            "http.tls.client-auth=optional",
            "syslog.listen=[\"tls://127.0.0.1:" + port + "\"]");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /**
   * @param client null: without a certificate
   */
  private static SSLSocket connect(@Nullable Issued client, String... versions) throws IOException {
    SSLContext context = client == null ? AUTHORITY.trusted() : AUTHORITY.context(client);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    if (versions.length > 0) {
      socket.setEnabledProtocols(versions);
    }
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(UTF_8));
    out.flush();
  }

  /** The server may end the connection before all is sent. */
  private static void sendAsFarAsItGoes(Socket socket, String text) {
    try {
      send(socket, text);
    } catch (IOException e) {
      // ended by the server
    }
  }

  private static String get(String path) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(AUTHORITY.trusted()).build();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).header("Authorization", "Bearer " + secret);
    return client.send(request.build(), BodyHandlers.ofString()).body();
  }

  private static List<String> stored(String type) throws Exception {
    return get("/api/v1/events?format=csv&fields=data.message&limit=all&type=" + type)
        .lines()
        .skip(1)
        .toList();
  }

  private static long metric(String name) throws Exception {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void theKeyOfACertificateLimitsTheTypes(String version) throws Exception {
    try (SSLSocket socket = connect(CLIENTS.client("CN=shipper"), version)) {
      send(socket, MESSAGE.formatted("app", version) + MESSAGE.formatted("foreign", version));
      assertThat(socket.getSession().getProtocol()).isEqualTo(version);
      await().until(() -> stored("app").contains(version));
    }
    assertThat(stored("foreign")).isEmpty();
    assertThat(get("/api/v1/rejects")).contains("\"type\":\"foreign\"", "not allowed for this key");
  }

  /** The messages arrive faster than they are stored, so that the connection has to be paused. */
  @Test
  void eachOfManyMessagesIsStoredOnce() throws Exception {
    String filling = "x".repeat(500);
    try (SSLSocket socket = connect(CLIENTS.client("CN=shipper"))) {
      for (int from = 0; from < MESSAGES; from += 1_000) {
        send(
            socket,
            IntStream.range(from, from + 1_000)
                .mapToObj(n -> MESSAGE.formatted("many", n + filling))
                .collect(Collectors.joining()));
      }
    }
    await().until(() -> stored("many").size() >= MESSAGES);
    assertThat(stored("many")).hasSize(MESSAGES).doesNotHaveDuplicates();
  }

  static List<Issued> withoutRights() {
    return List.of(CLIENTS.client("CN=unknown"), CLIENTS.client("CN=looker"));
  }

  @ParameterizedTest
  @MethodSource("withoutRights")
  void aCertificateWithoutARightKeyIsRefused(Issued client) throws Exception {
    isRefused(client);
  }

  @Test
  void aSenderWithoutACertificateIsRefused() throws Exception {
    isRefused(null);
  }

  private static void isRefused(@Nullable Issued client) throws Exception {
    String refused = "hourglass_syslog_connections_refused_total{reason=\"key\"}";
    long before = metric(refused);
    try (SSLSocket socket = connect(client)) {
      socket.startHandshake();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(metric(refused) - before).isOne();
  }

  static List<Issued> foreign() {
    return List.of(IMPOSTORS.client("CN=shipper"), CLIENTS.expiredClient("CN=shipper"));
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void aForeignCertificateEndsTheHandshake(Issued client) throws Exception {
    String failed = "hourglass_http_tls_handshakes_failed_total{reason=\"client_certificate\"}";
    long before = metric(failed);
    try (SSLSocket socket = connect(client, "TLSv1.3")) {
      sendAsFarAsItGoes(socket, MESSAGE.formatted("app", "foreign"));
      await().until(() -> metric(failed) > before);
    }
    assertThat(stored("app")).doesNotContain("foreign");
  }

  @Test
  void aSenderWithoutTlsIsCutOff() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      sendAsFarAsItGoes(socket, MESSAGE.formatted("app", "plain"));
      await().until(() -> hasEnded(socket)); // an alert of TLS may come before the end
    }
    assertThat(stored("app")).doesNotContain("plain");
  }

  @Test
  void aRevokedKeyEndsItsConnections() throws Exception {
    try (SSLSocket socket = connect(CLIENTS.client("CN=leaver"))) {
      send(socket, MESSAGE.formatted("app", "before"));
      await().until(() -> stored("app").contains("before"));
      server.keys.revoke("leaver", null);
      socket.setSoTimeout(1);
      await().until(() -> hasEnded(socket));
    }
  }

  /** A reset counts too: the server has not read everything. */
  private static boolean hasEnded(Socket socket) {
    try {
      send(socket, MESSAGE.formatted("app", "meanwhile"));
      return socket.getInputStream().read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void newConnectionsUseARenewedCertificate() throws Exception {
    Issued renewed = AUTHORITY.server();
    renewed.write(folder, "server");
    Issued client = CLIENTS.client("CN=shipper");
    await()
        .until(
            () -> {
              try (SSLSocket socket = connect(client)) {
                X509Certificate shown =
                    (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return shown.equals(renewed.certificate());
              }
            });
  }
}
