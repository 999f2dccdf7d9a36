package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Ticks;
import hourglass.query.Counted;
import hourglass.query.Group;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.Steps;
import hourglass.query.TimeRange;
import hourglass.query.Top;
import hourglass.query.TopQuery;
import hourglass.query.values.NumberSummary;
import hourglass.query.values.TopValues;
import hourglass.store.Order;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts, statistics and top values of random groups and steps, against a plain list. */
class GroupModelTest {
  private static final int HOURS = 3;
  private static final int ROUNDS = Tier.length(6, 25, 250);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] HOSTS = {
    "\"a\"", "\"\\u0061\"", "\"b\"", "\"1\"", "1", "1.0", "10e-1", "null", "true", "[1]", "{}"
  };

  private final Random random = Seed.random(this);
  private final LatentStore store = new LatentStore(new OracleStore());
  private final Model model = new Model(store, random);
  private final QueryOptions options =
      QueryOptions.builder().sliceColumns(1 + random.nextInt(40)).build();
  private final QueryService service =
      new QueryService(store, options, Clock.systemUTC(), Answer.THREADS);

  @BeforeEach
  void fill() {
    model.addOneAfterTheOther(
        1_500, HOURS, () -> host() + ",\"x\":{\"ms\":" + random.nextInt(50) + "}");
  }

  private String host() {
    int pick = random.nextInt(HOSTS.length + 2);
    return pick == HOSTS.length
        ? ",\"host\":\"" + "x".repeat(5_000) + "\""
        : pick > HOSTS.length ? "" : ",\"host\":" + HOSTS[pick];
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static <T> T join(CompletionStage<Counted<T>> stage) {
    return stage.toCompletableFuture().join().value();
  }

  private static JsonNode payload(Model.Stored event) {
    try {
      return JSON.readTree(event.payload());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Grouping randomGrouping() {
    List<String> by = new ArrayList<>(List.of("type", "data.host", "data.x.ms", "data.none"));
    Collections.shuffle(by, random);
    return new Grouping(by.subList(0, 1 + random.nextInt(3)), 1 + random.nextInt(12));
  }

  private Selection randomSelection() {
    Selection any = model.randomSelection(HOURS);
    long from = Math.max(any.range().fromTicks(), Model.FIRST_HOUR.startTicks());
    long to = Math.min(any.range().toTicks(), from + HOURS * Ticks.PER_HOUR);
    return any.within(new TimeRange(from, to));
  }

  private static Group group(Grouping grouping, Model.Stored event) {
    List<Group.Part> parts = new ArrayList<>();
    for (String by : grouping.by()) {
      if (by.equals("type")) {
        parts.add(new Group.Part(by, Group.Kind.TYPE, event.type()));
        continue;
      }
      JsonNode value = payload(event).at(by.substring(4).replace('.', '/'));
      Group.Kind kind =
          value.isMissingNode()
              ? Group.Kind.ABSENT
              : value.isContainerNode()
                  ? Group.Kind.NESTED
                  : value.asText().length() > 4_000 ? Group.Kind.TOO_LONG : Group.Kind.VALUE;
      String text = value.isNumber() ? "" + value.asInt() : value.toString();
      parts.add(new Group.Part(by, kind, kind == Group.Kind.VALUE ? text : ""));
    }
    return Group.of(parts);
  }

  /** The events of each group in an answer's order: by their number, and then unspecified. */
  private static Map<Group, List<Model.Stored>> groups(
      Model model, Selection selection, Grouping grouping) {
    return model.select(selection, Order.ASCENDING).stream()
        .collect(Collectors.groupingBy(event -> group(grouping, event), Collectors.toList()));
  }

  /** Checks the groups of an answer; returns the events of each. */
  private static Map<Group, List<Model.Stored>> check(
      Model model, Selection selection, Grouping grouping, Grouped<?> answer) {
    Map<Group, List<Model.Stored>> all = groups(model, selection, grouping);
    List<Integer> sizes =
        all.values().stream().map(List::size).sorted(Collections.reverseOrder()).toList();
    int shown = Math.min(grouping.groupsMax(), sizes.size());
    Map<Group, List<Model.Stored>> expected = new LinkedHashMap<>();
    for (Grouped.Series<?> one : answer.series()) {
      if (!one.group().isOthers()) {
        assertThat(all).as("%s", grouping).containsKey(one.group());
        expected.put(one.group(), all.remove(one.group()));
      }
    }
    assertThat(expected.values().stream().map(List::size))
        .as("%s", grouping)
        .containsExactlyElementsOf(sizes.subList(0, shown));
    if (!all.isEmpty()) {
      assertThat(answer.series().get(shown).group()).isEqualTo(Group.OTHERS);
      expected.put(Group.OTHERS, all.values().stream().flatMap(List::stream).toList());
    }
    assertThat(answer.series()).hasSize(expected.size());
    assertThat(answer.isExact()).isTrue();
    return expected;
  }

  @Test
  void hitsOfGroupsAreExact() {
    for (int i = 0; i < ROUNDS; i++) {
      long[] lengths = {17_123, 300_000, 86_400_000};
      HitsQuery query =
          new HitsQuery(randomSelection(), lengths[random.nextInt(3)], randomGrouping());
      model.check(service, options, (model, service) -> check(query, model, service));
    }
  }

  private static void check(HitsQuery query, Model model, QueryService service) {
    Hits hits = join(Answer.start(thread -> service.hits(query, false, thread)));
    Map<Group, List<Model.Stored>> expected =
        check(model, query.selection(), query.grouping(), hits.series());
    for (Grouped.Series<long[]> one : hits.series().series()) {
      long[] counts = new long[Math.toIntExact(query.steps().count())];
      expected.get(one.group()).forEach(event -> counts[step(query.steps(), event)]++);
      assertThat(one.value()).as("%s of %s", one.group(), query).isEqualTo(counts);
    }
  }

  private static int step(Steps steps, Model.Stored event) {
    long ticks = event.name().ticks() - steps.range().fromTicks();
    return steps.millis() == 0 ? 0 : (int) (ticks / (steps.millis() * Ticks.PER_MILLI));
  }

  @Test
  void statsOfGroupsAndStepsAreExact() {
    for (int i = 0; i < ROUNDS; i++) {
      Selection selection = randomSelection();
      Grouping grouping = random.nextInt(4) == 0 ? Grouping.OF_TYPES : randomGrouping();
      long millis = random.nextBoolean() ? 0 : 500_000;
      StatsQuery query = new StatsQuery(selection, "x.ms", grouping, millis);
      model.check(service, options, (model, service) -> check(query, model, service));
    }
  }

  private static void check(StatsQuery query, Model model, QueryService service) {
    Stats stats = join(Answer.start(thread -> service.stats(query, false, thread)));
    Map<Group, List<Model.Stored>> expected =
        query.grouping().isBounded()
            ? check(model, query.selection(), query.grouping(), stats.series())
            : groups(model, query.selection(), query.grouping());
    assertThat(stats.series().series()).as("%s", query).hasSize(expected.size());
    for (Grouped.Series<List<NumberSummary>> one : stats.series().series()) {
      Map<Integer, int[]> numbers =
          numbers(expected.get(one.group()), event -> step(query.steps(), event));
      for (int step = 0; step < one.value().size(); step++) {
        check(one.value().get(step), numbers.getOrDefault(step, new int[0]));
      }
    }
  }

  private static Map<Integer, int[]> numbers(
      List<Model.Stored> events, Function<Model.Stored, Integer> step) {
    return events.stream()
        .collect(
            Collectors.groupingBy(
                step,
                Collectors.collectingAndThen(
                    Collectors.toList(),
                    some ->
                        some.stream().mapToInt(e -> payload(e).at("/x/ms").asInt()).toArray())));
  }

  private static void check(NumberSummary summary, int[] numbers) {
    assertThat(summary.events()).isEqualTo(numbers.length);
    assertThat(summary.count()).isEqualTo(numbers.length);
    NumberSummary.Distribution distribution = summary.numbers();
    if (distribution == null) {
      assertThat(numbers).isEmpty();
      return;
    }
    Arrays.sort(numbers);
    assertThat(distribution.min()).isEqualTo(numbers[0]);
    assertThat(distribution.max()).isEqualTo(numbers[numbers.length - 1]);
    assertThat(distribution.p50()).isEqualTo(numbers[(numbers.length + 1) / 2 - 1]);
  }

  @Test
  void topValuesOfGroupsAreExact() {
    for (int i = 0; i < ROUNDS; i++) {
      TopQuery query = new TopQuery(randomSelection(), "x.ms", 3, randomGrouping());
      model.check(service, options, (model, service) -> check(query, model, service));
    }
  }

  private static void check(TopQuery query, Model model, QueryService service) {
    Top top = join(Answer.start(thread -> service.top(query, false, thread)));
    Map<Group, List<Model.Stored>> expected =
        check(model, query.selection(), query.grouping(), top.series());
    for (Grouped.Series<TopValues> one : top.series().series()) {
      Map<String, Long> counts =
          expected.get(one.group()).stream()
              .collect(
                  Collectors.groupingBy(
                      event -> payload(event).at("/x/ms").toString(), Collectors.counting()));
      assertThat(one.value().events()).as("%s", query).isEqualTo(expected.get(one.group()).size());
      assertThat(one.value().distinct()).as("%s", query).isEqualTo(counts.size());
      for (TopValues.Value value : one.value().values()) {
        assertThat(value.count()).as("%s", query).isEqualTo(counts.remove(value.json()));
      }
      assertThat(counts.values()).as("%s", query).allMatch(n -> n <= one.value().othersMax());
    }
  }

  /** Counts of the groups in an answer stay exact, even where the choice of groups is not. */
  @Test
  void groupsBeyondMemoryAreCountedExactly() {
    QueryService small =
        new QueryService(
            store,
            QueryOptions.builder().topBytes(4_096).build(),
            Clock.systemUTC(),
            Answer.THREADS);
    Grouping grouping = new Grouping(List.of("data.n", "type"), 5);
    TimeRange range =
        new TimeRange(
            Model.FIRST_HOUR.startTicks(), Model.FIRST_HOUR.startTicks() + HOURS * Ticks.PER_HOUR);
    Selection all = new Selection(Selection.ALL.types(), range, "");
    Hits hits =
        join(
            Answer.start(
                thread -> small.hits(new HitsQuery(all, 86_400_000, grouping), false, thread)));
    assertThat(hits.series().isExact()).isFalse();
    assertThat(hits.total()).isEqualTo(model.select(all, Order.ASCENDING).size());
    Map<Group, List<Model.Stored>> groups = groups(model, all, grouping);
    for (Grouped.Series<long[]> one : hits.series().series()) {
      if (!one.group().isOthers()) {
        assertThat(one.value()[0]).isEqualTo(groups.get(one.group()).size());
      }
    }
  }
}
