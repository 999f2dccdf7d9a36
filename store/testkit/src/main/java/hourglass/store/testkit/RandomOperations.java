package hourglass.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
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
import hourglass.testing.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random operations on a store and on an oracle. They use few rows and names, so that most are
 * repeats, conflicts or edge cases.
 */
final class RandomOperations {
  private static final List<String> TYPES = List.of("checkout", "check|%\nout", "\ud83d\ude80");
  private static final int SHARDS = 2;
  private static final long[] LSBS = {Long.MIN_VALUE, -1, 0x8080808080808080L, 0, Long.MAX_VALUE};

  private static final List<FieldFilter> FILTERS =
      List.of(NumberFilter.ZERO, NumberFilter.text("\"n\":0"), NumberFilter.text("aaaa"));

  private final StoreFixture engine;
  private final Random random;
  private BlockingStore oracle = new BlockingStore(new OracleStore());

  private final Map<RowKey, Map<List<RowEntry.Mark>, List<Column>>> cache = new HashMap<>();

  private RandomOperations(StoreFixture engine, Random random) {
    this.engine = engine;
    this.random = random;
  }

  static void run(StoreFixture engine) {
    long seed = Seed.next(engine.getClass().getSimpleName());
    RandomOperations operations = new RandomOperations(engine, new Random(seed));
    int steps = Tier.length(600, 600, 20_000);
    for (int step = 0; step < steps; step++) {
      int dice = operations.random.nextInt(100);
      try {
        operations.run(dice);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dhourglass.seed=" + seed + ", step " + step + ", dice " + dice + ": " + e, e);
      }
    }
  }

  private void run(int dice) {
    if (dice < 40) {
      write();
    } else if (dice < 65) {
      slice();
    } else if (dice < 80) {
      count();
    } else if (dice < 90) {
      rows(hour());
    } else if (dice < 93) {
      hours();
    } else if (dice < 96) {
      seal();
    } else if (dice < 98) {
      drop();
    } else {
      reopen();
    }
  }

  private void write() {
    List<Mutation> mutations = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      mutations.add(mutation(row()));
    }
    engine.store().write(mutations);
    oracle.write(mutations);
  }

  private Mutation mutation(RowKey row) {
    List<Column> columns = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      columns.add(new Column(name(row.hour()), payload()));
    }
    return new Mutation(row, Column.pack(columns));
  }

  private String payload() {
    if (random.nextInt(3) == 0) {
      return "{\"copy\":%d,\"n\":%d}".formatted(random.nextInt(9), random.nextInt(4));
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300);
    StringBuilder payload = new StringBuilder();
    for (int i = 0; i < length; i++) {
      payload.append((char) (random.nextInt(4) == 0 ? random.nextInt(256) : 'a'));
    }
    return payload.toString();
  }

  private void slice() {
    RowKey row = row();
    Order order = random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
    int columnsMax = 1 + random.nextInt(random.nextBoolean() ? 8 : 500);
    SliceQuery query =
        new SliceQuery(row, range(row.hour()), order, columnsMax, Projection.COLUMNS);
    List<Column> all = oracle.walk(query);
    assertThat(engine.store().walk(query)).as("%s", query).isEqualTo(all);
    values();
    ColumnRange judged = range(row.hour());
    FieldFilter filter = FILTERS.get(random.nextInt(FILTERS.size()));
    SliceQuery filtered = query.withFilter(new SliceQuery.Filter(filter, judged));
    List<Column> matching = oracle.walk(filtered);
    assertThat(engine.store().walk(filtered))
        .as("%s", filtered)
        .isSubsetOf(all)
        .containsAll(matching);
  }

  private void values() {
    RowKey row = row();
    ColumnRange range = range(row.hour());
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
    RowKey row = row();
    CountQuery query = part(row, range(row.hour()));
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
    Hour from = hour();
    Hour to = hour();
    assertThat(engine.store().hours(from, to)).isEqualTo(oracle.hours(from, to));
  }

  private void seal() {
    if (engine.can(Limitation.NEVER_SEALS)) {
      engine.sealNow();
      Hour hour = hour();
      assertThat(engine.store().rows(hour)).allMatch(RowEntry::sealed);
      rows(hour);
    }
  }

  private void drop() {
    Hour hour = hour();
    engine.store().drop(hour);
    oracle.drop(hour);
    rows(hour);
  }

  private void reopen() {
    engine.reopen();
    if (!engine.can(Limitation.FORGETS_ON_CLOSE)) {
      oracle = new BlockingStore(new OracleStore());
      cache.clear();
    }
    rows(hour());
  }

  private Hour hour() {
    return new Hour(StoreFixture.HOUR.epochHours() + random.nextInt(3));
  }

  private RowKey row() {
    String type = TYPES.get(random.nextInt(TYPES.size()));
    return new RowKey(hour(), type, random.nextInt(SHARDS));
  }

  /** A range that ends at names, next to names or anywhere, possibly reversed. */
  private ColumnRange range(Hour hour) {
    return random.nextInt(4) == 0
        ? ColumnRange.of(hour)
        : new ColumnRange(bound(hour), bound(hour));
  }

  private TimeUuid bound(Hour hour) {
    TimeUuid name = name(hour);
    return random.nextBoolean() ? name : name.successor();
  }

  /** One of 120 names of an hour: 8 minutes, 3 ticks in each, 5 names per tick. */
  private TimeUuid name(Hour hour) {
    long minute = random.nextInt(8) * 7L * Ticks.PER_MINUTE;
    long ticks = hour.startTicks() + minute + random.nextInt(3);
    return new TimeUuid(ticks, LSBS[random.nextInt(LSBS.length)]);
  }
}
