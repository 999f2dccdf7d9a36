package hourglass.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.Limitation;
import hourglass.store.Manifest;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.testing.Seed;
import hourglass.testing.Shrink;
import hourglass.testing.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random operations on a store and on an oracle; a list that fails is made shorter. */
final class RandomOperations {
  private static final List<FieldFilter> FILTERS =
      List.of(NumberFilter.ZERO, NumberFilter.text("\"n\":0"), NumberFilter.text("aaaa"));

  private final StoreFixture engine;
  private Random random = new Random(0);
  private RandomRows rows = new RandomRows(random);
  private BlockingStore oracle = new BlockingStore(new OracleStore());

  private final Map<RowKey, Map<List<RowEntry.Mark>, List<Column>>> cache = new HashMap<>();

  private RandomOperations(StoreFixture engine) {
    this.engine = engine;
  }

  /** An operation, which does not depend on those before it. */
  private record Step(int dice, long seed) {
    @Override
    public String toString() {
      return kind() + (dice < 40 ? " " + rows() : "") + ", seed " + seed;
    }

    private String kind() {
      if (dice < 40) {
        return "write";
      } else if (dice < 65) {
        return "slice";
      } else if (dice < 80) {
        return "count";
      } else if (dice < 90) {
        return "rows";
      } else if (dice < 93) {
        return "hours";
      } else if (dice < 96) {
        return "seal";
      }
      return dice < 98 ? "drop" : "reopen";
    }

    private List<String> rows() {
      return new RandomRows(new Random(seed))
          .mutations().stream()
              .map(mutation -> mutation.row() + " " + mutation.columns().size())
              .toList();
    }
  }

  static void run(StoreFixture engine) {
    String test = engine.getClass().getSimpleName();
    long seed = Seed.next(test);
    Random random = new Random(seed);
    List<Step> steps =
        Stream.generate(() -> new Step(random.nextInt(100), random.nextLong()))
            .limit(Tier.length(300, 600, 20_000))
            .toList();
    if (!engine.shrinks()) {
      new RandomOperations(engine).run(steps);
      return;
    }
    AtomicBoolean isUsed = new AtomicBoolean();
    try {
      Shrink.check(
          steps,
          some -> {
            if (isUsed.getAndSet(true)) {
              empty(engine);
            }
            new RandomOperations(engine).run(some);
          });
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  private static void empty(StoreFixture engine) {
    engine.reopen();
    engine.store().hours(Hour.FIRST, Hour.LAST).forEach(engine.store()::drop);
  }

  private void run(List<Step> steps) {
    for (Step step : steps) {
      random = new Random(step.seed());
      rows = new RandomRows(random);
      run(step.kind());
    }
  }

  private void run(String kind) {
    switch (kind) {
      case "write" -> write();
      case "slice" -> slice();
      case "count" -> count();
      case "rows" -> rows(rows.hour());
      case "hours" -> hours();
      case "seal" -> seal();
      case "drop" -> drop();
      default -> reopen();
    }
  }

  private void write() {
    List<Mutation> mutations = rows.mutations();
    engine.store().write(mutations);
    oracle.write(mutations);
  }

  private void slice() {
    RowKey row = rows.row();
    Order order = random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
    int columnsMax = 1 + random.nextInt(random.nextBoolean() ? 8 : 500);
    SliceQuery query =
        new SliceQuery(row, rows.range(row.hour()), order, columnsMax, Projection.COLUMNS);
    List<Column> all = oracle.walk(query);
    assertThat(engine.store().walk(query)).as("%s", query).isEqualTo(all);
    values();
    ColumnRange judged = rows.range(row.hour());
    FieldFilter filter = FILTERS.get(random.nextInt(FILTERS.size()));
    SliceQuery filtered = query.withFilter(new SliceQuery.Filter(filter, judged));
    List<Column> matching = oracle.walk(filtered);
    assertThat(engine.store().walk(filtered))
        .as("%s", filtered)
        .isSubsetOf(all)
        .containsAll(matching);
  }

  private void values() {
    RowKey row = rows.row();
    ColumnRange range = rows.range(row.hour());
    SliceQuery all = new SliceQuery(row, range, Order.ASCENDING, 500, Projection.COLUMNS);
    boolean filtered = random.nextBoolean();
    CountQuery part = part(row, range);
    FieldQuery query = NumberFilter.query(part, filtered);
    List<Column> expected =
        oracle.walk(all).stream().filter(c -> !filtered || NumberFilter.matches(c)).toList();
    assertThat(NumberFilter.counts(engine.store().values(query), part, filtered))
        .as("%s", query)
        .isEqualTo(NumberFilter.counts(expected, part));
  }

  private void count() {
    RowKey row = rows.row();
    CountQuery query = part(row, rows.range(row.hour()));
    assertThat(engine.store().count(query)).as("%s", query).isEqualTo(oracle.count(query));
  }

  private CountQuery part(RowKey row, ColumnRange range) {
    long before =
        switch (random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> Ticks.PER_MINUTE - 1; // steps that end with the first tick of a minute
          default -> 2L * random.nextInt(1 << 30);
        };
    long origin = row.hour().startTicks() - before;
    long step = random.nextBoolean() ? Ticks.PER_MINUTE : 1_000_000 + random.nextInt(1 << 30);
    return new CountQuery(row, range, origin, step);
  }

  private void rows(Hour hour) {
    List<RowEntry> expected = oracle.rows(hour);
    List<RowEntry> entries = engine.store().rows(hour);
    assertThat(entries.stream().map(RowEntry::row).toList())
        .isEqualTo(expected.stream().map(RowEntry::row).toList());
    for (int i = 0; i < entries.size(); i++) {
      compare(entries.get(i), expected.get(i));
    }
    mayMatch(hour);
  }

  /** Compares with all rows that have a column which passes; the engine may name more. */
  private void mayMatch(Hour hour) {
    FieldFilter filter = FILTERS.get(random.nextInt(FILTERS.size()));
    List<RowKey> matching =
        oracle.mayMatch(oracle.rows(hour), filter).stream().map(RowEntry::row).toList();
    List<RowEntry> all = engine.store().rows(hour);
    List<RowEntry> kept = engine.store().mayMatch(all, filter);
    assertThat(kept)
        .as("in the order of all")
        .isEqualTo(all.stream().filter(kept::contains).toList());
    assertThat(kept.stream().map(RowEntry::row).toList()).containsAll(matching);
  }

  private void compare(RowEntry entry, RowEntry expected) {
    assertThat(entry.first()).as("first of %s", entry.row()).isEqualTo(expected.first());
    assertThat(entry.last()).as("last of %s", entry.row()).isEqualTo(expected.last());
    assertThat(entry.columns()).as("columns").isGreaterThanOrEqualTo(expected.columns());
    assertThat(entry.bytes()).as("bytes").isGreaterThanOrEqualTo(expected.bytes());
    Manifest manifest = entry.manifest();
    if (manifest != null && entry.sealed()) {
      assertThat(manifest.columns()).as("sealed columns").isEqualTo(expected.columns());
      assertThat(manifest.bytes()).as("sealed bytes").isEqualTo(expected.bytes());
      assertThat(manifest.first()).as("sealed first").isEqualTo(expected.first());
      assertThat(manifest.last()).as("sealed last").isEqualTo(expected.last());
      assertThat(manifest.columnsByMinute()).as("minutes").isEqualTo(byMinute(entry.row()));
    }
    List<Column> content = oracle.read(entry.row());
    List<Column> before =
        cache
            .computeIfAbsent(entry.row(), any -> new HashMap<>())
            .putIfAbsent(entry.marks(), content);
    if (before != null) {
      assertThat(before).as("kept under the marks of %s", entry.row()).isEqualTo(content);
    }
  }

  private int[] byMinute(RowKey row) {
    CountQuery query =
        new CountQuery(row, ColumnRange.of(row.hour()), row.hour().startTicks(), Ticks.PER_MINUTE);
    Map<Integer, Long> byMinute = oracle.count(query).columnsByStep();
    return IntStream.range(0, 60)
        .map(minute -> Math.toIntExact(byMinute.getOrDefault(minute, 0L)))
        .toArray();
  }

  private void hours() {
    Hour from = rows.hour();
    Hour to = rows.hour();
    assertThat(engine.store().hours(from, to)).isEqualTo(oracle.hours(from, to));
  }

  private void seal() {
    if (engine.can(Limitation.NEVER_SEALS)) {
      engine.sealNow();
      Hour hour = rows.hour();
      assertThat(engine.store().rows(hour)).allMatch(RowEntry::sealed);
      rows(hour);
    }
  }

  private void drop() {
    RowKey row = rows.row();
    Hour hour = row.hour();
    if (engine.can(Limitation.DROPS_WHOLE_HOURS) && random.nextBoolean()) {
      engine.store().drop(row.typeHour());
      oracle.drop(row.typeHour());
    } else {
      engine.store().drop(hour);
      oracle.drop(hour);
    }
    rows(hour);
    // The engine may have dropped it in another test too.
    assertThat(engine.store().dropped(hour, hour)).containsAll(oracle.dropped(hour, hour));
  }

  private void reopen() {
    engine.reopen();
    if (!engine.can(Limitation.FORGETS_ON_CLOSE)) {
      oracle = new BlockingStore(new OracleStore());
      cache.clear();
    }
    rows(rows.hour());
  }
}
