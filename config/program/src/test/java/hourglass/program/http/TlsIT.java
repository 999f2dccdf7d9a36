package hourglass.program.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.testing.Certificates;
import hourglass.testing.Certificates.Issued;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with the clients that people have. */
@Tag(Tier.IN_FIRST)
class TlsIT {
  private static final int EXCHANGES = Tier.length(3, 6, 6);
  private static final int PATIENCE_SECONDS = 120;
  private static final String EVENT =
      "{\"type\":\"tls\",\"time\":\"2026-11-20T08:00:01Z\",\"by\":\"%s\"}\n";
  private static final String HOUR = "/api/v1/events?hour=2026-11-20T08&format=raw&type=tls";

  private static final Certificates AUTHORITY = Certificates.authority("Servers");
  private static final Certificates CLIENTS = Certificates.authority("Clients");

  @TempDir private static Path folder;

  /** Points to the folder of the pair in force, as Kubernetes does it. */
  private static Path current;

  private static Path authority;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    authority = Files.writeString(folder.resolve("authority.pem"), AUTHORITY.pem());
    Files.writeString(folder.resolve("clients.pem"), CLIENTS.pem());
    current = folder.resolve("current");
    pointTo(newPair("first", AUTHORITY.server()));
    server =
        ServerProcess.start(
            folder,
            "http.tls.cert=" + current.resolve("server.pem"),
            "http.tls.key=" + current.resolve("server.key"),
            "http.tls.client-ca=" + folder.resolve("clients.pem"),
            "http.tls.client-auth=optional");
    assertThat(server.address()).startsWith("https://127.0.0.1:");
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private static Path newPair(String name, Issued issued) throws IOException {
    Path pair = Files.createDirectory(folder.resolve(name));
    issued.write(pair, "server");
    return pair;
  }

  /** Both files change at once. */
  private static void pointTo(Path pair) throws IOException {
    Path next = Files.createSymbolicLink(folder.resolve("next"), pair);
    Files.move(next, current, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void curlPushesOverTls() throws Exception {
    Files.writeString(folder.resolve("event.json"), EVENT.formatted("curl"));
    Run push =
        curl(
            "--cacert",
            authority.toString(),
            "--data-binary",
            "@event.json",
            "-H",
            "Content-Type: application/json",
            url("/api/v1/events"));
    assertThat(push.exit()).as(push.said()).isZero();
    assertThat(push.said()).contains("\"accepted\":1");
    for (String version : List.of("1.2", "1.3")) {
      Run read =
          curl("--cacert", authority.toString(), "--tls-max", version, "-i", "--http2", url(HOUR));
      assertThat(read.said()).startsWith("HTTP/2 200 ").contains("\"by\":\"curl\"");
    }
    Run live = curl("--cacert", authority.toString(), url("/health/live"));
    assertThat(live.said()).contains("live");
    assertThat(curl(url("/health/live")).exit())
        .as("a certificate of a foreign authority")
        .isEqualTo(60);
  }

  @Test
  void javaPushesAndReadsOverTls() throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(AUTHORITY.trusted()).build();
    HttpRequest push =
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(EVENT.formatted("java")))
            .build();
    assertThat(client.send(push, BodyHandlers.ofString()).body()).contains("\"accepted\":1");
    var read =
        client.send(HttpRequest.newBuilder(server.uri(HOUR)).build(), BodyHandlers.ofString());
    assertThat(read.body()).contains("\"by\":\"java\"");
    assertThat(read.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThatThrownBy(
            () ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(server.uri("/health/live")).build(),
                        BodyHandlers.ofString()))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void nodePushesAndReadsOverTls() throws Exception {
    String script =
        """
        const https = require('https'), fs = require('fs');
        const ca = fs.readFileSync(process.argv[1]), url = process.argv[2];
        const ask = (path, body) => new Promise((done, failed) => {
          const headers = { 'Content-Type': 'application/json' };
          const options = { ca, headers, method: body ? 'POST' : 'GET' };
          const request = https.request(url + path, options, (answer) => {
            let text = '';
            answer.on('data', (part) => { text += part; });
            answer.on('end', () => done(text));
          });
          request.on('error', failed);
          request.end(body);
        });
        (async () => {
          console.log(await ask('/api/v1/events', process.argv[3]));
          console.log(await ask(process.argv[4]));
        })();
        """;
    Run run =
        run("node", "-e", script, authority.toString(), url(""), EVENT.formatted("node"), HOUR);
    assertThat(run.said()).contains("\"accepted\":1", "\"by\":\"node\"");
  }

  @Test
  @Tag(Tier.IN_FULL)
  void chromiumOpensTheDashboardOverTls() throws Exception {
    Issued pair = AUTHORITY.server();
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(pair.certificate().getPublicKey().getEncoded());
    String known = Base64.getEncoder().encodeToString(digest);
    String[] settings = pair.write(folder, "of-page");
    try (ServerProcess page =
        ServerProcess.start(Files.createDirectory(folder.resolve("page")), settings)) {
      String address = page.address() + "/";
      assertThat(browse(address, "--ignore-certificate-errors-spki-list=" + known))
          .contains("<title>Hourglass");
      assertThat(browse(address, "--no-pings")).doesNotContain("<title>Hourglass");
    }
  }

  private static String browse(String address, String flag) throws Exception {
    Path shell = Path.of("/usr/bin/chromium-headless-shell");
    String chromium = Files.isExecutable(shell) ? shell.toString() : "/usr/bin/chromium";
    return run(
            System.getenv().getOrDefault("CHROMIUM", chromium),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
            flag,
            "--dump-dom",
            address)
        .said();
  }

  @Test
  @Tag(Tier.IN_FULL)
  void theTerminalAndTheLoadToolsTrustAFile() throws Exception {
    Map<String, String> trusting = Map.of("HOURGLASS_CA_FILE", authority.toString());
    String target = "--target=" + server.address();
    Program.Result load =
        Program.run(
            folder,
            trusting,
            "load",
            "generate",
            target,
            "--events=1000",
            "--hour=2026-11-20T09",
            "--settle=0s");
    assertThat(load.exit()).as(load.err()).isZero();
    Program.Result read =
        Program.run(
            folder,
            "query",
            target,
            "--ca-file=" + authority,
            "--hour=2026-11-20T09",
            "--limit=all",
            "--format=raw");
    assertThat(read.exit()).as(read.err()).isZero();
    assertThat(read.out().lines()).hasSize(1000);
    Program.Result untrusted = Program.run(folder, "types", target);
    assertThat(untrusted.exit()).isEqualTo(1);
    assertThat(untrusted.err())
        .startsWith("hourglass: " + server.address() + ": not trusted (")
        .endsWith("; --ca-file or HOURGLASS_CA_FILE names the certificate to trust\n");
  }

  @Test
  void clientsWithoutTlsAreRefusedQuietly() throws Exception {
    String before = server.log();
    try (Socket plain = RawHttp.connect(server.port())) {
      RawHttp.write(plain, "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(plain.getInputStream().readAllBytes()).doesNotContain("HTTP".getBytes(UTF_8));
    }
    try (Socket old = RawHttp.connect(server.port())) {
      old.getOutputStream().write(helloOfTls11());
      assertThat(old.getInputStream().readNBytes(7))
          .as("an alert, fatal, protocol_version")
          .startsWith(0x15)
          .endsWith(2, 70);
    }
    assertThat(server.log()).isEqualTo(before);
    assertThat(failedHandshakes("not_tls")).isEqualTo(1);
  }

  /** Clients of today make none. */
  private static byte[] helloOfTls11() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[] {0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 2});
    out.write(new byte[32]); // the random number
    out.write(new byte[] {0, 0, 2, (byte) 0xc0, 0x13, 1, 0}); // one suite, no compression
    return bytes.toByteArray();
  }

  private static long failedHandshakes(String reason) throws Exception {
    String name = "hourglass_http_tls_handshakes_failed_total{reason=\"" + reason + "\"} ";
    return ask(AUTHORITY.trusted(), "/metrics")
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  /** Sends a request on a new connection, which resumes no session. */
  private static String ask(SSLContext client, String path) throws IOException {
    try (SSLSocket socket = connect(client)) {
      RawHttp.write(
          socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private static SSLSocket connect(SSLContext client) throws IOException {
    SSLSocket socket =
        (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", server.port());
    socket.setSoTimeout(PATIENCE_SECONDS * 1_000);
    return socket;
  }

  @Test
  void aClientCertificateMayBeOptional() throws Exception {
    assertThat(ask(AUTHORITY.context(CLIENTS.client("CN=ada")), "/health/live")).contains(" 200 ");
    assertThat(ask(AUTHORITY.trusted(), "/health/live")).contains(" 200 ");
    Issued expired = CLIENTS.expiredClient("CN=ada");
    Issued foreign = Certificates.authority("Clients").client("CN=ada");
    for (Issued refused : List.of(expired, foreign)) {
      assertThatThrownBy(() -> ask(AUTHORITY.context(refused), "/health/live"))
          .isInstanceOf(IOException.class);
    }
  }

  /** The server begins with an expired certificate and gets a new one without a restart. */
  @Test
  void aClientCertificateMayBeRequired() throws Exception {
    Path other = Files.createDirectory(folder.resolve("required"));
    String[] settings = AUTHORITY.expiredServer().write(other, "server");
    Issued client = CLIENTS.client("CN=ada");
    client.write(other, "client");
    try (ServerProcess required =
        ServerProcess.start(
            other,
            settings[0],
            settings[1],
            "http.tls.client-ca=" + folder.resolve("clients.pem"),
            "http.tls.client-auth=required")) {
      assertThat(required.log()).contains("WARN").contains("server.pem: expired at ");
      String live = required.uri("/health/live").toString();
      String[] known = {
        "--cert",
        other.resolve("client.pem").toString(),
        "--key",
        other.resolve("client.key").toString(),
        "--cacert",
        authority.toString(),
        live
      };
      Run expired = curl(known);
      assertThat(expired.exit()).isEqualTo(60);
      assertThat(expired.said()).contains("expired");

      AUTHORITY.server().write(other, "server");
      await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> curl(known).exit() == 0);
      // With TLS 1.3 the end of the connection may come before the reason.
      await()
          .untilAsserted(
              () -> {
                Run unknown = curl("--cacert", authority.toString(), live);
                assertThat(unknown.exit()).isNotZero();
                assertThat(unknown.said()).doesNotContain("live\"").contains("certificate");
              });
    }
  }

  @Test
  void noRequestFailsWhileCertificatesAreReplaced() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    CompletableFuture<Void> reconnecting =
        CompletableFuture.runAsync(
            () -> {
              while (!enough.get()) {
                pushOnce(AUTHORITY.trusted());
                done.incrementAndGet();
              }
            },
            task -> new Thread(task, "reconnecting").start());
    SSLContext context = AUTHORITY.trusted();
    try (SSLSocket kept = connect(context)) {
      for (int i = 0; i < EXCHANGES; i++) {
        Issued next = AUTHORITY.server();
        pointTo(newPair("pair-" + i, next));
        await()
            .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
            .until(() -> serial().equals(next.certificate().getSerialNumber()));
        RawHttp.write(kept, "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(head(kept)).startsWith("HTTP/1.1 200 ");
        int before = done.get();
        await().until(() -> done.get() > before || reconnecting.isDone());
      }
    } finally {
      enough.set(true);
    }
    reconnecting.get(PATIENCE_SECONDS, TimeUnit.SECONDS); // throws what failed

    Path broken = Files.createDirectory(folder.resolve("broken"));
    AUTHORITY.server().write(broken, "server");
    AUTHORITY.server().write(folder, "another");
    Files.copy(
        folder.resolve("another.key"),
        broken.resolve("server.key"),
        StandardCopyOption.REPLACE_EXISTING);
    pointTo(broken);
    await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .until(() -> server.log().contains("not the key of the first certificate"));
    pushOnce(context);
    assertThat(ask(context, "/metrics"))
        .contains("hourglass_http_tls_reload_total{outcome=\"taken\"} " + EXCHANGES + ".0")
        .contains("hourglass_http_tls_reload_total{outcome=\"refused\"} 1.0");
  }

  private static java.math.BigInteger serial() throws IOException {
    try (SSLSocket socket = connect(AUTHORITY.trusted())) {
      socket.startHandshake();
      return ((java.security.cert.X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSerialNumber();
    }
  }

  private static void pushOnce(SSLContext context) {
    String event = EVENT.formatted("reload");
    String request =
        "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
            + event.length()
            + "\r\n\r\n"
            + event;
    try (SSLSocket socket = connect(context)) {
      RawHttp.write(socket, request);
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 200 ").contains("\"accepted\":1");
    } catch (IOException e) {
      throw new AssertionError("a request failed", e);
    }
  }

  /** Returns the head of an answer whose body has a known length. */
  private static String head(SSLSocket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("an answer that ends in its head: %s", head).isNotNegative();
      head.append((char) next);
    }
    String length = head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1");
    socket.getInputStream().readNBytes(Integer.parseInt(length));
    return head.toString();
  }

  private record Run(int exit, String said) {}

  private static String url(String path) {
    return server.address() + path;
  }

  private static Run curl(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 2];
    command[0] = "curl";
    command[1] = "-sS";
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return run(command);
  }

  private static Run run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .execute(
            () -> {
              process.descendants().forEach(ProcessHandle::destroyForcibly); // they hold the output
              process.destroyForcibly();
            });
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), said);
  }
}
