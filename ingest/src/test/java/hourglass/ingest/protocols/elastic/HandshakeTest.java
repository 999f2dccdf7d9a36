package hourglass.ingest.protocols.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.http.IngestServer;
import hourglass.testing.Patience;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
  private static IngestServer server;
  private static Vertx vertx;

  /** A server that answers with the form of refusals. */
  private static HttpServer forms;

  private static HttpClient client;

  @BeforeAll
  static void start() {
    ElasticBulk elastic = new ElasticBulk(ElasticBulk.DEFAULTS);
    server = new IngestServer(elastic);
    vertx = Vertx.vertx();
    Router router = Router.router(vertx);
    elastic.mountForm(router, ctx -> ctx.end(elastic.name()));
    router.route().handler(ctx -> ctx.end("other"));
    forms = join(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
    join(vertx.close());
  }

  private static <T> T join(Future<T> future) {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private static HttpResponse<String> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    return send(server.port(), method, path, headers);
  }

  private static HttpResponse<String> send(int port, String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.noBody());
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "GET  ~ /_license                      ~ {\"license\":{\"uid\":\"aG91cmdsYXNzLWxvZy0wMQ\",\"type\":\"basic\",\"status\":\"active\",\"expiry_date_in_millis\":4000000000000}}",
        "GET  ~ /_cluster/health?timeout=30s   ~ {\"cluster_name\":\"hourglass\",\"status\":\"green\",\"number_of_nodes\":1}",
        "GET  ~ /_cat/health                   ~ {\"cluster_name\":\"hourglass\",\"status\":\"green\",\"number_of_nodes\":1}",
        "GET  ~ /_index_template/logs          ~ {}",
        "PUT  ~ /_index_template/logs          ~ {\"acknowledged\":true}",
        "PUT  ~ /_ilm/policy/filebeat          ~ {\"acknowledged\":true}",
        "PUT  ~ /_ingest/pipeline/a            ~ {\"acknowledged\":true}",
        "GET  ~ /_nodes/http                   ~ {}",
        "GET  ~ /_nodes                        ~ {}",
        "GET  ~ /_logstash/pipeline            ~ {}",
        "GET  ~ /logs/_refresh                 ~ {}",
        "POST ~ /logs/_refresh                 ~ {}",
      })
  void handshakeRequestsAreAnswered(String method, String path, String answer) throws Exception {
    for (String prefix : List.of("", "/elasticsearch")) {
      HttpResponse<String> actual = send(method, prefix + path);
      assertThat(actual.statusCode()).isEqualTo(200);
      assertThat(actual.body()).isEqualTo(answer);
      assertThat(actual.headers().firstValue("X-Elastic-Product")).hasValue("Elasticsearch");
      assertThat(actual.headers().firstValue("Content-Type")).hasValue("application/json");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/_index_template/logs", "/elasticsearch/", "/elasticsearch"})
  void headIsGetWithoutABody(String path) throws Exception {
    HttpResponse<String> head = send("HEAD", path);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("X-Elastic-Product")).hasValue("Elasticsearch");
    assertThat(head.headers().firstValue("Content-Length"))
        .hasValue(String.valueOf(send("GET", path).body().length()));
  }

  @Test
  void theRootDescribesElasticsearchExceptToBrowsers() throws Exception {
    for (String accept :
        List.of(
            "*/*", "application/json", "application/vnd.elasticsearch+json; compatible-with=9")) {
      HttpResponse<String> answer = send("GET", "/", "Accept", accept);
      JsonObject info = new JsonObject(answer.body());
      assertThat(info.getJsonObject("version").getString("number")).isEqualTo("8.15.0");
      assertThat(info.getString("tagline")).isEqualTo("You Know, for Search");
      assertThat(answer.headers().firstValue("Vary")).hasValue("Accept");
    }
    String browser = "text/html,application/xhtml+xml,*/*;q=0.8";
    assertThat(send("GET", "/", "Accept", browser).statusCode()).isEqualTo(404);
    assertThat(send("GET", "/elasticsearch", "Accept", browser).statusCode()).isEqualTo(200);
  }

  /** opensearch-java throws where one is missing. */
  @Test
  void theRootContainsAllFieldsThatClientsRequire() throws Exception {
    JsonObject info = new JsonObject(send("GET", "/").body());
    assertThat(info.fieldNames())
        .containsExactlyInAnyOrder("name", "cluster_name", "cluster_uuid", "version", "tagline");
    JsonObject version = info.getJsonObject("version");
    assertThat(version.fieldNames())
        .contains(
            "number",
            "build_type",
            "build_hash",
            "build_date",
            "build_snapshot",
            "lucene_version",
            "minimum_wire_compatibility_version",
            "minimum_index_compatibility_version");
    assertThat(version.getString("distribution")).isEqualTo("opensearch");
  }

  @ParameterizedTest
  @CsvSource({
    "/_bulk, elastic",
    "/a/_bulk, elastic",
    "/a/_search, elastic",
    "/a/log/_bulk, elastic",
    "/elasticsearch, elastic",
    "/elasticsearch/x, elastic",
    "/, other",
    "/api/v1/events, other",
    "/elasticsearches, other",
    "/index_a.html, other",
    "/v1/logs, other",
  })
  void refusalsAreInItsFormOnItsPathsAlone(String path, String form) throws Exception {
    assertThat(send(forms.actualPort(), "GET", path).body()).isEqualTo(form);
  }
}
