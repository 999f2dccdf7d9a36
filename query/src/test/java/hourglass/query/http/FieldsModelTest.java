package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fields of random events of several types and hours, against plain counts. */
class FieldsModelTest {
  private static final int HOURS = 5;
  private static final int TYPES = 4;
  private static final int EVENTS = 400;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Random random = Seed.random(this);
  private final LatentStore store = new LatentStore(new OracleStore());
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  /** The events with each value, by field. */
  private final Map<String, Map<String, Long>> counts = new HashMap<>();

  @BeforeEach
  void fill() {
    for (int hour = 0; hour < HOURS; hour++) {
      for (int type = 0; type < TYPES; type++) {
        Hour of = new Hour(Fill.HOUR.epochHours() + hour);
        write(new RowKey(of, "type-" + type, 0));
      }
    }
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private void write(RowKey row) {
    ColumnsBuilder out = new ColumnsBuilder(EVENTS, 200 * EVENTS);
    for (int i = 0; i < EVENTS; i++) {
      Map<String, String> event = event(row);
      event.forEach(
          (field, value) ->
              counts.computeIfAbsent(field, absent -> new HashMap<>()).merge(value, 1L, Long::sum));
      byte[] bytes = json(event).getBytes(StandardCharsets.UTF_8);
      TimeUuid name = TimeUuid.first(row.hour().startTicks() + i * Ticks.PER_SECOND);
      out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    }
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }

  private Map<String, String> event(RowKey row) {
    Map<String, String> event = new HashMap<>();
    event.put("few", "" + random.nextInt(8));
    event.put("rare", quoted("r" + random.nextLong()));
    event.put("pairs", quoted("p" + random.nextInt(EVENTS * HOURS * TYPES / 2)));
    event.put("skewed", quoted("s" + (int) Math.exp(random.nextDouble() * 8)));
    boolean isTail = random.nextInt(10) == 0;
    event.put("heads", quoted(isTail ? "t" + random.nextInt(5_000) : "h" + random.nextInt(7)));
    event.put("ofType", quoted(row.type() + random.nextInt(60)));
    String prose = "x".repeat(random.nextInt(4) == 0 ? 300 : 3) + random.nextInt(4);
    event.put("prose", quoted(prose));
    return event;
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static String json(Map<String, String> event) {
    List<String> members = new ArrayList<>();
    event.forEach((field, value) -> members.add(quoted(field) + ":" + value));
    return "{" + String.join(",", members) + "}";
  }

  private String get(String path) {
    QueryServer.Reply reply = server.get("/api/v1/" + path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.body();
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSameRequestHasTheSameAnswer() {
    String first = get("fields");
    for (int i = 0; i < Tier.length(3, 12, 100); i++) {
      assertThat(get("fields")).isEqualTo(first);
    }
  }

  @Test
  void exactValuesAgreeWithAllEvents() {
    List<String> exact = new ArrayList<>();
    for (JsonNode field : read(get("fields")).get("fields")) {
      String name = field.get("field").textValue().substring("data.".length());
      Map<String, Long> truth = counts.get(name);
      assertThat(field.get("events").longValue()).isEqualTo((long) EVENTS * HOURS * TYPES);
      assertDistinct(field, truth.size());
      for (JsonNode value : field.get("values")) {
        assertThat(value.get("count").longValue())
            .as("%s of %s", value, name)
            .isLessThanOrEqualTo(truth.get(value.get("value").toString()));
      }
      if (field.get("values_exact").booleanValue()) {
        exact.add(name);
        assertThat(field.get("values")).as(name).hasToString(trueValues(truth));
      }
    }
    assertThat(exact).contains("few", "heads").doesNotContain("rare", "pairs");
  }

  private static void assertDistinct(JsonNode field, long truth) {
    long distinct = field.get("distinct").longValue();
    assertThat(distinct).isLessThanOrEqualTo(field.get("events").longValue());
    if (field.get("distinct_exact").booleanValue()) {
      assertThat(distinct).isEqualTo(truth);
    } else {
      assertThat(truth).isGreaterThan(256);
      assertThat(distinct).isGreaterThan(256).isCloseTo(truth, Percentage.withPercentage(35));
    }
  }

  private static String trueValues(Map<String, Long> truth) {
    return truth.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(5)
        .map(value -> "{\"value\":%s,\"count\":%d}".formatted(value.getKey(), value.getValue()))
        .toList()
        .toString()
        .replace(" ", "");
  }

  /** One in five unique values lets the estimate be above the number of events. */
  @Test
  void noFieldHasMoreDistinctValuesThanEvents() {
    for (int hour = 0; hour < HOURS; hour++) {
      for (int type = 0; type < TYPES; type++) {
        Hour of = new Hour(Fill.HOUR.epochHours() + hour);
        for (JsonNode field : read(get("fields?type=type-" + type + "&hour=" + of)).get("fields")) {
          assertThat(field.get("distinct").longValue())
              .as("%s", field)
              .isLessThanOrEqualTo(field.get("events").longValue());
        }
      }
    }
  }

  @Test
  void aPartialAnswerIsNotExact() {
    store.setFault(
        query -> {
          if (query.row().type().equals("type-1")) {
            throw new hourglass.store.CorruptException("damaged");
          }
          return null;
        });
    JsonNode answer = read(get("fields?partial=allow"));
    assertThat(answer.get("complete").booleanValue()).isFalse();
    assertThat(answer.get("fields"))
        .allMatch(field -> !field.get("values_exact").booleanValue())
        .allMatch(field -> !field.get("distinct_exact").booleanValue());
  }
}
