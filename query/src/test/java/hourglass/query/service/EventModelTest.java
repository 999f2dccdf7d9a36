package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.EventCursor;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.scan.FanOutPlan;
import hourglass.store.Order;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every form of an events query over random events, against a plain list. */
class EventModelTest {
  private static final int HOURS = 4;

  private final Random random = Seed.random(this);
  private final LatentStore store = new LatentStore(new OracleStore());
  private final Model model = new Model(store, random);
  private final QueryOptions options =
      QueryOptions.builder()
          .sliceColumns(1 + random.nextInt(40))
          .fanOut(1 + random.nextInt(8))
          .build();
  private final QueryService service =
      new QueryService(store, options, Clock.systemUTC(), Answer.THREADS);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void streamsAgreeWithTheModel() {
    model.addRandom(1500, HOURS);
    for (int i = 0; i < Tier.length(12, 60, 600); i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      int chunkBytes = randomChunkBytes();
      check(
          (model, service) -> {
            EventQuery all = new EventQuery(selection, order, EventQuery.ALL, null);
            Answer answer = ask(service, all, chunkBytes);
            assertThat(answer.lines())
                .as("%s %s", selection, order)
                .isEqualTo(expected(model, selection, order));
            assertThat(answer.facts().cursor()).isNull();
            assertThat(answer.facts().isComplete()).isTrue();
          });
    }
  }

  @Test
  void consecutiveRowsAreOneStream() {
    model.addInTurns(1500, 2);
    for (int i = 0; i < Tier.length(8, 40, 400); i++) {
      Selection selection = model.randomSelection(2);
      Order order = randomOrder();
      int limit = 1 + random.nextInt(300);
      int chunkBytes = randomChunkBytes();
      check(
          (model, service) -> {
            List<String> all = expected(model, selection, order);
            EventQuery query = new EventQuery(selection, order, EventQuery.ALL, null);
            assertThat(ask(service, query, chunkBytes).lines())
                .as("%s %s", selection, order)
                .isEqualTo(all);
            assertThat(walk(service, selection, order, limit, chunkBytes))
                .as("pages of %s of %s %s", limit, selection, order)
                .isEqualTo(all);
          });
    }
  }

  @Test
  void pagesAddUpToTheStream() {
    model.addRandom(600, HOURS);
    for (int i = 0; i < Tier.length(6, 30, 300); i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      int limit = 1 + random.nextInt(90);
      int chunkBytes = randomChunkBytes();
      check(
          (model, service) ->
              assertThat(walk(service, selection, order, limit, chunkBytes))
                  .as("pages of %s of %s %s", limit, selection, order)
                  .isEqualTo(expected(model, selection, order)));
    }
  }

  @Test
  void aPageSaysWhetherMoreFollows() {
    model.addRandom(300, HOURS);
    for (int i = 0; i < Tier.length(20, 60, 600); i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      int beyond = random.nextInt(3) - 1;
      int chunkBytes = randomChunkBytes();
      check(
          (model, service) -> {
            List<String> all = expected(model, selection, order);
            int limit = Math.max(1, all.size() + beyond);
            Answer page = ask(service, new EventQuery(selection, order, limit, null), chunkBytes);
            assertThat(page.facts().cursor() != null)
                .as("%s of %s of %s %s: more", limit, all.size(), selection, order)
                .isEqualTo(limit < all.size());
          });
    }
  }

  @Test
  void pageEdgeLosesNothingWhileEventsArrive() {
    model.addRandom(400, HOURS);
    for (int i = 0; i < Tier.length(3, 20, 200); i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      EventCursor cursor = null;
      do {
        List<Model.Stored> rest = beyond(model.select(selection, order), cursor, order);
        int limit = 1 + random.nextInt(60);
        EventQuery query = new EventQuery(selection, order, limit, cursor);
        Answer page = ask(service, query, randomChunkBytes());
        assertThat(page.lines())
            .isEqualTo(rest.stream().limit(limit).map(Model.Stored::ndjson).toList());
        cursor = next(page, selection, order);
        model.addRandom(random.nextInt(20), HOURS);
      } while (cursor != null);
    }
  }

  @Test
  void concurrentSlicesAreLimitedByTheFanOut() {
    model.addRandom(1500, HOURS);
    EventQuery all = new EventQuery(Selection.ALL, Order.ASCENDING, EventQuery.ALL, null);
    ask(service, all, randomChunkBytes());
    assertThat(store.slicesUnderWayMax()).isBetween(1, FanOutPlan.GROWTH_MAX * options.fanOut());
  }

  private void check(BiConsumer<Model, QueryService> check) {
    model.check(service, options, check);
  }

  private static List<String> walk(
      QueryService service, Selection selection, Order order, int limit, int chunkBytes) {
    List<String> walked = new ArrayList<>();
    EventCursor cursor = null;
    do {
      Answer page = ask(service, new EventQuery(selection, order, limit, cursor), chunkBytes);
      assertThat(page.lines()).hasSizeLessThanOrEqualTo(limit);
      walked.addAll(page.lines());
      cursor = next(page, selection, order);
    } while (cursor != null);
    return walked;
  }

  private static EventCursor next(Answer page, Selection selection, Order order) {
    String cursor = page.facts().cursor();
    return cursor == null ? null : EventCursor.parse(cursor, selection, order, false);
  }

  private static List<Model.Stored> beyond(
      List<Model.Stored> all, EventCursor cursor, Order order) {
    if (cursor == null) {
      return all;
    }
    return all.stream().filter(event -> isBeyond(event, cursor, order)).toList();
  }

  private static boolean isBeyond(Model.Stored event, EventCursor cursor, Order order) {
    int byName = event.name().compareTo(cursor.last().name());
    int side = byName != 0 ? byName : event.type().compareTo(cursor.last().type());
    return order == Order.ASCENDING ? side > 0 : side < 0;
  }

  private static Answer ask(QueryService service, EventQuery query, int chunkBytes) {
    EventStream stream = service.events(query, EventFormat.NDJSON, CsvTable.STANDARD);
    return Answer.read(stream, chunkBytes);
  }

  private int randomChunkBytes() {
    return 100 + random.nextInt(3000);
  }

  private static List<String> expected(Model model, Selection selection, Order order) {
    return model.select(selection, order).stream().map(Model.Stored::ndjson).toList();
  }

  private Order randomOrder() {
    return random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
  }
}
