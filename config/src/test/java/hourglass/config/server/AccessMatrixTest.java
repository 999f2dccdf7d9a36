package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.config.gate.keys.SecretHash;
import hourglass.testing.RawHttp;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every route of the program with every kind of key: who gets an answer, and who which refusal. */
class AccessMatrixTest {
  private static final String OPEN = "open";
  private static final String ALL_TYPES = " of all types";
  private static final String GRPC = "/opentelemetry.proto.collector.";

  /** Loki's API to read. */
  private static final List<String> LOKI =
      List.of(
          "query_range",
          "query",
          "labels",
          "label",
          "label/:name/values",
          "series",
          "index/stats",
          "index/volume",
          "index/volume_range",
          "detected_labels",
          "detected_fields",
          "detected_field/:name/values",
          "patterns",
          "status/buildinfo",
          "format_query");

  /** The scope that each route needs. A new route fails here until its scope is decided. */
  private static final Map<String, String> WANTED =
      withElasticsearch(
          Map.entry("POST /api/v1/events", "ingest"),
          Map.entry("GET /api/v1/events", "query"),
          Map.entry("GET /api/v1/events/:id", "query"),
          Map.entry("GET /api/v1/plan", "query"),
          Map.entry("GET /api/v1/hits", "query"),
          Map.entry("GET /api/v1/types", "query"),
          Map.entry("GET /api/v1/stats", "query"),
          Map.entry("GET /api/v1/top", "query"),
          Map.entry("GET /api/v1/fields", "query"),
          Map.entry("GET /api/v1/filter", "query"),
          Map.entry("GET /api/v1/tail", "query"),
          Map.entry("GET /api/v1/queries", "query"),
          Map.entry("DELETE /api/v1/queries/:id", "query"),
          Map.entry("GET /api/v1/diagnosis", "admin"),
          Map.entry("GET /api/v1/rows", "query" + ALL_TYPES),
          Map.entry("GET /api/v1/rejects", "query" + ALL_TYPES),
          Map.entry("DELETE /api/v1/hours/:hour", "admin"),
          Map.entry("GET /api/v1/retention", "admin"),
          Map.entry("POST /api/v1/erasures", "erase"),
          Map.entry("GET /api/v1/erasures", "erase"),
          Map.entry("GET /api/v1/erasures/:id", "erase"),
          Map.entry("POST /loki/api/v1/delete", "erase"),
          Map.entry("PUT /loki/api/v1/delete", "erase"),
          Map.entry("GET /loki/api/v1/delete", "erase"),
          Map.entry("DELETE /loki/api/v1/delete", "erase"),
          Map.entry("POST /api/v1/backups", "admin"),
          Map.entry("GET /api/v1/backups", "admin"),
          Map.entry("POST /loki/api/v1/push", "ingest"),
          Map.entry("POST /services/collector", "ingest"),
          Map.entry("POST /services/collector/event", "ingest"),
          Map.entry("POST /services/collector/event/1.0", "ingest"),
          Map.entry("POST /services/collector/raw", "ingest"),
          Map.entry("POST /services/collector/raw/1.0", "ingest"),
          Map.entry("POST /services/collector/ack", "ingest"),
          Map.entry("OPTIONS /services/collector", OPEN),
          Map.entry("OPTIONS /services/collector/event", OPEN),
          Map.entry("OPTIONS /services/collector/event/1.0", OPEN),
          Map.entry("GET /services/collector/health", OPEN),
          Map.entry("GET /services/collector/health/1.0", OPEN),
          Map.entry("POST /upload", "ingest"),
          Map.entry("POST /v1/logs", "ingest"),
          Map.entry("POST /otlp/v1/logs", "ingest"),
          Map.entry("POST /v1/traces", "ingest"),
          Map.entry("POST /otlp/v1/traces", "ingest"),
          Map.entry("POST /v1/metrics", "ingest"),
          Map.entry("POST /otlp/v1/metrics", "ingest"),
          Map.entry("POST " + GRPC + "logs.v1.LogsService/Export", "ingest"),
          Map.entry("POST " + GRPC + "trace.v1.TraceService/Export", "ingest"),
          Map.entry("POST " + GRPC + "metrics.v1.MetricsService/Export", "ingest"),
          Map.entry("GET /metrics", "metrics"),
          Map.entry("GET /openapi.yaml", OPEN),
          Map.entry("GET /health/live", OPEN),
          Map.entry("GET /health/ready", OPEN),
          Map.entry("POST /api/v1/session", OPEN),
          Map.entry("GET /api/v1/session", OPEN),
          Map.entry("DELETE /api/v1/session", OPEN),
          Map.entry("GET /", OPEN));

  /** All its paths are there twice. */
  @SafeVarargs
  private static Map<String, String> withElasticsearch(Map.Entry<String, String>... others) {
    Map<String, String> wanted = new LinkedHashMap<>(Map.ofEntries(others));
    wanted.put("GET /loki/api/v1/tail", "query");
    for (String path : LOKI) {
      wanted.put("GET /loki/api/v1/" + path, "query");
      wanted.put("POST /loki/api/v1/" + path, "query");
    }
    for (String prefix : List.of("", "/elasticsearch")) {
      Stream.of("POST /_bulk", "PUT /_bulk", "POST /:index/_bulk", "PUT /:index/_bulk")
          .forEach(route -> wanted.put(route.replaceFirst("/", prefix + "/"), "ingest"));
      for (String path : List.of("/_index_template/", "/_ilm/policy/", "/_ingest/pipeline/")) {
        wanted.put("GET " + prefix + path, "ingest");
        wanted.put("PUT " + prefix + path, "ingest");
      }
      for (String path :
          List.of("/_license", "/_cluster/health", "/_cat/health", "/_nodes", "/_logstash/")) {
        wanted.put("GET " + prefix + path, "ingest");
      }
      wanted.put("GET " + prefix + "/:index/_refresh", "ingest");
      wanted.put("POST " + prefix + "/:index/_refresh", "ingest");
    }
    wanted.put("GET /elasticsearch", "ingest");
    return wanted;
  }

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "/api/v1/hits", "?hour=2026-11-20T08&step=1m",
          "/api/v1/stats", "?field=data.n",
          "/api/v1/top", "?field=data.n",
          "/services/collector", "?type=shop.cart",
          "/services/collector/event", "?type=shop.cart",
          "/services/collector/event/1.0", "?type=shop.cart",
          "/services/collector/raw", "?type=shop.cart",
          "/services/collector/raw/1.0", "?type=shop.cart");

  /** Status of the answer to a right key, if it is not 200. */
  private static final Map<String, Integer> STATUS =
      Map.ofEntries(
          Map.entry("GET /api/v1/events/:id", 404),
          Map.entry("DELETE /api/v1/queries/:id", 404),
          Map.entry("POST /loki/api/v1/push", 204),
          Map.entry("GET /loki/api/v1/tail", 400), // it needs a handshake
          Map.entry("POST /services/collector/ack", 400),
          Map.entry("POST /api/v1/backups", 400), // it needs a folder
          Map.entry("POST /api/v1/erasures", 400), // it needs a range
          Map.entry("GET /api/v1/erasures/:id", 404),
          Map.entry("POST /loki/api/v1/delete", 400), // it needs a query
          Map.entry("PUT /loki/api/v1/delete", 400),
          Map.entry("DELETE /loki/api/v1/delete", 404),
          Map.entry("POST /upload", 415),
          // It needs HTTP/2; refusals of keys have a status of HTTP here too.
          Map.entry("POST " + GRPC + "logs.v1.LogsService/Export", 505),
          Map.entry("POST " + GRPC + "trace.v1.TraceService/Export", 505),
          Map.entry("POST " + GRPC + "metrics.v1.MetricsService/Export", 505));

  private static final String ID = "13814000-1dd2-11b2-8000-000000000000";

  /** The holder of a key, with the entries of {@link #WANTED} that its scopes open. */
  private record Holder(String secret, Set<String> opens) {}

  @TempDir private static Path folder;

  private static final HttpClient client = HttpClient.newHttpClient();
  private static final AtomicInteger clients = new AtomicInteger();
  private static final Map<String, Holder> holders = new LinkedHashMap<>();
  private static final Map<String, String> wrong = new LinkedHashMap<>();
  private static KeyedServer server;

  @BeforeAll
  static void start() throws IOException {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    String all = "query" + ALL_TYPES;
    hold(keys, "ingest", "*", Set.of("ingest"), Scope.INGEST);
    hold(keys, "query", "*", Set.of("query", all), Scope.QUERY);
    hold(keys, "some", "shop.*", Set.of("query", "ingest"), Scope.QUERY, Scope.INGEST);
    hold(keys, "metrics", "*", Set.of("metrics"), Scope.METRICS);
    hold(keys, "erase", "shop.*", Set.of("erase"), Scope.ERASE);
    hold(keys, "admin", "shop.*", Set.of("ingest", "query", all, "metrics", "admin"), Scope.ADMIN);
    Instant over = Instant.parse("2026-01-01T00:00:00Z");
    wrong.put("unknown", "hg_0123456789012345678901234567890123456789abc");
    wrong.put("expired", KeyedServer.add(keys, "expired", "*", over, Scope.ADMIN));
    String revoked = KeyedServer.add(keys, "admin", "shop.*", null, Scope.ADMIN);
    keys.revoke("admin", SecretHash.of(revoked).id());
    wrong.put("revoked", revoked);
    server = new KeyedServer(folder, keys, "http.trusted-proxies=[127.0.0.1]");
  }

  private static void hold(
      KeysFile keys, String name, String types, Set<String> opens, Scope... scopes)
      throws IOException {
    holders.put(name, new Holder(KeyedServer.add(keys, name, types, null, scopes), opens));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<InputStream> send(String route, @Nullable String secret)
      throws Exception {
    String[] parts = route.split(" ", 2);
    String path =
        parts[1].replace(":index", "shop.cart").replace(":id", ID).replace(":hour", "2001-01-01T00")
            + PARAMETERS.getOrDefault(parts[1], "");
    if (path.startsWith("/loki/") && !path.endsWith("push")) {
      path = path.replace(":name", "app") + "?query=vector(1)";
      path = path.matches(".*/(query|query_range|format_query)\\?.*") ? path : path.split("\\?")[0];
    }
    String body = route.endsWith("session") ? "{}" : "{\"type\":\"shop.cart\",\"event\":1}";
    body = route.endsWith("_bulk") ? "{\"index\":{\"_index\":\"shop.cart\"}}\n{}" : body;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path))
            .method(
                parts[0],
                parts[0].equals("POST") || parts[0].equals("PUT")
                    ? BodyPublishers.ofString(body)
                    : BodyPublishers.noBody())
            .header("Content-Type", "application/json")
            .header("X-Forwarded-For", anotherClient());
    if (secret != null) {
      request.header("Authorization", "Bearer " + secret);
    }
    // A tail has no end: its headers must do.
    return client.send(request.build(), BodyHandlers.ofInputStream());
  }

  /** Wrong keys of one address are slowed down. */
  private static String anotherClient() {
    int number = clients.incrementAndGet();
    return "10.0." + number / 256 + "." + number % 256;
  }

  private static String body(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream in = answer.body()) {
      return new String(in.readNBytes(2_000));
    }
  }

  @Test
  void everyRouteHasAnAccessRule() {
    Set<String> routes = new TreeSet<>();
    for (Route route : server.routes()) {
      if (route.methods() != null && route.getPath() != null) {
        for (HttpMethod method : route.methods()) {
          routes.add(method.name() + " " + route.getPath());
        }
      }
    }
    routes.removeIf(route -> route.startsWith("HEAD ")); // as GET, in everything
    routes.add("GET /"); // and the other files of the page, by a pattern
    assertThat(routes).isEqualTo(new TreeSet<>(WANTED.keySet()));
    assertThat(server.routes().stream().filter(AccessMatrixTest::isPattern)).hasSize(1);
  }

  /** Rather than a path, perhaps with parameters such as {@code :id}. */
  private static boolean isPattern(Route route) {
    return route.isRegexPath() && (route.getPath() == null || route.getPath().contains("("));
  }

  @Test
  void withoutAKeyOnlyOpenRoutesAreAnswered() throws Exception {
    for (Map.Entry<String, String> route : WANTED.entrySet()) {
      HttpResponse<InputStream> answer = send(route.getKey(), null);
      if (!route.getValue().equals(OPEN)) {
        assertThat(answer.statusCode()).as(route.getKey()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate").orElse(""))
            .contains("Bearer")
            .contains("Basic");
        assertThat(body(answer)).contains("this server wants a key");
      } else if (!route.getKey().endsWith("/session")) {
        assertThat(answer.statusCode()).as(route.getKey()).isEqualTo(200);
      }
    }
  }

  @Test
  void wrongKeysAreRefusedEverywhere() throws Exception {
    for (Map.Entry<String, String> secret : wrong.entrySet()) {
      for (Map.Entry<String, String> route : WANTED.entrySet()) {
        if (!route.getValue().equals(OPEN)) {
          HttpResponse<InputStream> answer = send(route.getKey(), secret.getValue());
          int expected = isOfSplunk(route.getKey()) ? 403 : 401;
          assertThat(answer.statusCode()).as(secret.getKey() + route).isEqualTo(expected);
          assertThat(body(answer)).contains("unknown, or it has expired or was revoked");
        }
      }
    }
  }

  @Test
  void keysOpenExactlyTheRoutesOfTheirScopes() throws Exception {
    for (Map.Entry<String, Holder> holder : holders.entrySet()) {
      for (Map.Entry<String, String> route : WANTED.entrySet()) {
        if (route.getValue().equals(OPEN)) {
          continue;
        }
        HttpResponse<InputStream> answer = send(route.getKey(), holder.getValue().secret());
        String what = holder.getKey() + " sends " + route;
        if (holder.getValue().opens().contains(route.getValue())) {
          int expected = STATUS.getOrDefault(route.getKey(), 200);
          assertThat(answer.statusCode()).as(what).isEqualTo(expected);
          answer.body().close();
        } else {
          assertThat(answer.statusCode()).as(what).isEqualTo(403);
          boolean lacksTypes = holder.getValue().opens().contains("query");
          String scope =
              route.getValue().endsWith(ALL_TYPES) && lacksTypes
                  ? "admin"
                  : route.getValue().replace(ALL_TYPES, "");
          boolean isProblem =
              route.getKey().contains(" /api/") || route.getKey().contains(" /metrics");
          assertThat(body(answer))
              .as(what)
              .contains(isProblem ? "\"scope\":\"" + scope + "\"" : "has no scope " + scope);
        }
      }
    }
  }

  /** Answers in Splunk's form are no problems. */
  private static boolean isOfSplunk(String route) {
    return route.contains("/services/collector");
  }

  @Test
  void unknownPathsAreRefusedWithoutAKey() throws Exception {
    for (String path : List.of("/api/v1/secret", "/metrics/x", "/api", "/nothing.txt")) {
      assertThat(send("GET " + path, null).statusCode()).as(path).isEqualTo(401);
      for (Holder holder : holders.values()) {
        assertThat(send("GET " + path, holder.secret()).statusCode()).as(path).isEqualTo(404);
      }
    }
  }

  @Test
  void otherSpellingsOfAPathAreRefused() throws Exception {
    for (String path :
        List.of(
            "/metrics/", "//metrics", "/./metrics", "/x/../metrics", "/%6Detrics", "/METRICS")) {
      assertThat(send("GET " + path, null).statusCode()).as(path).isIn(400, 401);
    }
  }

  @Test
  void everyFormOfAKeyIsAccepted() throws Exception {
    String secret = holders.get("metrics").secret();
    String pair = Base64.getEncoder().encodeToString(("metrics:" + secret).getBytes());
    String other = Base64.getEncoder().encodeToString(("query:" + secret).getBytes());
    assertThat(statusWith("Authorization", "Bearer " + secret)).isEqualTo(200);
    assertThat(statusWith("Authorization", "Splunk " + secret)).isEqualTo(200);
    assertThat(statusWith("Authorization", "Basic " + pair)).isEqualTo(200);
    assertThat(statusWith("Authorization", "ApiKey " + pair)).isEqualTo(200);
    assertThat(statusWith("X-API-Key", secret)).isEqualTo(200);
    assertThat(statusWith("Authorization", "Basic " + other)).isEqualTo(401);
    assertThat(statusWith("Authorization", secret)).isEqualTo(401);
  }

  private static int statusWith(String header, String value) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/metrics")).header(header, value).build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void aRefusedTypeDoesNotFailTheOtherEvents() throws Exception {
    String secret = holders.get("some").secret();
    String two = "[{\"type\":\"audit\"},{\"type\":\"shop.cart\"}]";
    HttpResponse<String> mixed = push(secret, two);
    assertThat(mixed.statusCode()).isEqualTo(200);
    assertThat(mixed.body())
        .contains("\"accepted\":1,\"rejected\":1")
        .contains("{\"index\":0,\"reason\":\"type: not allowed for this key\",");
    HttpResponse<String> none = push(secret, "{\"type\":\"audit\"}");
    assertThat(none.statusCode()).isEqualTo(403);
    assertThat(none.body()).contains("type: not allowed for this key");
  }

  private static HttpResponse<String> push(String secret, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .POST(BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .header("X-API-Key", secret)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void aSessionOpensRoutesUntilItEnds() throws Exception {
    String secret = holders.get("some").secret();
    HttpResponse<String> begun = session("POST", "{\"key\":\"" + secret + "\"}", null);
    assertThat(begun.statusCode()).isEqualTo(204);
    String cookie = begun.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie)
        .startsWith("hourglass-session=")
        .contains("HttpOnly")
        .contains("SameSite=Strict")
        .doesNotContain(secret);
    String sent = cookie.split(";")[0];
    assertThat(session("GET", "", sent).body())
        .isEqualTo("{\"name\":\"some\",\"scopes\":[\"ingest\",\"query\"],\"types\":[\"shop.*\"]}");
    HttpResponse<String> ended = session("DELETE", "", sent);
    assertThat(ended.statusCode()).isEqualTo(204);
    assertThat(ended.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
    assertThat(session("GET", "", sent).statusCode()).isEqualTo(401);
    assertThat(session("GET", "", null).statusCode()).isEqualTo(401);
    assertThat(session("POST", "{\"key\":\"hg_no\"}", null).statusCode()).isEqualTo(401);
    assertThat(session("POST", "[1", null).statusCode()).isEqualTo(400);
    for (String other : List.of("", "null", "\"key\"", "{\"key\":1}", "{\"key\":null}")) {
      assertThat(session("POST", other, null).statusCode()).as(other).isEqualTo(400);
    }
    assertThat(session("POST", "x".repeat(5_000), null).statusCode()).isEqualTo(413);
  }

  @Test
  void unfinishedBodiesOfSessionsAreBounded() throws IOException {
    List<Socket> unfinished = new ArrayList<>();
    try {
      for (int i = 0; i < 70; i++) {
        Socket socket = new Socket("127.0.0.1", server.uri("/").getPort());
        unfinished.add(socket);
        RawHttp.write(
            socket,
            "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n{");
      }
      await().until(() -> unfinished.stream().filter(AccessMatrixTest::isAnswered).count() == 6);
    } finally {
      for (Socket socket : unfinished) {
        socket.close();
      }
    }
  }

  private static boolean isAnswered(Socket socket) {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpResponse<String> session(String method, String body, @Nullable String cookie)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri("/api/v1/session"))
            .method(method, BodyPublishers.ofString(body));
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void aRevokedKeyEndsItsTail() throws Exception {
    String leaver = KeyedServer.add(server.keys, "leaver", "*", null, Scope.QUERY);
    await().until(() -> statusOf(leaver) == 200);
    HttpResponse<InputStream> tail = send("GET /api/v1/tail", leaver);
    assertThat(tail.statusCode()).isEqualTo(200);
    server.keys.revoke("leaver", null);
    assertThat(new String(tail.body().readAllBytes())).startsWith("retry: ");
    assertThat(statusOf(leaver)).isEqualTo(401);
  }

  /** The browser may leave the page open, or its cookie may have been copied. */
  @Test
  void signingOutEndsATail() throws Exception {
    String cookie =
        session("POST", "{\"key\":\"" + holders.get("query").secret() + "\"}", null)
            .headers()
            .firstValue("Set-Cookie")
            .orElseThrow()
            .split(";")[0];
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/api/v1/tail")).header("Cookie", cookie).build();
    HttpResponse<InputStream> tail = client.send(request, BodyHandlers.ofInputStream());
    assertThat(tail.statusCode()).isEqualTo(200);
    assertThat(session("DELETE", "", cookie).statusCode()).isEqualTo(204);
    assertThat(new String(tail.body().readAllBytes())).startsWith("retry: ");
  }

  @Test
  void aWrongKeyBeginsNoSession() throws Exception {
    HttpResponse<InputStream> answer = send("GET /api/v1/session", wrong.get("revoked"));
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(body(answer)).contains("unknown, or it has expired or was revoked");
    assertThat(send("GET /health/ready", wrong.get("revoked")).statusCode()).isEqualTo(200);
  }

  private static int statusOf(String secret) throws Exception {
    HttpResponse<InputStream> answer = send("GET /api/v1/types", secret);
    answer.body().close();
    return answer.statusCode();
  }

  /** The second case is a browser without TLS, on an address other than the loopback. */
  @ParameterizedTest
  @CsvSource({"Sec-Fetch-Mode, cors", "Accept, 'text/event-stream, application/problem+json'"})
  void pagesAreChallengedWithoutAPassword(String name, String value) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri("/api/v1/types")).header(name, value).build();
    HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
    assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
  }

  @Test
  void readinessDetailsNeedAKeyForAllTypes() throws Exception {
    assertThat(body(send("GET /health/ready", null))).isEqualTo("{\"status\":\"ready\"}\n");
    for (Map.Entry<String, Holder> holder : holders.entrySet()) {
      String answer = body(send("GET /health/ready", holder.getValue().secret()));
      assertThat(answer.contains("\"store\":\"ready\""))
          .as(holder.getKey())
          .isEqualTo(Set.of("query", "admin").contains(holder.getKey()));
    }
  }
}
