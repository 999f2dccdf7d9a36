package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.Counted;
import hourglass.query.Group;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.TypeCount;
import hourglass.store.Order;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts of random events with repeats across shards, against a plain list. */
class CountModelTest {
  private static final int HOURS = 4;

  private final Random random = Seed.random(this);
  private final OracleStore oracle = new OracleStore();
  private final LatentStore store = new LatentStore(oracle);
  private final Model model = new Model(store, random);
  private final QueryOptions options =
      QueryOptions.builder().sliceColumns(1 + random.nextInt(40)).buckets(5000).build();
  private final QueryService service =
      new QueryService(store, options, Clock.systemUTC(), Answer.THREADS);

  @AfterEach
  void close() {
    store.close();
  }

  private static <T> T join(CompletionStage<Counted<T>> stage) {
    return stage.toCompletableFuture().join().value();
  }

  @Test
  void typesAreCountedExactly() {
    model.addRandom(1500, HOURS);
    for (int i = 0; i < Tier.length(10, 40, 400); i++) {
      Selection selection = model.randomSelection(HOURS);
      model.check(
          service,
          options,
          (model, service) ->
              assertThat(types(service, selection))
                  .as("%s", selection)
                  .isEqualTo(types(model, selection)));
    }
  }

  private static List<TypeCount> types(QueryService service, Selection selection) {
    return join(Answer.start(thread -> service.types(selection, false, thread)));
  }

  private static List<TypeCount> types(Model model, Selection selection) {
    TreeMap<String, TypeCount> counts = new TreeMap<>();
    for (Model.Stored event : model.select(selection, Order.ASCENDING)) {
      long bytes = event.payload().getBytes(StandardCharsets.UTF_8).length;
      counts.merge(event.type(), new TypeCount(event.type(), 1, bytes), TypeCount::plus);
    }
    return new ArrayList<>(counts.values());
  }

  @Test
  void payloadWrittenTwiceCountsAsTheLarger() {
    TimeUuid name = TimeUuid.first(Model.FIRST_HOUR.startTicks());
    model.add(name, "t", 0, "{\"a\":\"long and small\"}");
    model.add(name, "t", 1, "{\"b\":1}");
    assertThat(types(service, Selection.ALL)).containsExactly(new TypeCount("t", 1, 7));
  }

  @Test
  void hitsAreCountedExactly() {
    model.addRandom(1500, HOURS);
    for (int i = 0; i < Tier.length(10, 40, 400); i++) {
      HitsQuery query = randomHits();
      model.check(service, options, (model, service) -> check(query, model, service));
    }
  }

  private static void check(HitsQuery query, Model model, QueryService service) {
    Hits hits = join(Answer.start(thread -> service.hits(query, false, thread)));
    assertThat(byType(hits)).as("%s", query).isEqualTo(expected(model, query));
    assertThat(hits.total()).isEqualTo(model.select(query.selection(), Order.ASCENDING).size());
  }

  private HitsQuery randomHits() {
    Selection any = model.randomSelection(HOURS);
    long from = Math.max(any.range().fromTicks(), Model.FIRST_HOUR.startTicks());
    long to = Math.min(any.range().toTicks(), from + HOURS * Ticks.PER_HOUR);
    TimeRange range = new TimeRange(from, to);
    Selection selection = any.within(range);
    long[] steps = {17_123, 60_000, 300_000, 3_600_000, 86_400_000};
    return new HitsQuery(
        selection,
        steps[random.nextInt(steps.length)],
        random.nextBoolean() ? Grouping.OF_TYPES : Grouping.NONE);
  }

  private static Map<String, List<Long>> byType(Hits hits) {
    Map<String, List<Long>> series = new TreeMap<>();
    for (Grouped.Series<long[]> one : hits.series().series()) {
      List<Long> counts = new ArrayList<>();
      for (long count : one.value()) {
        counts.add(count);
      }
      series.put(type(one.group()), counts);
    }
    return series;
  }

  private static String type(Group group) {
    return group.parts().isEmpty() ? "" : group.parts().get(0).text();
  }

  private static Map<String, List<Long>> expected(Model model, HitsQuery query) {
    boolean byType = query.grouping().equals(Grouping.OF_TYPES);
    TimeRange range = query.selection().range();
    long stepTicks = query.stepMillis() * Ticks.PER_MILLI;
    int steps = (int) ((range.toTicks() - range.fromTicks() + stepTicks - 1) / stepTicks);
    Map<String, List<Long>> series = new TreeMap<>();
    if (!byType) {
      series.put("", zeros(steps));
    }
    for (Model.Stored event : model.select(query.selection(), Order.ASCENDING)) {
      int step = (int) ((event.name().ticks() - range.fromTicks()) / stepTicks);
      series
          .computeIfAbsent(byType ? event.type() : "", type -> zeros(steps))
          .set(step, 1 + series.get(byType ? event.type() : "").get(step));
    }
    return series;
  }

  private static List<Long> zeros(int steps) {
    return new ArrayList<>(Collections.nCopies(steps, 0L));
  }

  @Test
  void aDisconnectedClientStopsTheCount() {
    model.addRandom(1500, HOURS);
    Selection selection = new Selection(new TreeSet<>(), TimeRange.ALL, "", "data.n < 500");
    AtomicInteger asked = new AtomicInteger();
    QueryService goneSoon = service.with(access -> access.until(() -> asked.incrementAndGet() > 2));
    assertThatThrownBy(() -> types(goneSoon, selection))
        .hasRootCauseInstanceOf(CancellationException.class);
    assertThat(asked).hasValueLessThan(6);
  }

  @Test
  void countsStayWithinTheirBound() {
    model.addRandom(300, 1);
    TimeRange hour = TimeRange.of(Model.FIRST_HOUR);
    Selection selection = new Selection(new TreeSet<>(), hour, "");
    assertThat(
            join(Answer.start(
                    thread ->
                        service.hits(new HitsQuery(selection, 1000, Grouping.NONE), false, thread)))
                .total())
        .isPositive();
    assertThatThrownBy(
            () ->
                join(
                    Answer.start(
                        thread ->
                            service.hits(
                                new HitsQuery(selection, 1000, Grouping.OF_TYPES), false, thread))))
        .hasRootCauseInstanceOf(BadParameterException.class)
        .hasMessageContaining("step: 1000 ms makes more than 5000 counts");
  }
}
