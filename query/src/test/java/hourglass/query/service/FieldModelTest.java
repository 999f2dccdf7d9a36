package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.query.BadParameterException;
import hourglass.query.Counted;
import hourglass.query.Group;
import hourglass.query.Grouping;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.TimeRange;
import hourglass.query.TopQuery;
import hourglass.query.count.ValueBatch;
import hourglass.query.values.NumberSummary;
import hourglass.query.values.TopValues;
import hourglass.store.Order;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statistics and top values of random events with repeats, against a plain list. */
class FieldModelTest {
  private static final int HOURS = 4;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Random random = Seed.random(this);
  private final LatentStore store = new LatentStore(new OracleStore());
  private final Model model = new Model(store, random);
  private final QueryOptions options = options(8 << 20);
  private final QueryService service = service(options);

  private QueryOptions options(int bytesMax) {
    return QueryOptions.builder()
        .sliceColumns(1 + random.nextInt(40))
        .statsBytes(bytesMax)
        .topBytes(bytesMax)
        .build();
  }

  private QueryService service(QueryOptions options) {
    return new QueryService(store, options, Clock.systemUTC(), Answer.THREADS);
  }

  @BeforeEach
  void fill() {
    model.addRandom(
        1500, HOURS, () -> (random.nextBoolean() ? ",\"odd\":true" : "") + ",\"x\":" + object());
  }

  /** Half of the objects have the field. */
  private String object() {
    return switch (random.nextInt(4)) {
      case 0 -> "{\"v\":" + number() + "}";
      case 1 -> "{\"w\":1,\"v\":" + other() + ",\"u\":2}";
      case 2 -> "{\"u\":{\"v\":7}}";
      default -> other();
    };
  }

  private String number() {
    int number = random.nextInt(60) - 20;
    return switch (random.nextInt(5)) {
      case 0 -> number + ".0";
      case 1 -> number == 0 ? "-0" : number + "0e-1";
      case 2 -> number + "." + random.nextInt(5);
      case 3 -> number + "e" + (random.nextInt(40) - 20);
      default -> "" + number;
    };
  }

  private String other() {
    String[] others = {
      "null",
      "true",
      "false",
      "\"1\"",
      "\"\\u0031\"",
      "\"a\"",
      "\"\"",
      "[1]",
      "{}",
      "{\"v\":[]}",
      "1"
    };
    return random.nextInt(20) == 0
        ? "\"" + "x".repeat(ValueBatch.VALUE_BYTES_MAX) + "\""
        : others[random.nextInt(others.length)];
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static <T> T join(CompletionStage<Counted<T>> stage) {
    return stage.toCompletableFuture().join().value();
  }

  private static JsonNode value(Model.Stored event) {
    try {
      return JSON.readTree(event.payload()).at("/x/v");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void statsAgreeWithAModel() {
    for (int i = 0; i < Tier.length(10, 40, 400); i++) {
      Selection selection = model.randomSelection(HOURS);
      Grouping grouping = random.nextBoolean() ? Grouping.OF_TYPES : Grouping.NONE;
      StatsQuery query = new StatsQuery(selection, "x.v", grouping, 0);
      model.check(service, options, (model, service) -> check(query, model, service));
    }
  }

  private static void check(StatsQuery query, Model model, QueryService service) {
    Stats stats = join(Answer.start(thread -> service.stats(query, false, thread)));
    boolean byType = query.grouping().equals(Grouping.OF_TYPES);
    Map<String, List<JsonNode>> expected = values(model, query.selection(), byType);
    assertThat(stats.series().series())
        .as("%s", query)
        .extracting(series -> type(series.group()))
        .containsExactlyElementsOf(expected.keySet());
    stats
        .series()
        .series()
        .forEach(one -> assertFits(one.value().get(0), expected.get(type(one.group()))));
  }

  private static String type(Group group) {
    return group.parts().isEmpty() ? "" : group.parts().get(0).text();
  }

  private static Map<String, List<JsonNode>> values(
      Model model, Selection selection, boolean byType) {
    Map<String, List<JsonNode>> values = new TreeMap<>();
    if (!byType) {
      values.put("", new ArrayList<>());
    }
    for (Model.Stored event : model.select(selection, Order.ASCENDING)) {
      values
          .computeIfAbsent(byType ? event.type() : "", type -> new ArrayList<>())
          .add(value(event));
    }
    return values;
  }

  private static void assertFits(NumberSummary summary, List<JsonNode> values) {
    double[] numbers =
        values.stream().filter(JsonNode::isNumber).mapToDouble(JsonNode::doubleValue).toArray();
    assertThat(summary.events()).isEqualTo(values.size());
    assertThat(summary.absent()).isEqualTo(values.stream().filter(JsonNode::isMissingNode).count());
    assertThat(summary.count()).isEqualTo(numbers.length);
    NumberSummary.Distribution told = summary.numbers();
    if (numbers.length == 0) {
      assertThat(told).isNull();
      return;
    }
    Arrays.sort(numbers);
    assertThat(told.min()).isEqualTo(numbers[0]);
    assertThat(told.max()).isEqualTo(numbers[numbers.length - 1]);
    BigDecimal sum =
        Arrays.stream(numbers).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
    assertThat(told.mean())
        .isCloseTo(sum.doubleValue() / numbers.length, Offset.offset(Math.ulp(sum.doubleValue())));
    assertIsNear(told.p50(), numbers, 500);
    assertIsNear(told.p90(), numbers, 900);
    assertIsNear(told.p99(), numbers, 990);
    assertIsNear(told.p999(), numbers, 999);
  }

  private static void assertIsNear(double told, double[] sorted, int thousandths) {
    double number = sorted[(sorted.length * thousandths + 999) / 1000 - 1];
    double off = Math.abs(number) * NumberSummary.QUANTILE_ERROR_MAX;
    assertThat(told).isCloseTo(number, Offset.offset(off));
  }

  @Test
  void topValuesAgreeWithAModel() {
    for (int i = 0; i < Tier.length(10, 40, 400); i++) {
      Selection selection = model.randomSelection(HOURS);
      int n = 1 + random.nextInt(40);
      model.check(
          service,
          options,
          (model, service) ->
              assertThat(top(service, selection, n))
                  .as("%s", selection)
                  .isEqualTo(top(model, selection, n)));
    }
  }

  private static TopValues top(QueryService service, Selection selection, int n) {
    TopQuery query = new TopQuery(selection, "x.v", n, Grouping.NONE);
    return join(Answer.start(thread -> service.top(query, false, thread)))
        .series()
        .series()
        .get(0)
        .value();
  }

  private static TopValues top(Model model, Selection selection, int n) {
    List<JsonNode> values = values(model, selection, false).get("");
    Map<String, Long> counts = counts(values);
    List<TopValues.Value> sorted =
        counts.entrySet().stream()
            .map(value -> new TopValues.Value(value.getKey(), value.getValue(), 0))
            .sorted(
                Comparator.<TopValues.Value>comparingLong(value -> -value.count())
                    .thenComparing(TopValues.Value::json))
            .toList();
    return new TopValues(
        sorted.subList(0, Math.min(n, sorted.size())),
        values.size(),
        values.stream().filter(JsonNode::isMissingNode).count(),
        values.stream().filter(JsonNode::isContainerNode).count(),
        values.stream().filter(FieldModelTest::isTooLong).count(),
        true,
        counts.size(),
        n < sorted.size() ? sorted.get(n).count() : 0);
  }

  private static Map<String, Long> counts(List<JsonNode> values) {
    Map<String, Long> counts = new HashMap<>();
    values.stream()
        .filter(value -> value.isValueNode() && !isTooLong(value))
        .forEach(value -> counts.merge(text(value), 1L, Long::sum));
    return counts;
  }

  private static boolean isTooLong(JsonNode value) {
    return value.isTextual() && value.textValue().startsWith("xx");
  }

  private static String text(JsonNode value) {
    if (!value.isNumber()) {
      return value.toString();
    }
    BigDecimal number = new BigDecimal(value.asText()).stripTrailingZeros();
    boolean isShort = number.scale() <= 0 && number.precision() - number.scale() <= 18;
    return isShort ? number.toPlainString() : number.toString();
  }

  @Test
  void boundsHoldIfValuesExceedMemory() {
    QueryOptions little = options(4096);
    QueryService small = service(little);
    for (int i = 0; i < Tier.length(5, 20, 200); i++) {
      Selection selection = model.randomSelection(HOURS);
      model.check(small, little, (model, service) -> checkBounds(selection, model, service));
    }
    TopValues all = top(small, Selection.ALL, 10);
    assertThat(all.isExact()).isFalse();
  }

  private static void checkBounds(Selection selection, Model model, QueryService service) {
    TopValues top = top(service, selection, 10);
    Map<String, Long> others = counts(values(model, selection, false).get(""));
    for (TopValues.Value value : top.values()) {
      assertThat(others.remove(value.json()))
          .as("%s", selection)
          .isBetween(value.count(), value.count() + value.errorMax());
    }
    assertThat(others.values()).as("%s", selection).allMatch(count -> count <= top.othersMax());
  }

  @Test
  void numbersStayWithinTheirBound() {
    QueryService small = service(options(4096));
    assertThatThrownBy(
            () ->
                join(
                    Answer.start(
                        thread ->
                            small.stats(
                                new StatsQuery(Selection.ALL, "x.v", Grouping.OF_TYPES, 0),
                                false,
                                thread))))
        .hasRootCauseInstanceOf(BadParameterException.class)
        .hasMessageContaining("field: the numbers of data.x.v take more than 4096 bytes");
    Selection one = new Selection(new TreeSet<>(List.of("none")), TimeRange.ALL, "");
    assertThat(
            join(Answer.start(
                    thread ->
                        small.stats(
                            new StatsQuery(one, "x.v", Grouping.OF_TYPES, 0), false, thread)))
                .series()
                .series())
        .isEmpty();
  }

  @Test
  void aDisconnectedClientStopsTheReading() {
    AtomicInteger asked = new AtomicInteger();
    QueryService goneSoon = service.with(access -> access.until(() -> asked.incrementAndGet() > 2));
    TopQuery top = new TopQuery(Selection.ALL, "x.v", 10, Grouping.NONE);
    assertThatThrownBy(() -> join(Answer.start(thread -> goneSoon.top(top, false, thread))))
        .hasRootCauseInstanceOf(CancellationException.class);
    assertThat(asked).hasValueLessThan(6);
  }
}
