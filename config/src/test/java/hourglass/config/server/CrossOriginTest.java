package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrossOriginTest {
  private static final String LISTED = "https://pages.example";
  private static final String ALLOWED = "Access-Control-Allow-Origin";

  @TempDir private static Path folder;

  private static final HttpClient client = HttpClient.newHttpClient();
  private static KeyedServer server;
  private static String secret;

  @BeforeAll
  static void start() throws IOException {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    secret = KeyedServer.add(keys, "ada", "*", null, Scope.QUERY);
    server = new KeyedServer(folder, keys, "http.allowed-origins=[\"" + LISTED + "\"]");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> send(String method, String... headers) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/api/v1/types"))
            .method(method, BodyPublishers.noBody())
            .headers(headers)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void preflightRequestsNeedNoKey() throws Exception {
    HttpResponse<String> answer =
        send(
            "OPTIONS",
            "Origin",
            LISTED,
            "Access-Control-Request-Method",
            "GET",
            "Access-Control-Request-Headers",
            "authorization");
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue(ALLOWED)).hasValue(LISTED);
    assertThat(answer.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
        .contains("Authorization");
    assertThat(answer.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
  }

  @Test
  void aListedPageReadsAnswersAndRefusals() throws Exception {
    HttpResponse<String> answer =
        send("GET", "Origin", LISTED, "Authorization", "Bearer " + secret);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue(ALLOWED)).hasValue(LISTED);
    assertThat(answer.headers().firstValue("Vary").orElse("")).contains("Accept-Encoding, Origin");
    HttpResponse<String> refusal = send("GET", "Origin", LISTED);
    assertThat(refusal.statusCode()).isEqualTo(401);
    assertThat(refusal.headers().firstValue(ALLOWED)).hasValue(LISTED);
  }

  @Test
  void unlistedPagesAreRefused() throws Exception {
    for (String origin : new String[] {"https://evil.example", "http://pages.example", "null"}) {
      HttpResponse<String> answer =
          send("GET", "Origin", origin, "Authorization", "Bearer " + secret);
      assertThat(answer.statusCode()).as(origin).isEqualTo(403);
      assertThat(answer.headers().firstValue(ALLOWED)).as(origin).isEmpty();
      HttpResponse<String> asked =
          send("OPTIONS", "Origin", origin, "Access-Control-Request-Method", "GET");
      assertThat(asked.statusCode()).as(origin).isEqualTo(403);
    }
  }

  @Test
  void theOwnPageNeedsNoPermission() throws Exception {
    String own = server.uri("").toString();
    HttpResponse<String> answer = send("GET", "Origin", own, "Authorization", "Bearer " + secret);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue(ALLOWED)).isEmpty();
  }

  /** A browser also sends the cookie from pages of a sibling name, which is the same site. */
  @Test
  void onlyTheOwnPageUsesTheSession() throws Exception {
    HttpRequest signIn =
        HttpRequest.newBuilder(server.uri("/api/v1/session"))
            .POST(BodyPublishers.ofString("{\"key\":\"" + secret + "\"}"))
            .build();
    String cookie =
        client
            .send(signIn, BodyHandlers.ofString())
            .headers()
            .firstValue("Set-Cookie")
            .orElseThrow()
            .split(";")[0];
    assertThat(send("GET", "Cookie", cookie).statusCode()).isEqualTo(200);
    String own = server.uri("").toString();
    assertThat(send("GET", "Cookie", cookie, "Origin", own).statusCode()).isEqualTo(200);
    assertThat(send("GET", "Cookie", cookie, "Origin", LISTED).statusCode()).isEqualTo(401);
  }
}
