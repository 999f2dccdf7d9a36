package hourglass.program.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.testing.Project;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that logs all it can is sent secrets in every form and place, right and wrong ones, and
 * requests that fail. Nothing that it says or writes has one of them in it.
 */
@Tag(Tier.IN_FIRST)
class SecretsIT {
  private static final String RIGHT = TestKeys.secret("ada");
  private static final String WRONG = TestKeys.secret("nobody");
  private static final String PASSWORD = "of-the-store-7Qx";

  @TempDir Path folder;
  private ServerProcess server;
  private int asked;
  private final List<String> said = new ArrayList<>();

  @Test
  void noOutputContainsASecret() throws Exception {
    TestKeys keys = new TestKeys(folder).with("ada", "scopes = [admin]");
    Path logback = Files.writeString(folder.resolve("logback.xml"), logback());
    Map<String, String> environment =
        Map.of(
            "HOURGLASS_STORE_CASSANDRA_USERNAME",
            "ada",
            "HOURGLASS_STORE_CASSANDRA_PASSWORD",
            PASSWORD,
            "JAVA_TOOL_OPTIONS",
            "-Dlogback.configurationFile=" + logback);
    String[] settings = {
      "keys.file=" + keys.write(),
      "audit.file=" + folder.resolve("audit.log"),
      "http.trusted-proxies=[127.0.0.1]"
    };
    server = ServerProcess.start(folder, environment, settings);
    try (ServerProcess running = server) {
      for (String secret : List.of(RIGHT, WRONG, RIGHT.substring(0, 40), RIGHT + "x")) {
        for (String header : headers(secret)) {
          ask(header);
        }
        askByMistake(secret);
      }
      keys.write("keys { ada { secrets = [\"" + RIGHT + "\"], scopes = [admin] } }");
      await().until(() -> running.log().contains("the keys of before stay in force"));
      keys.write("keys { ada { secrets = \"" + RIGHT + " } }");
      said.add(get("Authorization: Bearer " + RIGHT, "/metrics"));
      assertThat(said.get(said.size() - 1)).contains("hourglass_audit_lines_total");
      said.add(ProcessHandle.of(running.pid()).orElseThrow().info().toString());
      said.add(Files.readString(Path.of("/proc/" + running.pid() + "/cmdline")));
      assertThat(running.terminate()).isZero();
      assertThat(running.log()).contains(" DEBUG ");
    }
    for (String command : List.of("--print-config", "--set=http.prt=1")) {
      Program.Result printed =
          Program.run(
              folder,
              environment,
              Stream.concat(
                      Stream.of(ServerProcess.arguments(folder, settings)), Stream.of(command))
                  .toArray(String[]::new));
      said.add(printed.out() + printed.err());
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().startsWith("keys.")) {
          assertNoSecret(file.toString(), Files.readString(file, ISO_8859_1));
        }
      }
    }
    for (String text : said) {
      assertNoSecret("said", text);
    }
  }

  /** Returns the delivered logging configuration at the finest level for all libraries. */
  private static String logback() throws IOException {
    String delivered =
        Files.readString(Project.ROOT.resolve("config/src/main/resources/logback.xml"));
    return delivered.replaceAll("level=\"[A-Z]+\"", "level=\"TRACE\"");
  }

  /** Each way to show a secret, and slips of it. */
  private static List<String> headers(String secret) {
    String pair = base64("ada:" + secret);
    return List.of(
        "Authorization: Bearer " + secret,
        "Authorization: bearer  " + secret + " ",
        "Authorization: Basic " + pair,
        "Authorization: Basic " + pair + "!",
        "Authorization: Basic ada:" + secret,
        "Authorization: ApiKey " + pair,
        "Authorization: " + secret,
        "Authorization: Digest " + secret,
        "X-API-Key: " + secret,
        "X-API-Key: " + pair,
        "Cookie: hourglass-session=" + secret,
        "Host: " + secret,
        "Origin: http://" + secret + ".example",
        "Accept: " + secret,
        "Content-Type: " + secret,
        "Content-Encoding: " + secret,
        secret + ": x",
        "X-Request-Id: " + secret,
        "X-Long: " + secret + "a".repeat(20_000),
        "Broken " + secret);
  }

  private void ask(String header) throws Exception {
    said.add(get(header, "/api/v1/types"));
    said.add(get(header, "/api/v1/events?limit=none"));
    said.add(get(header, "/nothing/here"));
    said.add(post(header, "/api/v1/events", "application/json", "{\"type\":1"));
    said.add(post(header, "/api/v1/events", "text/none", "x"));
  }

  /** Sends the secret where no secret belongs, with the right key and without. */
  private void askByMistake(String secret) throws Exception {
    String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    for (String header : List.of("Authorization: Bearer " + RIGHT, "X-Nothing: 1")) {
      for (String path :
          List.of(
              "/api/v1/events?key=" + encoded,
              "/api/v1/events?api_key=" + encoded + "&limit=1",
              "/api/v1/events?" + encoded,
              "/api/v1/events?limit=" + encoded,
              "/api/v1/events?where=" + encoded,
              "/api/v1/events?cursor=" + encoded,
              "/api/v1/events/" + encoded,
              "/api/v1/types?hour=" + encoded,
              "/api/v1/rejects?token=" + encoded,
              "/api/v1/tail?since=" + encoded,
              "/" + encoded,
              "http://ada:" + secret + "@localhost/api/v1/types",
              secret)) {
        said.add(get(header, path));
      }
      said.add(
          post(header, "/api/v1/events?token=" + encoded, "application/json", "{\"type\":\"t\"}"));
      said.add(
          post(
              header,
              "/api/v1/session",
              "application/json",
              "{\"key\":\"" + secret.substring(1) + "\"}"));
      said.add(post(header, "/api/v1/session", "application/json", "{\"key\":\"" + secret));
      said.add(post(header, "/api/v1/session", "application/json", secret));
    }
    said.add(
        post(
            "X-Nothing: 1", "/api/v1/session", "application/json", "{\"key\":\"" + secret + "\"}"));
    said.add(RawHttp.exchange(server.port(), secret + " / HTTP/1.1\r\n\r\n"));
    said.add(RawHttp.exchange(server.port(), secret + "\r\n\r\n"));
    said.add(
        server
            .send(
                HttpRequest.newBuilder(server.uri("/api/v1/session"))
                    .header("Authorization", "Bearer " + secret))
            .toString());
  }

  private String get(String header, String path) throws Exception {
    return exchange("GET " + path, header, "");
  }

  private String post(String header, String path, String type, String body) throws Exception {
    String more = header.startsWith("Content-Type") ? "" : "Content-Type: " + type + "\r\n";
    return exchange(
        "POST " + path,
        header,
        more + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body);
  }

  private String exchange(String line, String header, String rest) throws Exception {
    String host = header.startsWith("Host") ? "" : "Host: localhost\r\n";
    String end = rest.isEmpty() ? "Connection: close\r\n\r\n" : rest;
    // From an address of its own: many wrong keys from one address are answered slowly.
    asked++;
    String client = "X-Forwarded-For: 10.0.%d.%d\r\n".formatted(asked / 250, asked % 250 + 1);
    return RawHttp.exchange(
        server.port(), line + " HTTP/1.1\r\n" + host + client + header + "\r\n" + end);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertNoSecret(String where, String text) {
    for (String secret : List.of(RIGHT, WRONG)) {
      // What a slip left of it counts too, and so does what its base64 begins with.
      assertThat(text)
          .as(where)
          .doesNotContain(secret.substring(1, 30))
          .doesNotContain(base64("ada:" + secret).substring(0, 30))
          .doesNotContain(base64(secret).substring(0, 30));
    }
    assertThat(text).as(where).doesNotContain(PASSWORD);
  }
}
