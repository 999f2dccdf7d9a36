package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.LatentStore;
import hourglass.query.QueryOptions;
import hourglass.store.testkit.OracleStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts and the directory as a client sees them. */
class CountsHttpTest {
  private final OracleStore oracle = new OracleStore();
  private final LatentStore store = new LatentStore(oracle);
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  CountsHttpTest() {
    Fill.row(store, "a", 3);
    Fill.row(store, "b|\"", 121);
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private String get(String path) {
    QueryServer.Reply reply = server.get("/api/v1/" + path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.headers()).containsEntry("Content-Type", "application/json");
    return reply.body();
  }

  @Test
  void hitsOfAllTypesTogether() {
    assertThat(get("hits?from=2026-11-20T08:00:00Z&to=2026-11-20T08:03:30Z&step=1m"))
        .isEqualTo(
            "{\"step_ms\":60000,\"from\":\"2026-11-20T08:00:00.0000000Z\","
                + "\"to\":\"2026-11-20T08:03:30.0000000Z\","
                + "\"series\":[{\"counts\":[63,60,1,0]}],\"total\":124,\"complete\":true}");
  }

  @Test
  void hitsByType() {
    assertThat(get("hits?hour=2026-11-20T08&step=30m&by=type"))
        .contains(
            "\"series\":[{\"type\":\"a\",\"counts\":[3,0]},"
                + "{\"type\":\"b|\\\"\",\"counts\":[121,0]}]");
    assertThat(get("hits?hour=2026-11-20T08&step=30m&by=type&type=a&type=none"))
        .contains("\"series\":[{\"type\":\"a\",\"counts\":[3,0]}],\"total\":3");
  }

  @Test
  void types() {
    assertThat(get("types"))
        .isEqualTo(
            "{\"types\":[{\"type\":\"a\",\"count\":3,\"bytes\":21},"
                + "{\"type\":\"b|\\\"\",\"count\":121,\"bytes\":979}],\"complete\":true}");
    assertThat(get("types?from=2026-11-20T09")).isEqualTo("{\"types\":[],\"complete\":true}");
  }

  @Test
  void ofSomeOnly() {
    assertThat(get("hits?hour=2026-11-20T08&step=30m&by=type&where=data.n+%3E+1"))
        .contains(
            "\"series\":[{\"type\":\"a\",\"counts\":[1,0]},"
                + "{\"type\":\"b|\\\"\",\"counts\":[119,0]}],\"total\":120");
    assertThat(get("hits?hour=2026-11-20T08&step=1h&contains=:12")).contains("\"total\":2,");
    assertThat(get("types?where=type+%3D%3D+%22a%22+%26%26+data.n+in+%5B0,2%5D"))
        .isEqualTo("{\"types\":[{\"type\":\"a\",\"count\":2,\"bytes\":14}],\"complete\":true}");
    assertThat(get("types?where=data.absent+%3D%3D+1"))
        .isEqualTo("{\"types\":[],\"complete\":true}");
  }

  @Test
  void rows() {
    oracle.sealNow();
    assertThat(get("rows?hour=2026-11-20T08&type=b%7C%22"))
        .isEqualTo(
            "{\"rows\":[{\"row\":\"20112608|b%7C\\\"|0\",\"type\":\"b|\\\"\",\"shard\":0,"
                + "\"columns\":121,\"bytes\":979,"
                + "\"first\":\"2026-11-20T08:00:00.0000000Z\","
                + "\"last\":\"2026-11-20T08:02:00.0000000Z\","
                + "\"target\":{\"columns\":100000,\"bytes\":10485760},"
                + "\"fill\":0.0012,\"sealed\":true}],\"complete\":true}");
    assertThat(get("rows?from=2026-11-20T09")).isEqualTo("{\"rows\":[],\"complete\":true}");
  }
}
