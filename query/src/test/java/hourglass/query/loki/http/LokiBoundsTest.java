package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.query.loki.RandomLogs;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of Loki's API that would take more time or memory than any query may. */
class LokiBoundsTest {
  private static final long SECOND = 1_763_625_600;
  private static final String HOUR = "start=1763625600&end=1763629200";

  private final OracleStore store = new OracleStore();
  private final QueryServer server =
      new QueryServer(store, QueryOptions.builder().statsBytes(64 << 20).build());

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  /** Writes events to one row, one tick apart, from the second minute of the hour on. */
  private void write(String type, int count, IntFunction<String> payload) {
    long ticks = Ticks.of(Instant.ofEpochSecond(SECOND + 60));
    ColumnsBuilder out = new ColumnsBuilder(1, 1);
    for (int i = 0; i < count; i++) {
      byte[] bytes = payload.apply(i).getBytes(StandardCharsets.UTF_8);
      TimeUuid name = TimeUuid.first(ticks + i);
      out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    }
    RowKey row = new RowKey(TimeUuid.first(ticks).hour(), type, 0);
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }

  private QueryServer.Reply ask(String path, String query) {
    return server.get(
        "/loki/api/v1/" + path + "&query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
  }

  private void assertRefused(QueryServer.Reply reply, String why) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.body()).contains(why).hasLineCount(1);
    await().until(() -> !server.isAtWork());
  }

  @Test
  void theGrowthOfLinesIsBounded() {
    write("shop", 1, i -> "{}");
    String first = "| line_format \"a=" + "{{.service_name}}x".repeat(31) + "\" | logfmt";
    String more = "| line_format \"a=" + "{{.a}}x".repeat(31) + "\" | logfmt";
    assertRefused(
        ask("query_range?" + HOUR, "{service_name=\"shop\"}" + first + more.repeat(5)),
        "makes texts or lists");
  }

  @ParameterizedTest
  @ValueSource(strings = {"!= \"zz\"", "!= \" zz\"", "| json", "| logfmt"})
  void stepsOverALongLineAreBounded(String stage) {
    write("plain", 1, i -> "{\"text\":\"" + "x ".repeat(500_000) + "\"}");
    write("loki", 1, i -> "{\"message\":\"" + "a b\\n".repeat(250_000) + "\",\"labels\":{}}");
    for (String type : List.of("plain", "loki")) {
      String query = "{service_name=\"" + type + "\"}" + (" " + stage).repeat(60);
      assertRefused(ask("query_range?" + HOUR, query), "takes more than");
    }
  }

  /** A line filter has the payloads read; else the first test is one of columns. */
  @Test
  void columnsAndPayloadsHaveTheSameLabels() {
    Random random = Seed.random(this);
    List<IntFunction<String>> hard =
        List.of(
            size -> "\"deep\":" + "[".repeat(size) + "]".repeat(size),
            size -> "\"deep\":" + "{\"a\":".repeat(size) + "1" + "}".repeat(size),
            size ->
                IntStream.range(0, size)
                    .mapToObj(n -> "\"k" + n + "\":" + n)
                    .collect(Collectors.joining(",")),
            size ->
                IntStream.range(0, size)
                    .mapToObj(n -> "\"k-" + n + "\":" + n)
                    .collect(Collectors.joining(",")),
            size -> "\"" + "n".repeat(40 * size) + "\":1",
            size -> "\"" + "n".repeat(1_025) + "\":1",
            size -> "\"n\":" + "9".repeat(20 * size),
            size -> "\"\":{\"x\":1}");
    write(
        "hard",
        60,
        i -> {
          if (i < hard.size()) { // each is there, whatever the seed
            return "{\"x\":1," + hard.get(i).apply(1_501) + "}";
          }
          List<String> members = new ArrayList<>(List.of("\"x\":" + random.nextInt(2)));
          for (int n = random.nextInt(3); n > 0; n--) {
            int size = 1 + random.nextInt(random.nextBoolean() ? 10 : 4_000);
            members.add(hard.get(random.nextInt(hard.size())).apply(size));
          }
          Collections.shuffle(members, random);
          return "{" + String.join(",", members) + "}";
        });
    String longName = "n".repeat(1_025);
    for (String test :
        List.of(
            "x=`1`",
            "x!=`1`",
            "x=~`[1]`",
            "x>0",
            "n!=`0`",
            "n=~`[09]*`",
            "k1500=`1500`",
            "k1500!~`1.*`",
            longName + "=`1`",
            longName + "=~`1|[2]`")) {
      String lines = "{service_name=\"hard\"} %s | " + test;
      String count = "sum by (service_name) (count_over_time(" + lines + " [1h]))";
      String ofColumns = ask("query?time=1763629200", count.formatted("| json")).body();
      assertThat(ofColumns).as(test).contains("hard");
      for (String ofPayloads : List.of("|= `` | json", "| json | drop z")) {
        assertThat(ask("query?time=1763629200", count.formatted(ofPayloads)).body())
            .as(test)
            .isEqualTo(ofColumns);
      }
      String limited = "query_range?limit=10&" + HOUR;
      assertThat(ask(limited, lines.formatted("| json")).body())
          .as(test)
          .isEqualTo(ask(limited, lines.formatted("| json | drop z")).body());
    }
  }

  @Test
  void quantilesOfManyNumbersAreRefused() {
    write("many", 100_000, i -> "{\"n\":" + Math.pow(1.001, i % 2 == 0 ? i : -i) + "}");
    String query =
        "quantile_over_time(0.99, {service_name=\"many\"} | json | unwrap n [%dm]) by ()";
    String times = "query_range?step=60&start=1763625720&end=";
    assertRefused(ask(times + (1763625720 + 222 * 60), query.formatted(223)), "distinct numbers");
    assertThat(ask(times + 1763625720, query.formatted(223)).status()).isEqualTo(200);
  }

  @Test
  void tooLargeNumbersAreIgnored() {
    write("large", 3, i -> "{\"n\":%s}".formatted(List.of("1e400", "\"1e999\"", "-1e400").get(i)));
    String unwrapped = "(0.99, {service_name=\"large\"} | json | unwrap n [1h]) by ()";
    assertThat(ask("query?time=1763629200", "quantile_over_time" + unwrapped).body())
        .contains("\"result\":[]");
    for (String test : List.of("| n > 5", "|= `` | n > 5", "| n < 5", "|= `` | n < 5")) {
      String query = "{service_name=\"large\"} | json " + test;
      assertThat(ask("query_range?" + HOUR, query).body()).contains("\"result\":[]");
    }
  }

  @Test
  void longQueriesOfLongLinesAreAnsweredOrRefused() {
    List<String> lines =
        List.of(
            "{\"text\":\"" + "x y=1 ".repeat(100_000) + "\"}",
            "{\"message\":\"" + "a=b ".repeat(150_000) + "\",\"labels\":{\"app\":\"web\"}}",
            "{\"message\":\"" + "{\\\"a\\\":".repeat(50_000) + "\",\"labels\":{}}",
            "{\"status\":500," + "\"ms\":1,".repeat(60_000) + "\"level\":\"error\"}");
    write("shop", lines.size(), lines::get);
    Random random = Seed.random(this);
    RandomLogs logs = new RandomLogs(random);
    for (int queries = Tier.length(10, 60, 3_000); queries > 0; queries--) {
      StringBuilder query = new StringBuilder("{service_name=\"shop\"}");
      for (int stages = 1 + random.nextInt(6); stages > 0; stages--) {
        String selector = logs.selector();
        query.append(selector.substring(selector.indexOf('}') + 1).repeat(1 + random.nextInt(20)));
      }
      query.setLength(Math.min(query.length(), 2_000)); // fits into a request line
      QueryServer.Reply reply = ask("query_range?" + HOUR, query.toString());
      assertThat(reply.status()).as(query + "\n" + reply.body()).isIn(200, 400);
    }
    await().until(() -> !server.isAtWork());
  }
}
