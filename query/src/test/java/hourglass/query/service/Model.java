package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Shrink;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** The right answers of a store, from a sorted list of events. Writes change both. */
public final class Model {
  /** All of them are true for the same half, with or without a condition. */
  private static final String[] WHERE = {
    "data.n < 500", "!(data.n >= 500)", "data.n * 2 < 1000", "[data.n].exists(n, n < 500)"
  };

  /** Distinct times in an hour. */
  private static final int MOMENTS = 400;

  public static final Hour FIRST_HOUR = Hour.parse("2026-11-20T08");

  public record Stored(TimeUuid name, String type, String payload) {
    /** The field of {@link #WHERE}. */
    int n() {
      return Integer.parseInt(payload.replaceAll("\\{\"n\":(\\d+).*", "$1"));
    }

    public String ndjson() {
      return "{\"id\":\"%s\",\"time\":\"%s\",\"type\":\"%s\",\"data\":%s}"
          .formatted(name, Ticks.text(name.ticks()), type, payload);
    }
  }

  private record Added(TimeUuid name, String type, int shard, String payload) {}

  private record Key(TimeUuid name, String type) {}

  private static final Comparator<Key> ORDER =
      Comparator.comparing(Key::name).thenComparing(Key::type);

  private final WideColumnStore store;
  private final Random random;
  private final TreeMap<Key, Stored> events = new TreeMap<>(ORDER);
  private final List<Added> added = new ArrayList<>();

  public Model(WideColumnStore store, Random random) {
    this.store = store;
    this.random = random;
  }

  /** Few types, hours, times and identities, so that all kinds of ties happen. */
  public void addRandom(int count, int hours) {
    addRandom(count, hours, () -> random.nextBoolean() ? "" : ",\"odd\":true");
  }

  /** More fields follow the first, as in {@code ,"odd":true}. */
  public void addRandom(int count, int hours, Supplier<String> more) {
    addRandom(count, hours, more, moment -> random.nextInt(3));
  }

  /** Rows follow one another, and overlap like those of several writers. */
  void addInTurns(int count, int hours) {
    addRandom(count, hours, () -> "", moment -> moment / 10 + random.nextInt(2));
  }

  /** Rows follow one another, and barely overlap, like those of events out of order. */
  void addOneAfterTheOther(int count, int hours, Supplier<String> more) {
    addRandom(count, hours, more, moment -> (moment + random.nextInt(8)) / 40);
  }

  private void addRandom(
      int count, int hours, Supplier<String> more, IntUnaryOperator shardOfMoment) {
    for (int i = 0; i < count; i++) {
      Hour hour = new Hour(FIRST_HOUR.epochHours() + random.nextInt(hours));
      int moment = random.nextInt(MOMENTS);
      long ticks = hour.startTicks() + moment * (Ticks.PER_HOUR / MOMENTS);
      TimeUuid name = TimeUuid.first(ticks);
      for (int steps = random.nextInt(3); steps > 0; steps--) {
        name = name.successor();
      }
      String payload = "{\"n\":" + random.nextInt(1000) + more.get() + "}";
      String type = "type-" + (char) ('a' + random.nextInt(4));
      add(name, type, shardOfMoment.applyAsInt(moment), payload);
    }
  }

  /**
   * Checks queries about the events. Of a check that fails, it shows the fewest events with which
   * it fails as well, on a store of their own.
   *
   * @param check must not draw random numbers, nor add events
   */
  void check(QueryService service, QueryOptions options, BiConsumer<Model, QueryService> check) {
    try {
      check.accept(this, service);
    } catch (RuntimeException | Error e) {
      Shrink.check(added, some -> check(some, options, check));
      throw e; // it is not for these events alone that it failed
    }
  }

  private static void check(
      List<Added> events, QueryOptions options, BiConsumer<Model, QueryService> check) {
    try (LatentStore store = new LatentStore(new OracleStore())) {
      Model model = new Model(store, new Random(0));
      events.forEach(one -> model.add(one.name, one.type, one.shard, one.payload));
      check.accept(model, new QueryService(store, options, Clock.systemUTC(), Answer.THREADS));
    }
  }

  /** A type may have a name in several shards; the larger payload wins. */
  public void add(TimeUuid name, String type, int shard, String payload) {
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder column = new ColumnsBuilder(1, bytes.length);
    column.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    RowKey row = new RowKey(name.hour(), type, shard);
    store.write(List.of(new Mutation(row, column.build()))).toCompletableFuture().join();
    added.add(new Added(name, type, shard, payload));
    events.merge(
        new Key(name, type),
        new Stored(name, type, payload),
        (a, b) -> a.payload.compareTo(b.payload) >= 0 ? a : b);
  }

  public List<Stored> select(Selection selection, Order order) {
    TimeRange range = selection.range();
    List<Stored> found = new ArrayList<>();
    for (Stored event : events.values()) {
      long ticks = event.name.ticks();
      if (ticks >= range.fromTicks()
          && ticks < range.toTicks()
          && (selection.types().isEmpty() || selection.types().contains(event.type))
          && contains(event, selection)
          && (selection.where().isEmpty() || event.n() < 500)) {
        found.add(event);
      }
    }
    if (order == Order.DESCENDING) {
      Collections.reverse(found);
    }
    return found;
  }

  private static boolean contains(Stored event, Selection selection) {
    return selection.ignoreCase()
        ? event
            .payload
            .toLowerCase(Locale.ROOT)
            .contains(selection.contains().toLowerCase(Locale.ROOT))
        : event.payload.contains(selection.contains());
  }

  Selection randomSelection(int hours) {
    TreeSet<String> types = new TreeSet<>();
    for (int i = random.nextInt(4); i > 1; i--) {
      types.add("type-" + (char) ('a' + random.nextInt(5)));
    }
    String contains = random.nextInt(3) == 0 ? random.nextBoolean() ? "odd" : "oDD" : "";
    String where = random.nextInt(3) == 0 ? WHERE[random.nextInt(WHERE.length)] : "";
    boolean ignoreCase = contains.equals("oDD") || random.nextBoolean();
    return new Selection(types, randomRange(hours), contains, ignoreCase, where);
  }

  private TimeRange randomRange(int hours) {
    if (random.nextInt(3) == 0) {
      return TimeRange.ALL;
    }
    long span = hours * Ticks.PER_HOUR;
    long a = FIRST_HOUR.startTicks() + (long) (random.nextDouble() * span);
    long b = FIRST_HOUR.startTicks() + (long) (random.nextDouble() * span);
    return new TimeRange(Math.min(a, b), Math.max(a, b));
  }
}
