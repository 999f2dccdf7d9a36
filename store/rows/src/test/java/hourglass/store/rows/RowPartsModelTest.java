package hourglass.store.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.Spans;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValue;
import hourglass.store.FieldValues;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.testing.Seed;
import hourglass.testing.Shrink;
import hourglass.testing.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random parts, which overlap and have copies of columns, are read as the map of all their columns.
 * They are read once as parts that are all known, and once by random sections, as an engine gives
 * that reads from far away.
 */
class RowPartsModelTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "orders", 0);
  private static final int NAMES = 400;
  private static final int QUERIES = 12;

  @Test
  void randomPartsAgreeWithAModel() {
    long seed = Seed.next(getClass().getSimpleName());
    Random random = new Random(seed);
    for (int round = 0; round < Tier.length(150, 600, 20_000); round++) {
      long kind = random.nextLong();
      List<Long> parts = random.longs(random.nextInt(9)).boxed().toList();
      try {
        Shrink.check(parts, some -> new Row(kind, some).check());
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", round " + round + ": " + e.getMessage(), e);
      }
    }
  }

  /** Keeps the payloads that begin with a zero. */
  private enum Zero implements FieldFilter {
    FIRST;

    static boolean matches(String payload) {
      return payload.startsWith("0");
    }

    @Override
    public Spans find(byte[] payload, int from, int to) {
      return Spans.of(from, to);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return bytes[places.start(0)] == '0';
    }

    /** Returns a required value, so that parts are asked for it. */
    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of("first", "0")));
    }
  }

  /** A row of parts, and the map of the columns that it stands for. */
  private static final class Row {
    private final Random random;
    private final NavigableMap<TimeUuid, String> model = new TreeMap<>();
    private final RowParts<StoredPart> parts;
    private final RowPartsReader reader;

    Row(long kind, List<Long> seeds) {
      random = new Random(kind);
      boolean isNumbered = random.nextBoolean();
      int span = 1 + random.nextInt(NAMES);
      List<StoredPart> stored = new ArrayList<>();
      List<StoredPart> open = new ArrayList<>();
      for (long seed : seeds) {
        StoredPart part = part(new Random(seed), isNumbered, span);
        (new Random(seed).nextInt(4) == 0 ? open : stored).add(part);
      }
      parts = new RowParts<>(PartIndex.of(stored), open);
      reader = new RowPartsReader(random.nextBoolean() ? 0 : random.nextInt(1 << 16));
    }

    private StoredPart part(Random own, boolean isNumbered, int span) {
      NavigableMap<TimeUuid, String> columns = new TreeMap<>();
      int from = own.nextInt(NAMES);
      for (int n = 1 + own.nextInt(60); n > 0; n--) {
        int number = Math.min(NAMES - 1, from + own.nextInt(span));
        columns.put(name(number, isNumbered), own.nextInt(5) + "x".repeat(own.nextInt(9)));
      }
      columns.forEach(
          (name, payload) -> model.merge(name, payload, (a, b) -> a.compareTo(b) >= 0 ? a : b));
      Columns packed = pack(columns);
      return own.nextInt(5) == 0 ? new StoredPart(packed, null) : new StoredPart(packed);
    }

    /** Some names are in one tick. */
    private static TimeUuid name(int number, boolean isNumbered) {
      long ticks = HOUR.startTicks() + number / 3 * 25 * Ticks.PER_SECOND;
      return new TimeUuid(
          ticks, Long.MIN_VALUE + (isNumbered ? number : number * 0x9e37_79b9_7f4a_7c15L >>> 2));
    }

    void check() {
      for (int i = 0; i < QUERIES; i++) {
        slices();
        counts();
        values();
      }
    }

    private ColumnRange range() {
      return random.nextInt(3) == 0 ? ColumnRange.of(HOUR) : new ColumnRange(bound(), bound());
    }

    private TimeUuid bound() {
      TimeUuid name = name(random.nextInt(NAMES), true);
      TimeUuid stored = model.floorKey(name);
      return stored == null || random.nextInt(3) == 0
          ? name
          : random.nextBoolean() ? stored : stored.successor();
    }

    private void slices() {
      Order order = random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
      int columnsMax = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(90);
      SliceQuery query = new SliceQuery(ROW, range(), order, columnsMax, Projection.COLUMNS);
      NavigableMap<TimeUuid, String> expected = within(query.range());
      assertThat(read(query, this::slice)).as("%s", query).isEqualTo(expected);
      assertThat(read(query, this::sliceOfSections)).as("%s", query).isEqualTo(expected);
      SliceQuery names = new SliceQuery(ROW, query.range(), order, columnsMax, Projection.NAMES);
      assertThat(lengths(names)).as("%s", names).isEqualTo(lengths(expected));
      ColumnRange judged = range();
      SliceQuery filtered =
          query.withFilter(new SliceQuery.Filter(Zero.FIRST, judged, random.nextBoolean()));
      for (Function<SliceQuery, Slice> way :
          List.<Function<SliceQuery, Slice>>of(this::slice, this::sliceOfSections)) {
        NavigableMap<TimeUuid, String> found = read(filtered, way);
        assertThat(expected.entrySet()).as("%s", filtered).containsAll(found.entrySet());
        expected.forEach(
            (name, payload) -> {
              if (!judged.contains(name) || Zero.matches(payload)) {
                assertThat(found).as("%s", filtered).containsEntry(name, payload);
              }
            });
      }
    }

    private Slice slice(SliceQuery query) {
      return reader.slice(parts, query);
    }

    /** A slice of sections that end anywhere. */
    private Slice sliceOfSections(SliceQuery query) {
      SliceReader slice = new SliceReader(query, SliceReader.Limits.BYTES, PartLoader.UNCACHED);
      ColumnRange rest = query.range();
      boolean ascending = query.order() == Order.ASCENDING;
      for (boolean isDone = false; !isDone; ) {
        TimeUuid cut = bound();
        ColumnRange before = new ColumnRange(rest.from(), cut);
        ColumnRange after = new ColumnRange(cut, rest.to());
        boolean isCut = rest.contains(cut) && !before.isEmpty() && random.nextInt(4) > 0;
        ColumnRange section = !isCut ? rest : ascending ? before : after;
        isDone = slice.take(new Section(section, parts.in(section), !isCut, random.nextBoolean()));
        rest = ascending ? after : before;
      }
      return slice.slice();
    }

    private NavigableMap<TimeUuid, String> within(ColumnRange range) {
      return range.isEmpty()
          ? new TreeMap<>()
          : new TreeMap<>(model.subMap(range.from(), true, range.to(), false));
    }

    /** Follows a query to its end. */
    private static NavigableMap<TimeUuid, String> read(
        SliceQuery first, Function<SliceQuery, Slice> way) {
      NavigableMap<TimeUuid, String> all = new TreeMap<>();
      SliceQuery query = first;
      for (boolean more = true; more; ) {
        Slice slice = way.apply(query);
        assertThat(slice.columns().size()).isLessThanOrEqualTo(query.columnsMax());
        Map<TimeUuid, String> found = unpack(slice.columns());
        assertThat(all).as("each column is in one slice").doesNotContainKeys(keys(found));
        all.putAll(found);
        more = slice.more();
        query = more ? query.after(slice) : query;
      }
      return all;
    }

    private static TimeUuid[] keys(Map<TimeUuid, String> found) {
      return found.keySet().toArray(TimeUuid[]::new);
    }

    private static Map<TimeUuid, Integer> lengths(Map<TimeUuid, String> columns) {
      Map<TimeUuid, Integer> lengths = new TreeMap<>();
      columns.forEach((name, payload) -> lengths.put(name, payload.length()));
      return lengths;
    }

    private Map<TimeUuid, Integer> lengths(SliceQuery first) {
      Map<TimeUuid, Integer> lengths = new TreeMap<>();
      SliceQuery query = first;
      for (boolean more = true; more; ) {
        Slice slice = slice(query);
        assertThat(slice.columns().bytes()).isEmpty();
        for (int i = 0; i < slice.columns().size(); i++) {
          lengths.put(slice.columns().id(i), slice.columns().length(i));
        }
        more = slice.more();
        query = more ? query.after(slice) : query;
      }
      return lengths;
    }

    private CountQuery part() {
      long step =
          List.of(Ticks.PER_MINUTE, 7 * Ticks.PER_MINUTE, 7_000_000L, Ticks.PER_HOUR)
              .get(random.nextInt(4));
      long origin = HOUR.startTicks() - random.nextInt(2) * (random.nextInt(1000) + Ticks.PER_HOUR);
      return new CountQuery(ROW, range(), origin + random.nextInt(2) * (1 - step), step);
    }

    private void counts() {
      CountQuery query = part();
      Map<Integer, Long> steps = new HashMap<>();
      NavigableMap<TimeUuid, String> expected = within(query.range());
      expected.forEach((name, payload) -> steps.merge(query.step(name.ticks()), 1L, Long::sum));
      long bytes = expected.values().stream().mapToInt(String::length).sum();
      RowCounts counts = reader.count(parts, query);
      Map<Integer, Long> found = new HashMap<>(counts.columnsByStep());
      found.values().removeIf(count -> count == 0);
      assertThat(new RowCounts(counts.columns(), counts.bytes(), found))
          .as("%s", query)
          .isEqualTo(new RowCounts(expected.size(), bytes, steps));
    }

    /** A part keeps no fields apart, so that all columns are whole. */
    private void values() {
      CountQuery part = part();
      FieldFilter filter = random.nextBoolean() ? Zero.FIRST : null;
      FieldValues values = reader.values(parts, new FieldQuery(part, List.of(), filter));
      Map<TimeUuid, String> found = new TreeMap<>();
      for (Columns columns : values.whole()) {
        Map<TimeUuid, String> some = unpack(columns);
        assertThat(found).as("each column is there once").doesNotContainKeys(keys(some));
        found.putAll(some);
      }
      Map<TimeUuid, String> expected = within(part.range());
      assertThat(matching(found, filter)).as("%s", part).isEqualTo(matching(expected, filter));
      assertThat(expected.entrySet()).as("%s", part).containsAll(found.entrySet());
    }

    private static Map<TimeUuid, String> matching(
        Map<TimeUuid, String> columns, @Nullable FieldFilter filter) {
      Map<TimeUuid, String> found = new TreeMap<>(columns);
      found.values().removeIf(payload -> filter != null && !Zero.matches(payload));
      return found;
    }

    private static Columns pack(Map<TimeUuid, String> columns) {
      ColumnsBuilder packed = new ColumnsBuilder(columns.size(), 0);
      columns.forEach(
          (name, payload) ->
              packed.add(name.ticks(), name.lsb(), payload.getBytes(UTF_8), 0, payload.length()));
      return packed.build();
    }

    private static Map<TimeUuid, String> unpack(Columns columns) {
      Map<TimeUuid, String> found = new TreeMap<>();
      for (int i = 0; i < columns.size(); i++) {
        found.put(columns.id(i), new String(columns.payload(i), UTF_8));
      }
      return found;
    }
  }
}
