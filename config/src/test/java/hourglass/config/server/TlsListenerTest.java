package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.tls.ClientCertificates;
import hourglass.config.gate.tls.PeerNames;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.gate.tls.TlsOptions;
import hourglass.config.settings.HttpOptions;
import hourglass.config.settings.Settings;
import hourglass.testing.Certificates;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http2.Http2Settings;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP behind TLS: the same strictness, and connections that end as TLS asks for. */
class TlsListenerTest {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final String LOCAL = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final String LARGE = "x".repeat(80_000);
  private static final Certificates AUTHORITY = Certificates.authority("Servers");
  private static final Certificates CLIENTS = Certificates.authority("Clients");

  private static final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private static VertxRuntime runtime;
  private static ServerTls tls;
  private static HttpListener listener;

  /** A runtime of its own, since listeners of one runtime share a free port. */
  private static VertxRuntime ofPatient;

  private static HttpListener patient;

  @TempDir private static Path folder;

  @BeforeAll
  static void listen() throws Exception {
    AUTHORITY.server().write(folder, "server");
    Files.writeString(folder.resolve("clients.pem"), CLIENTS.pem());
    TlsOptions files =
        new TlsOptions(
            folder.resolve("server.pem"),
            folder.resolve("server.key"),
            folder.resolve("clients.pem"),
            ClientCertificates.OPTIONAL);
    tls = ServerTls.read(files, Clock.systemUTC(), meters);
    runtime = new VertxRuntime(new SimpleMeterRegistry());
    listener = listen(runtime, files, IDLE);
    ofPatient = new VertxRuntime(new SimpleMeterRegistry());
    patient = listen(ofPatient, files, Settings.defaults().http().idleTimeout());
  }

  private static Router routes(VertxRuntime runtime) {
    Router router = Router.router(runtime.vertx());
    router
        .get("/names")
        .handler(ctx -> ctx.response().end(String.join(" ", PeerNames.of(ctx.request()))));
    router.get("/large").handler(ctx -> ctx.response().end(LARGE));
    router.get("/small").handler(ctx -> ctx.response().end("small"));
    router
        .post("/echo")
        .handler(ctx -> ctx.request().body().onSuccess(body -> ctx.response().end(body)));
    return router;
  }

  private static HttpListener listen(VertxRuntime runtime, TlsOptions files, Duration idleTimeout) {
    HttpOptions options = AnyPort.options(idleTimeout, files);
    return HttpListener.listen(runtime, options, tls, routes(runtime));
  }

  @AfterAll
  static void close() {
    listener.close();
    runtime.close();
    patient.close();
    ofPatient.close();
    tls.close();
  }

  @Test
  void theAddressBeginsWithHttps() {
    assertThat(listener.address()).startsWith("https://127.0.0.1:");
  }

  /** An end without close_notify would be an exception of the client. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void refusedAndLastAnswersCloseInOrder(String version) throws Exception {
    for (String request :
        List.of(
            "GET /names" + LOCAL + " folded\r\n\r\n",
            "GET /names\tHTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /echo" + LOCAL + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "POST /echo" + LOCAL + "Transfer-Encoding: chunked\r\n\r\n5 5\r\nabcde\r\n0\r\n\r\n")) {
      try (SSLSocket socket = open(version, AUTHORITY.trusted())) {
        RawHttp.write(socket, request);
        assertThat(rest(socket)).startsWith("HTTP/1.1 400 ").contains("\"status\":400");
      }
    }
    try (SSLSocket socket = open(version, AUTHORITY.trusted())) {
      String body = "x".repeat(300_000);
      RawHttp.write(
          socket,
          "POST /echo" + LOCAL + "Connection: close\r\nContent-Length: 300000\r\n\r\n" + body);
      assertThat(rest(socket)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n" + body);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void idleConnectionsCloseInOrder(String version) throws Exception {
    try (SSLSocket silent = open(version, AUTHORITY.trusted());
        SSLSocket head = open(version, AUTHORITY.trusted())) {
      RawHttp.write(head, "GET /names HTT");
      assertThat(rest(silent)).isEmpty();
      assertThat(rest(head)).startsWith("HTTP/1.1 408 ");
    }
  }

  /** A client may end its sending and still expect its answer, if the version of TLS allows it. */
  @Test
  void anAnswerFollowsTheEndOfAClientsSending() throws Exception {
    try (SSLSocket socket = open("TLSv1.3", AUTHORITY.trusted())) {
      RawHttp.write(socket, "POST /echo" + LOCAL + "Content-Length: 2\r\n\r\n{}");
      socket.shutdownOutput();
      assertThat(rest(socket)).startsWith("HTTP/1.1 200 ").endsWith("{}");
    }
  }

  /** A client that offers HTTP/2 gets it, with what its certificate allows. */
  @Test
  void http2IsNegotiated() throws Exception {
    HttpClient known =
        HttpClient.newBuilder().sslContext(AUTHORITY.context(CLIENTS.client("CN=shipper"))).build();
    URI address = URI.create(patient.address());
    HttpResponse<String> names =
        known.send(
            HttpRequest.newBuilder(address.resolve("/names")).build(), BodyHandlers.ofString());
    assertThat(names.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(names.body()).isEqualTo("shipper");
    String body = "x".repeat(3_000_000);
    HttpResponse<String> echo =
        known.send(
            HttpRequest.newBuilder(address.resolve("/echo"))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(echo.body()).isEqualTo(body);
    HttpResponse<String> unwanted =
        known.send(
            HttpRequest.newBuilder(address.resolve("/nope"))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(unwanted.statusCode()).isEqualTo(404);
  }

  /** The first answer fills the buffer of the connection while the others begin. */
  @Test
  void allRequestsOfOneRecordAreAnswered() throws Exception {
    Http2Settings wide = Http2Settings.defaultSettings().initialWindowSize(LARGE.length());
    try (RawHttp2 client =
        new RawHttp2(URI.create(patient.address()), "127.0.0.1", wide, AUTHORITY.trusted())) {
      client.widen(2 * LARGE.length());
      assertThat(client.end(client.send(RawHttp2.get("/names"), true)).status()).isEqualTo("200");
      List<RawHttp2.Stream> burst =
          client.sendAtOnce(
              List.of(RawHttp2.get("/large"), RawHttp2.get("/small"), RawHttp2.get("/small")),
              true);
      assertThat(client.end(burst.get(0)).body()).isEqualTo(LARGE);
      for (RawHttp2.Stream behind : burst.subList(1, burst.size())) {
        assertThat(client.end(behind).body()).isEqualTo("small");
      }
    }
  }

  /** A client without ALPN gets HTTP/1, even if it begins with the preface of HTTP/2. */
  @Test
  void http2WithoutAlpnIsRefused() throws Exception {
    try (SSLSocket socket = open("TLSv1.3", AUTHORITY.trusted())) {
      RawHttp.write(socket, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      assertThat(rest(socket)).startsWith("HTTP/1.1 505 ");
    }
  }

  @Test
  void requestsContainTheNamesOfTheClientCertificate() throws Exception {
    String names = "GET /names" + LOCAL + "Connection: close\r\n\r\n";
    try (SSLSocket known = open("TLSv1.3", AUTHORITY.context(CLIENTS.client("CN=shipper")))) {
      RawHttp.write(known, names);
      try (SSLSocket unknown = open("TLSv1.3", AUTHORITY.trusted())) {
        RawHttp.write(unknown, names);
        assertThat(rest(known)).endsWith("\r\n\r\nshipper");
        assertThat(rest(unknown)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
      }
    }
  }

  @Test
  void invalidClientCertificatesAreRefused() {
    double before = failed("client_certificate");
    for (Certificates.Issued refused :
        List.of(
            CLIENTS.expiredClient("CN=shipper"),
            Certificates.authority("Clients").client("CN=shipper"))) {
      assertThatThrownBy(
              () -> {
                try (SSLSocket socket = open("TLSv1.2", AUTHORITY.context(refused))) {
                  RawHttp.write(socket, "GET /names" + LOCAL + "Connection: close\r\n\r\n");
                  rest(socket);
                }
              })
          .isInstanceOf(IOException.class);
    }
    await().until(() -> failed("client_certificate") == before + 2);
  }

  @Test
  void connectionsWithoutTlsAreClosedAndCounted() throws Exception {
    double before = failed("not_tls");
    try (Socket socket = new Socket("127.0.0.1", port())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      RawHttp.write(socket, "GET /names" + LOCAL + "\r\n");
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .doesNotContain("HTTP");
    }
    await().until(() -> failed("not_tls") == before + 1);
  }

  private static double failed(String reason) {
    return meters
        .get("hourglass.http.tls.handshakes.failed")
        .tag("reason", reason)
        .counter()
        .count();
  }

  private static int port() {
    return URI.create(listener.address()).getPort();
  }

  private static SSLSocket open(String version, SSLContext context) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setEnabledProtocols(new String[] {version});
    socket.startHandshake();
    return socket;
  }

  /** All that comes until the server ends its sending. */
  private static String rest(SSLSocket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
  }
}
