package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FieldsHttpTest {
  private final LatentStore store = new LatentStore(new OracleStore());
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private void write(String type, int shard, String... payloads) {
    ColumnsBuilder out = new ColumnsBuilder(payloads.length, 100);
    for (int i = 0; i < payloads.length; i++) {
      TimeUuid name = TimeUuid.first(Fill.HOUR.startTicks() + i * Ticks.PER_SECOND);
      byte[] bytes = payloads[i].getBytes(StandardCharsets.UTF_8);
      out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    }
    RowKey row = new RowKey(Fill.HOUR, type, shard);
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }

  private String get(String path) {
    QueryServer.Reply reply = server.get("/api/v1/" + path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.headers()).containsEntry("Content-Type", "application/json");
    return reply.body();
  }

  @Test
  void statsSummarizeAllTypesTogether() {
    Fill.row(store, "a", 100);
    Fill.row(store, "b", 1, 50, "");
    assertThat(get("stats?field=data.n"))
        .isEqualTo(
            "{\"field\":\"data.n\",\"series\":[{\"events\":150,\"absent\":0,\"not_numeric\":0,"
                + "\"count\":150,\"min\":0,\"max\":99,\"mean\":41.166666666666664,"
                + "\"p50\":37,\"p90\":84,\"p99\":98,\"p99.9\":99}],"
                + "\"quantile_error_max\":0.001,\"complete\":true}");
  }

  /** Numbers below 2.2e-308 have fewer digits, and no exponent of their own. */
  @Test
  void quantilesOfSubnormalNumbersAreExact() {
    write("a", 0, "{\"v\":5e-324}", "{\"v\":1e-320}", "{\"v\":3e-310}", "{\"v\":2e-308}");
    assertThat(get("stats?field=data.v"))
        .contains("\"p50\":1.0E-320,\"p90\":2.0E-308,\"p99\":2.0E-308,");
  }

  @Test
  void statsAreGroupedByType() {
    write("a|\"", 0, "{\"v\":-2.5}", "{\"v\":0.1}", "{\"v\":null}", "{\"v\":\"7\"}", "{}");
    write("b", 0, "{\"v\":[1]}");
    assertThat(get("stats?field=data.v&by=type"))
        .isEqualTo(
            "{\"field\":\"data.v\",\"series\":["
                + "{\"type\":\"a|\\\"\",\"events\":5,\"absent\":1,\"not_numeric\":2,\"count\":2,"
                + "\"min\":-2.5,\"max\":0.1,\"mean\":-1.2,"
                + "\"p50\":-2.5,\"p90\":0.1,\"p99\":0.1,\"p99.9\":0.1},"
                + "{\"type\":\"b\",\"events\":1,\"absent\":0,\"not_numeric\":1,\"count\":0,"
                + "\"min\":null,\"max\":null,\"mean\":null,"
                + "\"p50\":null,\"p90\":null,\"p99\":null,\"p99.9\":null}],"
                + "\"quantile_error_max\":0.001,\"complete\":true}");
    assertThat(get("stats?field=data.v&by=type&type=none")).contains("\"series\":[],");
  }

  @Test
  void anEventInTwoRowsCountsOnce() {
    Fill.row(store, "a", 0, 100, "");
    Fill.row(store, "a", 1, 100, "");
    assertThat(get("stats?field=data.n")).contains("\"count\":100,");
    assertThat(get("top?field=data.n&n=1")).contains("\"count\":1,").contains("\"events\":100,");
  }

  @Test
  void filtersApplyToFields() {
    Fill.row(store, "a", 100);
    assertThat(get("stats?field=data.n&where=data.n+%3E+89"))
        .contains("\"count\":10,\"min\":90,\"max\":99,\"mean\":94.5,\"p50\":94,");
    assertThat(get("stats?field=data.n&contains=%3A9%7D")).contains("\"count\":1,\"min\":9,");
    assertThat(get("stats?field=data.n&to=2026-11-20T08:00:10Z")).contains("\"max\":9,");
    assertThat(get("top?field=data.n&where=data.n+%3E+89&n=2"))
        .startsWith(
            "{\"field\":\"data.n\",\"values\":[{\"value\":90,\"count\":1,\"error_max\":0},"
                + "{\"value\":91,");
  }

  @Test
  void topValuesKeepTheirKinds() {
    write(
        "a",
        0,
        "{\"v\":1}",
        "{\"v\":\"1\"}",
        "{\"v\":1.0}",
        "{\"v\":true}",
        "{\"v\":\"true\"}",
        "{\"v\":null}",
        "{\"v\":\"\\u0041\\\"\"}",
        "{\"v\":[1]}",
        "{\"v\":{}}",
        "{}",
        "{\"v\":1e0}",
        "{\"v\":\"" + "x".repeat(5000) + "\"}",
        "{\"v\":\"A\\\"\"}");
    assertThat(get("top?field=data.v&n=4"))
        .isEqualTo(
            "{\"field\":\"data.v\",\"values\":["
                + "{\"value\":1,\"count\":3,\"error_max\":0},"
                + "{\"value\":\"A\\\"\",\"count\":2,\"error_max\":0},"
                + "{\"value\":\"1\",\"count\":1,\"error_max\":0},"
                + "{\"value\":\"true\",\"count\":1,\"error_max\":0}],"
                + "\"events\":13,\"absent\":1,\"nested\":2,\"too_long\":1,"
                + "\"exact\":true,\"distinct\":6,\"others_max\":1,\"complete\":true}");
  }

  @Test
  void topValuesBeyondMemoryAreMarkedInexact() {
    Fill.row(store, "a", 3000);
    Fill.row(store, "b", 500);
    try (QueryServer small =
        new QueryServer(store, QueryOptions.builder().topBytes(1 << 16).build())) {
      assertThat(small.get("/api/v1/top?field=data.n&n=1").body())
          .contains("\"exact\":false,\"distinct\":null,\"others_max\":")
          .doesNotContain("\"others_max\":0");
    }
  }

  /** Only existing groups count towards the limit. */
  @Test
  void topValuesOfFewGroupsMayBeMany() {
    write("a", 0, "{\"v\":1,\"host\":1}", "{\"v\":2,\"host\":2}");
    write("b", 0, "{\"v\":3}");
    assertThat(get("top?field=data.v&by=type&n=1000"))
        .startsWith("{\"field\":\"data.v\",\"series\":[{\"type\":\"a\",\"values\":[")
        .contains("\"groups_exact\":true");
    assertThat(get("top?field=data.v&by=data.host&groups=1000&n=1000"))
        .contains("{\"group\":{\"absent\":[\"data.host\"]},\"values\":[{\"value\":3,");
  }

  @Test
  void topValuesOfTooManyGroupsAreRefused() {
    write("a", 0, "{\"v\":1}");
    write("b", 0, "{\"v\":1}");
    write("c", 0, "{\"v\":1}");
    try (QueryServer small = new QueryServer(store, QueryOptions.builder().buckets(20).build())) {
      String refused = "n: 10 values of each of 3 groups are more than 20; want fewer values";
      QueryServer.Reply reply = small.get("/api/v1/top?field=data.v&by=type&n=10");
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body()).startsWith(refused);
      QueryServer.Reply others = small.get("/api/v1/top?field=data.v&by=type&groups=2&n=10");
      assertThat(others.body()).as("the others, too").startsWith(refused);
      assertThat(small.get("/api/v1/top?field=data.v&by=type&groups=1&n=10").status())
          .isEqualTo(200);
    }
  }

  @Test
  void topListsTheTypeWithMostEventsFirst() {
    Fill.row(store, "a", 1);
    Fill.row(store, "b", 3);
    Fill.row(store, "c", 2);
    assertThat(get("top?field=data.n&by=type&n=1"))
        .matches("(?s).*\"type\":\"b\".*\"type\":\"c\".*\"type\":\"a\".*");
    assertThat(get("hits?hour=2026-11-20T08&step=1h&by=type"))
        .matches("(?s).*\"type\":\"a\".*\"type\":\"b\".*\"type\":\"c\".*");
  }

  @Test
  void aLiteralKeyWithDotsWins() {
    write("a", 0, "{\"http.status\":1,\"http\":{\"status\":2}}");
    assertThat(get("top?field=data.http.status")).contains("[{\"value\":1,");
    assertThat(get("stats?field=data.http.status")).contains("\"min\":1,");
  }

  @Test
  void absentFieldsHaveEmptyAnswers() {
    assertThat(get("top?field=data.v"))
        .isEqualTo(
            "{\"field\":\"data.v\",\"values\":[],\"events\":0,\"absent\":0,\"nested\":0,"
                + "\"too_long\":0,\"exact\":true,\"distinct\":0,\"others_max\":0,"
                + "\"complete\":true}");
    assertThat(get("stats?field=data.v")).contains("[{\"events\":0,", "\"p99.9\":null}]");
  }

  private static final String[] OF_HOSTS = {
    "{\"host\":\"w\",\"v\":1}", "{\"host\":\"w\",\"v\":3}", "{\"host\":null,\"v\":5}", "{\"v\":7}"
  };

  @Test
  void hitsAreGroupedByFields() {
    write("a", 0, OF_HOSTS);
    write("b", 0, "{\"host\":[1]}", "{\"host\":{}}");
    assertThat(get("hits?hour=2026-11-20T08&step=1h&by=type&by=data.host&groups=3"))
        .isEqualTo(
            "{\"step_ms\":3600000,\"from\":\"2026-11-20T08:00:00.0000000Z\",\"to\":\"2026-11-20T09:00:00.0000000Z\","
                + "\"series\":["
                + "{\"group\":{\"type\":\"a\",\"data.host\":\"w\"},\"counts\":[2]},"
                + "{\"group\":{\"type\":\"b\",\"nested\":[\"data.host\"]},\"counts\":[2]},"
                + "{\"group\":{\"type\":\"a\",\"data.host\":null},\"counts\":[1]},"
                + "{\"other\":true,\"counts\":[1]}],"
                + "\"groups_exact\":true,\"total\":6,\"complete\":true}");
    assertThat(get("hits?hour=2026-11-20T08&step=1h&by=type&groups=1"))
        .contains("[{\"type\":\"a\",\"counts\":[4]},{\"other\":true,\"counts\":[2]}]");
  }

  /** A line break takes two bytes in a payload, and six in the canonical spelling. */
  @Test
  void groupsContainValuesWithLongerSpellings() {
    String breaks = "\\n".repeat(2_000);
    write("a", 0, "{\"host\":\"" + breaks + "\",\"b\":\"" + breaks + "\"}", "{\"host\":1e17}");
    assertThat(get("hits?hour=2026-11-20T08&step=1h&by=data.host&by=data.b&by=type"))
        .contains("\"data.host\":\"" + "\\u000a".repeat(2_000) + "\"")
        .contains("\"data.host\":100000000000000000,\"type\":\"a\",\"absent\":[\"data.b\"]");
    assertThat(get("hits?hour=2026-11-20T08&step=1h&by=data.host")).contains("\"total\":2");
  }

  @Test
  void statsAreGroupedByFieldAndStep() {
    write("a", 0, OF_HOSTS);
    assertThat(get("stats?field=data.v&from=2026-11-20T08:00:00Z&to=2026-11-20T08:00:04Z&step=2s"))
        .startsWith(
            "{\"field\":\"data.v\",\"step_ms\":2000,\"from\":\"2026-11-20T08:00:00.0000000Z\","
                + "\"to\":\"2026-11-20T08:00:04.0000000Z\",\"series\":[{\"events\":[2,2],\"absent\":[0,0],"
                + "\"not_numeric\":[0,0],\"count\":[2,2],\"min\":[1,5],\"max\":[3,7],");
    assertThat(get("stats?field=data.v&hour=2026-11-20T08&step=30m&by=data.host&groups=1"))
        .contains("[{\"group\":{\"data.host\":\"w\"},\"events\":[2,0],")
        .contains("\"min\":[1,null]")
        .contains("{\"other\":true,\"events\":[2,0],");
    assertThat(get("stats?field=data.v&by=data.host"))
        .contains("{\"group\":{\"absent\":[\"data.host\"]},\"events\":1,");
  }

  @Test
  void topIsGroupedByField() {
    write("a", 0, OF_HOSTS);
    assertThat(get("top?field=data.v&by=data.host&n=1&groups=1"))
        .isEqualTo(
            "{\"field\":\"data.v\",\"series\":["
                + "{\"group\":{\"data.host\":\"w\"},\"values\":[{\"value\":1,\"count\":1,\"error_max\":0}],"
                + "\"events\":2,\"absent\":0,\"nested\":0,\"too_long\":0,\"exact\":true,"
                + "\"distinct\":2,\"others_max\":1},"
                + "{\"other\":true,\"values\":[{\"value\":5,\"count\":1,\"error_max\":0}],"
                + "\"events\":2,\"absent\":0,\"nested\":0,\"too_long\":0,\"exact\":true,"
                + "\"distinct\":2,\"others_max\":1}],\"groups_exact\":true,\"complete\":true}");
    assertThat(get("top?field=data.v&by=type&n=1")).contains("[{\"type\":\"a\",\"values\":[{");
  }

  /** A surrogate pair is beyond U+E000 to U+FFFF. */
  @Test
  void namesAreInTheOrderOfCodePoints() {
    write("t\uD83D\uDE00", 0, "{\"\uD83D\uDE00\":1}");
    write("t\uFF5E", 0, "{\"\uFF5E\":1}");
    String inOrder = "(?s).*t\uFF5E.*t\uD83D\uDE00.*";
    assertThat(get("events")).as("of one id").matches(inOrder);
    assertThat(get("types")).matches(inOrder);
    assertThat(get("hits?hour=2026-11-20T08&by=type")).matches(inOrder);
    assertThat(get("hits?hour=2026-11-20T08&by=type&groups=2")).matches(inOrder);
    assertThat(get("hits?hour=2026-11-20T08&by=type&where=id!=''")).matches(inOrder);
    assertThat(get("events?limit=1")).doesNotContain("t\uD83D\uDE00");
    assertThat(get("fields")).matches("(?s).*data.\uFF5E.*data.\uD83D\uDE00.*");
  }

  @Test
  void fieldsOfAllKindsAreDescribed() {
    write("a", 0, "{\"a\":1,\"b\":{\"c\":\"x\"}}", "{\"a\":-2.50,\"b.c\":null,\"b\":{\"c\":1}}");
    write("b", 0, "{\"a\":true,\"l\":[{\"no\":1}]}", "{\"a\":1.0}", "[1]");
    assertThat(get("fields?hour=2026-11-20T08"))
        .isEqualTo(
            "{\"fields\":["
                + "{\"field\":\"data.a\",\"events\":4,\"kinds\":{\"number\":3,\"string\":0,\"boolean\":1,"
                + "\"null\":0,\"object\":0,\"list\":0},\"distinct\":3,\"distinct_exact\":true,"
                + "\"min\":-2.5,\"max\":1,\"values\":[{\"value\":1,\"count\":2},"
                + "{\"value\":-2.5,\"count\":1},{\"value\":true,\"count\":1}],"
                + "\"values_exact\":true},"
                + "{\"field\":\"data.b\",\"events\":2,\"kinds\":{\"number\":0,\"string\":0,\"boolean\":0,"
                + "\"null\":0,\"object\":2,\"list\":0},\"distinct\":0,\"distinct_exact\":true,"
                + "\"values\":[],\"values_exact\":true},"
                + "{\"field\":\"data.b.c\",\"events\":2,\"kinds\":{\"number\":0,\"string\":1,\"boolean\":0,"
                + "\"null\":1,\"object\":0,\"list\":0},\"distinct\":2,\"distinct_exact\":true,"
                + "\"values\":[{\"value\":\"x\",\"count\":1},{\"value\":null,\"count\":1}],"
                + "\"values_exact\":true},"
                + "{\"field\":\"data.l\",\"events\":1,\"kinds\":{\"number\":0,\"string\":0,\"boolean\":0,"
                + "\"null\":0,\"object\":0,\"list\":1},\"distinct\":0,\"distinct_exact\":true,"
                + "\"values\":[],\"values_exact\":true}],\"events\":5,\"more\":false,\"complete\":true}");
    assertThat(get("fields?n=1&type=b")).contains("\"events\":2,").contains("\"more\":true,");
    assertThat(get("fields?prefix=data.b&where=has(data.l)"))
        .startsWith("{\"fields\":[],\"events\":1,");
    assertThat(get("fields?prefix=dat&n=2&sample=1")).contains("\"data.a\"").contains("\"data.b\"");
  }

  /** No request can name it, and its answer would show a question mark. */
  @Test
  void fieldsWithHalfOfASurrogatePairAreLeftOut() {
    write("a", 0, "{\"?\":1,\"\\ud800\":2,\"a\":{\"\\ude00\":3,\"b\":4},\"\\ud83d\\ude00\":5}");
    assertThat(get("fields").replaceAll("\"field\":(\"[^\"]+\")|.", "$1"))
        .isEqualTo("\"data.?\"\"data.a\"\"data.a.b\"\"data.\uD83D\uDE00\"");
  }

  /** Counts are scaled to the whole hour, and the answer says so. */
  @Test
  void fieldsOfManyEventsAreSampled() {
    Fill.row(store, "a", 0, 400_000, "");
    String sampled = get("fields");
    assertThat(sampled).contains("\"sampled\":0.75,").contains("\"values_exact\":false");
    long events = Long.parseLong(sampled.replaceAll(".*],\"events\":(\\d+),.*", "$1"));
    assertThat(events).isBetween(300_000L, 500_000L);
    assertThat(get("fields?to=2026-11-20T08:30:00Z"))
        .as("few of its columns")
        .doesNotContain("sampled")
        .contains("\"events\":200000,");
    assertThat(get("fields?sample=1"))
        .doesNotContain("sampled")
        .contains("\"events\":400000,\"more\":false");
  }
}
