package hourglass.query.loki.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Ticks;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.query.logql.LogQl;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Metric;
import hourglass.query.loki.LogModel;
import hourglass.query.loki.LogModel.Event;
import hourglass.query.loki.LogModel.Line;
import hourglass.query.loki.RandomLogs;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Shrink;
import hourglass.testing.Tier;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random queries over random events give what a plain model gives. */
class LokiModelTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Random random = Seed.random(this);
  private final RandomLogs logs = new RandomLogs(random);
  private final List<Event> events = logs.events(600);
  private final Loki loki = new Loki(events, 2);

  /** A server with some events, and the model of them. */
  private static final class Loki implements AutoCloseable {
    private final OracleStore store = new OracleStore();
    private final QueryServer server =
        new QueryServer(store, QueryOptions.builder().buckets(1_000_000).build());
    private final LogModel model;
    private final int size;

    /** Number of checks that found anything. */
    private int answers;

    Loki(List<Event> events, int rowsOfType) {
      RandomLogs.write(store, events, rowsOfType);
      model = new LogModel(events, Map.of("http_host", "http.host"));
      size = events.size();
    }

    private JsonNode ask(String path, boolean categorizes) {
      return json(path, reply(path, categorizes));
    }

    private QueryServer.Reply reply(String path, boolean categorizes) {
      return categorizes
          ? server.get(
              "/loki/api/v1/" + path, "X-Loki-Response-Encoding-Flags", "categorize-labels")
          : server.get("/loki/api/v1/" + path);
    }

    @Override
    public void close() {
      server.close();
      store.close();
    }
  }

  @AfterEach
  void close() {
    loki.close();
  }

  /** A failing check shows the fewest events with which it fails. */
  private void check(Consumer<Loki> check) {
    check(loki, 2, check);
  }

  private void check(Loki loki, int rowsOfType, Consumer<Loki> check) {
    try {
      check.accept(loki);
    } catch (RuntimeException | Error e) {
      Shrink.check(
          events,
          some -> {
            try (Loki other = new Loki(some, rowsOfType)) {
              check.accept(other);
            }
          });
      throw e; // it is not for these events alone that it failed
    }
  }

  @Test
  void linesAgreeWithAModel() {
    checkLines(Tier.length(60, 400, 4_000), logs::selector);
  }

  /** Lines of texts are filtered where they are read, and count for the limit from there on. */
  @Test
  void linesOfTextsAgreeWithAModel() {
    checkLines(Tier.length(20, 100, 1_000), logs::texts);
  }

  private void checkLines(int queries, Supplier<String> query) {
    for (int i = 0; i < queries; i++) {
      checkLines(query.get());
    }
    assertThat(loki.answers).isGreaterThan(queries / 5);
  }

  private void checkLines(String query) {
    long from = RandomLogs.HOUR.startTicks() + random.nextInt(1800) * Ticks.PER_SECOND;
    long to = from + random.nextInt(3600) * Ticks.PER_SECOND + 1;
    boolean isForward = random.nextBoolean();
    boolean categorizes = random.nextBoolean();
    int limit = 1 + random.nextInt(random.nextBoolean() ? 10 : 1000);
    int interval = random.nextInt(3) == 0 ? random.nextInt(200) : 0;
    check(loki -> checkLines(loki, query, from, to, isForward, categorizes, limit, interval));
  }

  private static void checkLines(
      Loki loki,
      String query,
      long from,
      long to,
      boolean isForward,
      boolean categorizes,
      int limit,
      int interval) {
    List<Line> lines =
        new ArrayList<>(loki.model.lines((LogSelector) LogQl.parse(query), from, to));
    if (!isForward) {
      Collections.reverse(lines);
    }
    lines = apart(lines, interval * 1_000_000_000L);
    Map<Map<String, String>, List<List<Object>>> expected = new LinkedHashMap<>();
    for (Line line : lines.subList(0, Math.min(limit, lines.size()))) {
      List<Object> entry = new ArrayList<>(List.of(Long.toString(line.nanos), line.text));
      if (categorizes) {
        Map<String, Object> third = new TreeMap<>();
        if (!line.metadata.isEmpty()) {
          third.put("structuredMetadata", line.metadata);
        }
        if (!line.parsed.isEmpty()) {
          third.put("parsed", line.parsed);
        }
        entry.add(third);
      }
      expected
          .computeIfAbsent(categorizes ? line.stream : line.labels(), absent -> new ArrayList<>())
          .add(entry);
    }
    String path =
        "query_range?limit=%d&direction=%s&interval=%d&start=%d&end=%d&query=%s"
            .formatted(
                limit,
                isForward ? "FORWARD" : "backward",
                interval,
                nanos(from),
                nanos(to),
                url(query));
    JsonNode data = loki.ask(path, categorizes).path("data");
    assertThat(data.path("resultType").asText()).isEqualTo("streams");
    Map<Map<String, String>, List<List<Object>>> actual = new LinkedHashMap<>();
    for (JsonNode stream : data.path("result")) {
      actual.put(
          JSON.convertValue(stream.get("stream"), Map.class),
          JSON.convertValue(stream.get("values"), List.class));
    }
    assertThat(actual).as(path).isEqualTo(expected);
    loki.answers += expected.isEmpty() ? 0 : 1;
  }

  /** The first line, and each that is as far from the one before as lines have to be apart. */
  private static List<Line> apart(List<Line> lines, long nanos) {
    List<Line> apart = new ArrayList<>();
    for (Line line : lines) {
      if (apart.isEmpty() || Math.abs(line.nanos - apart.get(apart.size() - 1).nanos) >= nanos) {
        apart.add(line);
      }
    }
    return apart;
  }

  @Test
  void samplesAgreeWithAModel() {
    int queries = Tier.length(50, 300, 3_000);
    for (int i = 0; i < queries; i++) {
      checkSamples(logs.metric());
    }
    assertThat(loki.answers).isGreaterThan(queries / 5);
  }

  /** Most of these samples are read from fields, since no two rows may contain the same event. */
  @Test
  void samplesOfFieldsAgreeWithAModel() {
    int queries = Tier.length(50, 300, 3_000);
    try (Loki apart = new Loki(events, 1)) {
      for (int i = 0; i < queries; i++) {
        String query = logs.metricOfFields();
        long time = RandomLogs.HOUR.startTicks() + random.nextInt(3600) * Ticks.PER_SECOND;
        check(apart, 1, loki -> checkSamples(loki, query, time, Ticks.PER_SECOND, 1, true));
      }
      assertThat(apart.answers).isGreaterThan(queries / 5);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " <== ",
      quoteCharacter = '\0',
      value = {
        // the line is a text, not the payload
        "sum by (hostname) (count_over_time({service_name=`t`} | json [1h]))"
            + " <== {\"message\":\"a\",\"severity\":\"err\",\"facility\":\"user\",\"hostname\":\"h\"}",
        "sum by (app) (count_over_time({service_name=`t`} | json [1h]))"
            + " <== {\"message\":\"{\\\"app\\\":\\\"b\\\"}\",\"labels\":{\"env\":\"p\"},\"app\":\"a\"}",
        "sum by (app) (sum_over_time({service_name=`t`} | json | unwrap ms [1h]))"
            + " <== {\"message\":\"{\\\"ms\\\":5}\",\"labels\":{\"app\":\"web\"}}",
        "sum by (detected_level) (sum_over_time({service_name=`t`} | json | unwrap ms [1h]))"
            + " <== {\"message\":\"{\\\"ms\\\":5}\",\"labels\":{\"level\":\"info\"}}",
        // keys with dots beside the object that their names begin with
        "sum by (app) (count_over_time({service_name=`t`} [1h]))"
            + " <== {\"_loki\":{\"x\":1},\"_loki.labels\":{\"app\":\"y\"}}",
        "sum by (app) (count_over_time({service_name=`t`} [1h]))"
            + " <== {\"_loki\":{\"labels\":{\"app\":\"x\"}},\"_loki.labels\":{\"app\":\"y\"}}",
        "sum by (app) (count_over_time({service_name=`t`} [1h]))"
            + " <== {\"_loki\":{\"labels\":{}},\"_loki.metadata\":{\"app\":\"y\"}}",
        "sum by (app) (count_over_time({service_name=`t`} [1h]))"
            + " <== {\"_loki\":{\"labels\":{}},\"_loki.labels.app\":\"y\"}",
      })
  void samplesOfAnEventAgreeWithAModel(String query, String payload) {
    long time = RandomLogs.HOUR.startTicks() + Ticks.PER_SECOND;
    try (Loki one = new Loki(List.of(new Event("t", time, payload)), 1)) {
      checkSamples(one, query, time, Ticks.PER_SECOND, 1, true);
      assertThat(one.answers).isEqualTo(1);
    }
  }

  private void checkSamples(String query) {
    long start = RandomLogs.HOUR.startTicks() + random.nextInt(3600) * Ticks.PER_SECOND;
    long step = (1 + random.nextInt(20)) * 30 * Ticks.PER_SECOND;
    int count = 1 + random.nextInt(10);
    boolean isInstant = random.nextInt(3) == 0;
    check(loki -> checkSamples(loki, query, start, step, count, isInstant));
  }

  private static void checkSamples(
      Loki loki, String query, long start, long step, int count, boolean isInstant) {
    String path =
        isInstant
            ? "query?time=%d&query=%s".formatted(nanos(start), url(query))
            : "query_range?start=%d&end=%d&step=%ds&query=%s"
                .formatted(
                    nanos(start),
                    nanos(start + (count - 1) * step),
                    step / Ticks.PER_SECOND,
                    url(query));
    Metric metric = (Metric) LogQl.parse(query);
    long tallies = isInstant ? 1 : count * stepsBefore(metric, step);
    QueryServer.Reply reply = loki.reply(path, false);
    if (query.contains("quantile_over_time") && reply.status() == 400) {
      assertThat(reply.body()).contains("take too long");
      assertThat(loki.size * tallies).as(query).isGreaterThan(LokiMetrics.TALLIES_MAX);
      return;
    }
    JsonNode data = json(path, reply).path("data");
    assertThat(data.path("resultType").asText()).isEqualTo(isInstant ? "vector" : "matrix");
    loki.answers += data.path("result").isEmpty() ? 0 : 1;
    for (int t = 0; t < (isInstant ? 1 : count); t++) {
      long ticks = start + t * step;
      Map<Map<String, String>, Double> expected = loki.model.samples(metric, ticks);
      Map<Map<String, String>, Double> actual = new HashMap<>();
      for (JsonNode series : data.path("result")) {
        Iterable<JsonNode> values = isInstant ? List.of(series.get("value")) : series.get("values");
        for (JsonNode value : values) {
          if (value.get(0).asLong() == nanos(ticks) / 1_000_000_000) {
            actual.put(
                JSON.convertValue(series.get("metric"), Map.class),
                number(value.get(1).textValue()));
          }
        }
      }
      assertThat(actual.keySet()).as("%s at %d", query, t).isEqualTo(expected.keySet());
      expected.forEach(
          (labels, value) -> {
            double error = 1e-9 + Math.abs(value) * (query.contains("quantile") ? 3e-3 : 1e-9);
            if (Double.isFinite(value)) {
              assertThat(actual.get(labels)).as(query + labels).isCloseTo(value, within(error));
            } else {
              assertThat(actual.get(labels)).as(query + labels).isEqualTo(value);
            }
          });
    }
  }

  /** Steps are merged into the quantile of a time. */
  private static long stepsBefore(Metric metric, long stepTicks) {
    long rangeTicks = LokiMetrics.ticks(requireNonNull(LokiMetrics.rangeOf(metric)));
    BigInteger step = BigInteger.valueOf(rangeTicks).gcd(BigInteger.valueOf(stepTicks));
    return rangeTicks / step.longValueExact();
  }

  private static Double number(String text) {
    return Double.valueOf(text.replace("Inf", "Infinity"));
  }

  private static long nanos(long ticks) {
    return 100 * (ticks - Ticks.UNIX_EPOCH);
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static JsonNode json(String path, QueryServer.Reply reply) {
    assertThat(reply.status()).as(path + "\n" + reply.body()).isEqualTo(200);
    try {
      return JSON.readTree(reply.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
