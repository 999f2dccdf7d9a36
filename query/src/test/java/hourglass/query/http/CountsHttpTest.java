package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.QueryOptions;
import hourglass.query.RowLayout;
import hourglass.store.ForwardingStore;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
  void hitsCountAllTypesTogether() {
    assertThat(get("hits?from=2026-11-20T08:00:00Z&to=2026-11-20T08:03:30Z&step=1m"))
        .isEqualTo(
            "{\"step_ms\":60000,\"from\":\"2026-11-20T08:00:00.0000000Z\","
                + "\"to\":\"2026-11-20T08:03:30.0000000Z\","
                + "\"series\":[{\"counts\":[63,60,1,0]}],\"total\":124,\"complete\":true}");
  }

  @Test
  void hitsAreCountedByType() {
    assertThat(get("hits?hour=2026-11-20T08&step=30m&by=type"))
        .contains(
            "\"series\":[{\"type\":\"a\",\"counts\":[3,0]},"
                + "{\"type\":\"b|\\\"\",\"counts\":[121,0]}]");
    assertThat(get("hits?hour=2026-11-20T08&step=30m&by=type&type=a&type=none"))
        .contains("\"series\":[{\"type\":\"a\",\"counts\":[3,0]}],\"total\":3");
  }

  @Test
  void aPlanCountsTheRowsOfAQuery() {
    assertThat(get("plan")).isEqualTo("{\"hours\":1,\"rows\":2,\"columns\":124,\"bytes\":1000}");
    assertThat(get("plan?type=a&hour=2026-11-20T08&order=desc&limit=1&format=csv&fields=id"))
        .isEqualTo("{\"hours\":1,\"rows\":1,\"columns\":3,\"bytes\":21}");
    assertThat(get("plan?from=2026-11-20T08:01:00Z"))
        .as("the last of a is before that")
        .isEqualTo("{\"hours\":1,\"rows\":1,\"columns\":121,\"bytes\":979}");
    assertThat(get("plan?from=2026-11-20T09"))
        .isEqualTo("{\"hours\":0,\"rows\":0,\"columns\":0,\"bytes\":0}");
  }

  @Test
  void aPlanOfANextPageOmitsFinishedRows() {
    String page = get("events?type=a&type=b%7C%22&limit=100");
    String cursor = page.replaceAll(".*\"cursor\":\"([^\"]+)\".*", "$1");
    assertThat(get("plan?type=a&type=b%7C%22&cursor=" + cursor))
        .contains("\"rows\":1,\"columns\":121");
  }

  @Test
  void typesAreListedWithTheirCounts() {
    assertThat(get("types"))
        .isEqualTo(
            "{\"types\":[{\"type\":\"a\",\"count\":3,\"bytes\":21},"
                + "{\"type\":\"b|\\\"\",\"count\":121,\"bytes\":979}],\"complete\":true}");
    assertThat(get("types?from=2026-11-20T09")).isEqualTo("{\"types\":[],\"complete\":true}");
  }

  @Test
  void filtersApplyToCounts() {
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
  void rowsAreDescribed() {
    oracle.sealNow();
    assertThat(get("rows?hour=2026-11-20T08&type=b%7C%22"))
        .isEqualTo(
            "{\"rows\":[{\"row\":\"20112608|b%7C\\\"|0\",\"type\":\"b|\\\"\",\"shard\":0,"
                + "\"columns\":121,\"bytes\":979,"
                + "\"first\":\"2026-11-20T08:00:00.0000000Z\","
                + "\"last\":\"2026-11-20T08:02:00.0000000Z\","
                + "\"target\":{\"columns\":100000,\"bytes\":10485760},"
                + "\"fill\":0.0012,\"sealed\":true,\"state\":\"sealed\","
                + "\"growth\":null,\"writers\":null}],"
                + "\"types\":[{\"hour\":\"2026-11-20T08\",\"type\":\"b|\\\"\",\"rows\":1,"
                + "\"columns\":121,\"bytes\":979,"
                + "\"row_skew\":{\"rows\":1,\"max_over_mean\":1.0,\"gini\":0.0},"
                + "\"node_skew\":null,\"writers\":null,"
                + "\"writers_unknown\":\"all rows are sealed\",\"proposal\":null}],"
                + "\"claims\":{\"asked\":0,\"answered\":0},\"complete\":true}");
    assertThat(get("rows?from=2026-11-20T09"))
        .isEqualTo(
            "{\"rows\":[],\"types\":[],\"claims\":{\"asked\":0,\"answered\":0},"
                + "\"complete\":true}");
  }

  @Test
  void rowsOfTheCurrentHourAreDescribed() {
    Clock clock = Clock.fixed(Instant.parse("2026-11-20T08:02:00Z"), ZoneOffset.UTC);
    PlannerOptions narrow = new PlannerOptions(100, 10 << 20, 2);
    RowLayout layout = new RowLayout(narrow, RowLayout.DEFAULTS.shards());
    WideColumnStore placed =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return oracle;
          }

          @Override
          public List<String> placement(RowKey row) {
            return List.of("n" + row.shard() % 2);
          }
        };
    oracle.claim(
        new TypeHour(Fill.HOUR, "c"), List.of(new ShardClaim(1, "w", true, 100, 10 << 20)));
    for (int shard = 0; shard < 8; shard++) {
      Fill.row(oracle, "c", shard, 60, "");
    }
    try (QueryServer open =
        new QueryServer(placed, QueryOptions.builder().layout(layout).build(), clock)) {
      assertThat(open.get("/api/v1/rows?type=c").body())
          .contains(
              "\"fill\":0.6,\"sealed\":false,\"state\":\"filling\","
                  + "\"growth\":{\"columns_per_s\":0.5,\"over_s\":120.0},"
                  + "\"writers\":[{\"writer\":\"w\",\"sole\":true,"
                  + "\"columns\":100,\"bytes\":10485760}]}")
          .contains(
              "\"row_skew\":{\"rows\":8,\"max_over_mean\":1.0,\"gini\":0.0},"
                  + "\"node_skew\":{\"nodes\":2,\"max_over_mean\":1.0,\"gini\":0.0},"
                  + "\"writers\":1,\"writers_unknown\":null,"
                  + "\"proposal\":{\"setting\":\"bucketing.target-columns\","
                  + "\"value\":\"10000\",\"reason\":\"8 rows in the hour, ")
          .endsWith("\"claims\":{\"asked\":1,\"answered\":1},\"complete\":true}");
    }
  }
}
