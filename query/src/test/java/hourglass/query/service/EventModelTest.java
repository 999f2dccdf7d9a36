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
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
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
      new QueryService(store, options, Clock.systemUTC(), ForkJoinPool.commonPool());

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void streamsWhatTheModelHas() {
    model.addRandom(1500, HOURS);
    for (int i = 0; i < 60; i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      Answer answer = ask(new EventQuery(selection, order, EventQuery.ALL, null));
      assertThat(answer.lines())
          .as("%s %s", selection, order)
          .isEqualTo(expected(selection, order));
      assertThat(answer.facts().cursor()).isNull();
      assertThat(answer.facts().isComplete()).isTrue();
    }
  }

  @Test
  void rowsThatFollowOneAnotherAreOneStream() {
    model.addInTurns(1500, 2);
    for (int i = 0; i < 40; i++) {
      Selection selection = model.randomSelection(2);
      Order order = randomOrder();
      List<String> all = expected(selection, order);
      assertThat(ask(new EventQuery(selection, order, EventQuery.ALL, null)).lines())
          .as("%s %s", selection, order)
          .isEqualTo(all);
      assertThat(walk(selection, order, 1 + random.nextInt(300)))
          .as("pages of %s %s", selection, order)
          .isEqualTo(all);
    }
  }

  @Test
  void pagesAddUpToTheStream() {
    model.addRandom(600, HOURS);
    for (int i = 0; i < 30; i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      List<String> walked = walk(selection, order, 1 + random.nextInt(90));
      assertThat(walked).as("%s %s", selection, order).isEqualTo(expected(selection, order));
    }
  }

  @Test
  void aPageSaysWhetherMoreFollows() {
    model.addRandom(300, HOURS);
    for (int i = 0; i < 60; i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      List<String> all = expected(selection, order);
      int limit = Math.max(1, all.size() - 1 + random.nextInt(3));
      Answer page = ask(new EventQuery(selection, order, limit, null));
      assertThat(page.facts().cursor() != null)
          .as("%s of %s: more", limit, all.size())
          .isEqualTo(limit < all.size());
    }
  }

  @Test
  void pageEdgeLosesNothingWhileEventsArrive() {
    model.addRandom(400, HOURS);
    for (int i = 0; i < 20; i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = randomOrder();
      EventCursor cursor = null;
      do {
        List<Model.Stored> rest = beyond(model.select(selection, order), cursor, order);
        int limit = 1 + random.nextInt(60);
        Answer page = ask(new EventQuery(selection, order, limit, cursor));
        assertThat(page.lines())
            .isEqualTo(rest.stream().limit(limit).map(Model.Stored::ndjson).toList());
        cursor = next(page, selection, order);
        model.addRandom(random.nextInt(20), HOURS);
      } while (cursor != null);
    }
  }

  @Test
  void keepsToTheFanOut() {
    model.addRandom(1500, HOURS);
    ask(new EventQuery(Selection.ALL, Order.ASCENDING, EventQuery.ALL, null));
    assertThat(store.slicesUnderWayMax()).isBetween(1, FanOutPlan.GROWTH_MAX * options.fanOut());
  }

  private List<String> walk(Selection selection, Order order, int limit) {
    List<String> walked = new ArrayList<>();
    EventCursor cursor = null;
    do {
      Answer page = ask(new EventQuery(selection, order, limit, cursor));
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

  private Answer ask(EventQuery query) {
    EventStream stream = service.events(query, EventFormat.NDJSON, CsvTable.STANDARD);
    return Answer.read(stream, 100 + random.nextInt(3000));
  }

  private List<String> expected(Selection selection, Order order) {
    return model.select(selection, order).stream().map(Model.Stored::ndjson).toList();
  }

  private Order randomOrder() {
    return random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
  }
}
