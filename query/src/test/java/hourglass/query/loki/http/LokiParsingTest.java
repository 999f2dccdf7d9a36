package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.store.testkit.OracleStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of LogQL are parsed by threads of queries, since event loops have others to serve. */
class LokiParsingTest {
  private final OracleStore store = new OracleStore();
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The server does nothing else for such a query. */
  @ParameterizedTest
  @CsvSource({
    "query_range,query",
    "query,query",
    "labels,query",
    "label/app/values,query",
    "series,match[]",
    "index/stats,query",
    "index/volume,query",
    "index/volume_range,query",
    "detected_labels,query",
    "detected_fields,query",
    "detected_field/ms/values,query",
    "format_query,query",
    "tail,query"
  })
  void aBadQueryIsRefusedOffTheEventLoop(String path, String parameter) {
    String query = url(parameter) + "=" + url("{app=\"c\"} | pattern \"x\"");
    QueryServer.Reply reply = server.get("/loki/api/v1/" + path + "?" + query);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.headers().get("Content-Type")).startsWith("text/plain");
    assertThat(reply.body())
        .hasLineCount(1)
        .startsWith("parse error at line 1, col 13: the stage pattern is not supported");
    assertThat(server.tasks()).as("tasks of other threads").isPositive();
  }
}
