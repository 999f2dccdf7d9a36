package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.FairExecutor;
import hourglass.query.AroundQuery;
import hourglass.query.EventCursor;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AroundSearch;
import hourglass.query.scan.StoreAccess;
import hourglass.store.Order;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages around a random event, and the walks from them, against a plain list. */
class AroundModelTest {
  private static final int HOURS = 4;

  private final Random random = Seed.random(this);
  private final LatentStore store = new LatentStore(new OracleStore());
  private final Model model = new Model(store, random);
  private final QueryOptions options =
      QueryOptions.builder().sliceColumns(1 + random.nextInt(40)).build();
  private final QueryService service =
      new QueryService(store, options, Clock.systemUTC(), Answer.THREADS);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theEventIsInTheMiddleOfTheSelection() {
    model.addRandom(1500, HOURS);
    for (int i = 0; i < Tier.length(30, 150, 1_500); i++) {
      Selection selection = model.randomSelection(HOURS);
      Order order = random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
      Model.Stored center = center(selection);
      if (center == null) {
        continue;
      }
      List<Model.Stored> all = with(center, model.select(selection, order), order);
      int limit = 1 + random.nextInt(60);
      int at = all.indexOf(center);
      int begin = Math.max(0, at - limit / 2);
      int end = Math.min(all.size(), at + 1 + (limit - 1) / 2);
      Answer page = around(center, selection, order, limit);
      assertThat(page.lines())
          .as("%d around %s of %s %s", limit, center, selection, order)
          .isEqualTo(lines(all.subList(begin, end)));
      assertThat(rest(page.facts().cursor(), selection, order))
          .isEqualTo(lines(all.subList(end, all.size())));
      List<Model.Stored> before = new ArrayList<>(all.subList(0, begin));
      Collections.reverse(before);
      assertThat(rest(page.facts().previous(), selection, backwards(order)))
          .isEqualTo(lines(before));
    }
  }

  /** An event in the range with a unique id, unless the selection decides its type. */
  private Model.Stored center(Selection selection) {
    Selection range = new Selection(new TreeSet<>(), selection.range(), "");
    List<Model.Stored> all = model.select(range, Order.ASCENDING);
    Collections.shuffle(all, random);
    return all.stream()
        .filter(
            event ->
                all.stream()
                        .filter(other -> other.name().equals(event.name()))
                        .filter(other -> other.equals(event) || takes(selection, other))
                        .count()
                    == 1)
        .filter(
            event ->
                takes(selection, event)
                    || all.stream().filter(other -> other.name().equals(event.name())).count() == 1)
        .findFirst()
        .orElse(null);
  }

  private static boolean takes(Selection selection, Model.Stored event) {
    return selection.types().isEmpty() || selection.types().contains(event.type());
  }

  private static List<Model.Stored> with(
      Model.Stored center, List<Model.Stored> selected, Order order) {
    TreeSet<Model.Stored> all =
        new TreeSet<>(Comparator.comparing(Model.Stored::name).thenComparing(Model.Stored::type));
    all.addAll(selected);
    all.add(center);
    return new ArrayList<>(order == Order.ASCENDING ? all : all.descendingSet());
  }

  private static Order backwards(Order order) {
    return order == Order.ASCENDING ? Order.DESCENDING : Order.ASCENDING;
  }

  private static List<String> lines(List<Model.Stored> events) {
    return events.stream().map(Model.Stored::ndjson).toList();
  }

  private Answer around(Model.Stored center, Selection selection, Order order, int limit) {
    AroundQuery query = new AroundQuery(center.name(), selection, order, limit);
    EventStream stream = service.events(query, EventFormat.NDJSON, CsvTable.STANDARD);
    return Answer.read(stream, 100 + random.nextInt(3000));
  }

  /** All further pages; empty without a cursor. */
  private List<String> rest(String cursor, Selection selection, Order order) {
    if (cursor == null) {
      return List.of();
    }
    EventCursor after = EventCursor.parse(cursor, selection, order, false);
    EventQuery query = new EventQuery(selection, order, EventQuery.ALL, after);
    List<String> lines =
        Answer.read(service.events(query, EventFormat.NDJSON, CsvTable.STANDARD), 5000).lines();
    assertThat(lines).as("a cursor leads somewhere").isNotEmpty();
    return lines;
  }

  @Test
  void aCancelledPageReadsNothingMore() {
    model.addRandom(1500, HOURS);
    Model.Stored center = model.select(Selection.ALL, Order.ASCENDING).get(700);
    AroundQuery query = new AroundQuery(center.name(), Selection.ALL, Order.ASCENDING, 1400);
    EventStream stream = service.events(query, EventFormat.NDJSON, CsvTable.STANDARD);
    int asked = store.slices();
    assertThatThrownBy(() -> Answer.read(stream, 1000, Answer.goneThread()))
        .isInstanceOf(CancellationException.class);
    assertThat(store.slices()).isEqualTo(asked);
  }

  /** No event matches: the backward walk would read all of them. */
  @Test
  void aCancelledSearchEnds() throws Exception {
    model.addRandom(1500, HOURS);
    Model.Stored center = model.select(Selection.ALL, Order.DESCENDING).get(0);
    Selection none = new Selection(new TreeSet<>(), TimeRange.ALL, "", "data.n < 0");
    AroundQuery query = new AroundQuery(center.name(), none, Order.ASCENDING, 20);
    AtomicBoolean gone = new AtomicBoolean();
    AroundSearch search =
        new AroundSearch(query, StoreAccess.of(store, options, Answer.THREADS).until(gone::get));
    store.setFault(
        asked -> {
          gone.set(true);
          return null;
        });
    QueryThread thread =
        new QueryThread(FairExecutor.over(Runnable::run).lane(""), gone::get, () -> {});
    assertThatThrownBy(() -> thread.run(() -> search.run(thread)))
        .isInstanceOf(CancellationException.class);
  }
}
