package hourglass.store.cassandra.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.Spans;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValue;
import hourglass.store.FieldValues;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.OneNode;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Shrink;
import hourglass.testing.Tier;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random writes to a table of packs and its pages on a real node, compared with an obviously
 * correct store.
 */
class PacksModelTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int BATCH_BYTES = 64 << 10;
  private static final int QUERIES_A_WRITE = 3;

  /** More of them while all columns are in pages, until the next write. */
  private static final int QUERIES_SEALED = 15;

  /** The longest values, so that a page of results has thousands, 20, 3 or 1 of them. */
  private static final int[] LONGEST = {0, 400_000, 2_700_000, 8 << 20};

  private static final int[] HEADS_A_PAGE = {5_000, 50, 4, 1};

  /** Columns of a row that is read by small pages. */
  private static final int SMALL = 600;

  /** Pages of some rows, so that they have many of them in several indexes. */
  private static final int SMALL_PAGE_COLUMNS = 48;

  private static final int SMALL_INDEX_PAGES = 5;

  /** Writes go without a check. */
  private static final Supplier<CompletionStage<Void>> UNCHECKED =
      () -> CompletableFuture.completedFuture(null);

  private static String keyspace;
  private static Cql cql;
  private static PacksTable table;

  private int types;

  @BeforeAll
  static void open() {
    keyspace = OneNode.freshKeyspace();
    cql = OneNode.cql(keyspace);
    table = await(PacksTable.prepare(cql, RetentionClass.KEEP, BATCH_BYTES, new HeadCache()));
  }

  @AfterAll
  static void close() {
    cql.session().close();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void randomReadsOfPacksAgreeWithAModel() {
    long seed = Seed.next(getClass().getSimpleName());
    Random random = new Random(seed);
    for (int round = 0; round < Tier.length(4, 12, 300); round++) {
      long kind = random.nextLong();
      List<Long> writes = random.longs(4 + random.nextInt(16)).boxed().toList();
      try {
        Shrink.check(writes, some -> run(kind, some));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", round " + round + ": " + e.getMessage(), e);
      }
    }
  }

  /**
   * A row of its own: what is written, sealed and asked follows from numbers, one for each write.
   */
  private void run(long kind, List<Long> writes) {
    Run run = new Run(new RowKey(HOUR, "type " + types++, 0), new Random(kind));
    for (long write : writes) {
      run.random.setSeed(write);
      run.write();
      run.sealOrClean();
      for (int query = run.isSealed() ? -QUERIES_SEALED : 0; query < QUERIES_A_WRITE; query++) {
        run.query();
      }
    }
  }

  /** A column as it is compared. */
  private record Column(TimeUuid name, String payload) {}

  private static List<Column> unpack(Columns columns) {
    List<Column> unpacked = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      unpacked.add(new Column(columns.id(i), new String(columns.payload(i), ISO_8859_1)));
    }
    return unpacked;
  }

  private static Columns pack(List<Column> columns) {
    ColumnsBuilder packed = new ColumnsBuilder(columns.size(), 0);
    for (Column column : columns) {
      byte[] payload = column.payload().getBytes(ISO_8859_1);
      packed.add(column.name().ticks(), column.name().lsb(), payload, 0, payload.length);
    }
    return packed.build();
  }

  /** One row. */
  private static final class Run {
    private final RowKey row;
    private final Random random;
    private final OracleStore oracle = new OracleStore();

    /** Some rows have few names, so that most writes repeat them. */
    private final int minutes;

    /** Some rows have large payloads, which make many pages. */
    private final int textMax;

    /** Some rows have many pages, most of them with an index that tells them apart. */
    private final boolean hasSmallPages;

    private final List<List<Column>> writes = new ArrayList<>();

    private @Nullable Seal seal;

    /** The columns of the oracle, ascending. */
    private List<Column> all = List.of();

    Run(RowKey row, Random random) {
      this.row = row;
      this.random = random;
      this.minutes = random.nextBoolean() ? 2 : 60;
      this.textMax = random.nextInt(3) == 0 ? 600 : 9;
      this.hasSmallPages = random.nextBoolean();
    }

    void write() {
      List<Column> columns = columns();
      writes.add(columns);
      await(oracle.write(List.of(new Mutation(row, pack(columns)))));
      // Some of them together, as in a group of writes.
      int cut = random.nextInt(columns.size());
      List<Columns> group =
          cut == 0 || random.nextBoolean()
              ? List.of(pack(columns))
              : List.of(pack(columns.subList(0, cut)), pack(columns.subList(cut, columns.size())));
      await(table.insert(row, 0, 0, Columns.merge(group), group, UNCHECKED));
      seal =
          seal == null ? null : new Seal(seal.number(), RetentionClass.KEEP, seal.columns(), false);
      SliceQuery query =
          new SliceQuery(
              row, ColumnRange.of(HOUR), Order.ASCENDING, Integer.MAX_VALUE, Projection.COLUMNS);
      all = unpack(await(oracle.slice(query)).columns());
    }

    /** Then columns are in pages, in packs, or in both. */
    void sealOrClean() {
      int dice = random.nextInt(7);
      if (dice == 0) {
        long number = seal == null ? 1 : seal.number() + 1;
        try (RowPages pages =
            hasSmallPages
                ? table.newPages(row, number, SMALL_PAGE_COLUMNS, SMALL_INDEX_PAGES)
                : table.newPages(row, 0, number)) {
          for (int from = 0; from < all.size(); ) {
            int to = Math.min(all.size(), from + 1 + random.nextInt(3_000));
            pages.add(pack(all.subList(from, to)));
            from = to;
          }
          await(pages.finish());
        }
        seal = new Seal(number, RetentionClass.KEEP, all.size(), random.nextInt(3) > 0);
      } else if (dice == 1 && seal != null) {
        await(table.deleteReplacedPacks(row, 0, seal, table));
        await(table.deletePagesBefore(row, 0, seal.number()));
      }
    }

    boolean isSealed() {
      return seal != null && seal.isWhole();
    }

    private List<Column> columns() {
      int dice = all.isEmpty() ? 0 : random.nextInt(100);
      if (dice < 35) {
        return fresh(1 + random.nextInt(random.nextBoolean() ? 400 : 40), ticks());
      }
      if (dice < 45) {
        return writes.get(random.nextInt(writes.size()));
      }
      if (dice < 60) {
        return cutOtherwise();
      }
      if (dice < 70) {
        return otherPayloads();
      }
      if (dice < 82) {
        return fromOneName();
      }
      if (dice < 98) {
        return fresh(1 + random.nextInt(7), ticks());
      }
      return fresh(3_000 + random.nextInt(7_000), ticks());
    }

    /** Sorted names within some ticks, a second or a minute from a tick on. */
    private List<Column> fresh(int count, long from) {
      long span = List.of(100L, Ticks.PER_SECOND, Ticks.PER_MINUTE).get(random.nextInt(3));
      long end = HOUR.endTicks();
      List<Column> columns = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long ticks = Math.min(end - 1, from + random.nextLong(span));
        columns.add(new Column(new TimeUuid(ticks, lsb(i)), payload()));
      }
      return unpack(pack(columns));
    }

    /** Numbered ones and hashes. */
    private long lsb(int i) {
      return random.nextInt(4) == 0 ? random.nextLong() | Long.MIN_VALUE : Long.MIN_VALUE + i;
    }

    private long ticks() {
      long minute = HOUR.startTicks() + random.nextInt(minutes) * Ticks.PER_MINUTE;
      return minute + (random.nextBoolean() ? 0 : random.nextLong(Ticks.PER_MINUTE));
    }

    private String payload() {
      int kind = random.nextInt(hasSmallPages ? 400 : 20);
      if (kind == 0) {
        return "";
      }
      if (kind == 1) {
        byte[] noise = new byte[random.nextInt(3_000)];
        random.nextBytes(noise);
        return new String(noise, ISO_8859_1).replace("\"n\":", "");
      }
      String text = "fox ".repeat(random.nextInt(textMax));
      return hasSmallPages
          ? "{\"id\":\"%016x%016x\",\"text\":\"%s\",\"n\":%d}"
              .formatted(
                  random.nextLong(), random.nextLong(), text, Math.max(0, random.nextInt(900) - 5))
          : "{\"text\":\"%s\",\"n\":%d}".formatted(text, random.nextInt(4));
    }

    /** Columns that are there, from several writes. */
    private List<Column> cutOtherwise() {
      int from = random.nextInt(all.size());
      return all.subList(from, Math.min(all.size(), from + 1 + random.nextInt(400)));
    }

    private List<Column> otherPayloads() {
      return cutOtherwise().stream().map(column -> new Column(column.name(), payload())).toList();
    }

    /** A pack that begins with a name that is there, or a copy of that alone. */
    private List<Column> fromOneName() {
      Column first = all.get(random.nextInt(Math.min(3, all.size())));
      List<Column> columns = new ArrayList<>();
      columns.add(new Column(first.name(), payload()));
      if (random.nextBoolean()) {
        columns.addAll(fresh(20, Math.min(HOUR.endTicks() - 1, first.name().ticks() + 1)));
      }
      return columns;
    }

    void query() {
      int dice = random.nextInt(10);
      if (dice < 6) {
        slice();
      } else if (dice < 8) {
        count();
      } else {
        values();
      }
    }

    private void slice() {
      Order order = random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING;
      Projection projection = random.nextInt(4) == 0 ? Projection.NAMES : Projection.COLUMNS;
      int[] limits = {1 + all.size() / 7, 1 + all.size() / 3, 5_000, Integer.MAX_VALUE};
      int columnsMax = limits[random.nextInt(limits.length)];
      SliceQuery query = new SliceQuery(row, range(), order, columnsMax, projection);
      int longest = longest();
      List<Column> expected =
          all.stream().filter(column -> query.range().contains(column.name())).toList();
      if (projection == Projection.NAMES) {
        assertThat(lengths(walk(read -> table.slice(read, longest, seal), query)))
            .as("%s, %d, %s", query, longest, seal)
            .isEqualTo(
                expected.stream()
                    .map(column -> column.name() + " " + column.payload().length())
                    .toList());
        return;
      }
      assertThat(unpack(walk(read -> table.slice(read, longest, seal), query)))
          .as("%s, %d, %s", query, longest, seal)
          .isEqualTo(expected);
      ColumnRange judged = range();
      SliceQuery filtered = query.withFilter(new SliceQuery.Filter(Zero.N, judged));
      List<Column> found = unpack(walk(read -> table.slice(read, longest, seal), filtered));
      Set<Column> among = new HashSet<>(found);
      assertThat(new HashSet<>(expected).containsAll(among)).as("%s: no other", filtered).isTrue();
      expected.stream()
          .filter(column -> !judged.contains(column.name()) || Zero.matches(column))
          .filter(column -> !among.contains(column))
          .forEach(column -> fail("%s: no %s", filtered, column));
    }

    /** Follows a query to its end. */
    private static Columns walk(
        Function<SliceQuery, CompletionStage<Slice>> store, SliceQuery query) {
      List<Columns> parts = new ArrayList<>();
      Slice slice = new Slice(Columns.EMPTY, false);
      SliceQuery rest = query;
      do {
        slice = query.range().isEmpty() ? slice : await(store.apply(rest));
        assertThat(slice.columns().size()).isLessThanOrEqualTo(query.columnsMax());
        parts.add(slice.columns());
        rest = slice.more() ? rest.after(slice) : rest;
      } while (slice.more());
      if (query.order() == Order.DESCENDING) {
        Collections.reverse(parts);
      }
      int size = parts.stream().mapToInt(Columns::size).sum();
      Columns all = Columns.merge(parts);
      assertThat(all.size()).as("each column is in one slice").isEqualTo(size);
      return all;
    }

    private static List<String> lengths(Columns columns) {
      List<String> lengths = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        lengths.add(columns.id(i) + " " + columns.length(i));
      }
      return lengths;
    }

    private void count() {
      CountQuery query = part();
      int longest = longest();
      int headsMax = HEADS_A_PAGE[random.nextInt(all.size() < SMALL ? 4 : 2)];
      assertThat(await(table.count(query, headsMax, longest, seal)))
          .as("%s, %d, %d, %s", query, headsMax, longest, seal)
          .isEqualTo(await(oracle.count(query)));
    }

    private CountQuery part() {
      boolean whole = random.nextBoolean();
      long step = whole ? (1 + random.nextInt(9)) * Ticks.PER_MINUTE : 1 + random.nextInt(1 << 30);
      long origin = HOUR.startTicks() - (whole ? 0 : random.nextInt(1 << 20));
      return new CountQuery(row, range(), origin, Math.max(step, 1 << 20));
    }

    private void values() {
      CountQuery part = part();
      if (part.range().isEmpty()) {
        return;
      }
      boolean filtered = random.nextBoolean();
      int longest = longest();
      FieldQuery query = new FieldQuery(part, List.of(Zero.N::find), filtered ? Zero.N : null);
      Map<String, Long> expected = new TreeMap<>();
      all.stream()
          .filter(column -> part.range().contains(column.name()))
          .filter(column -> !filtered || Zero.matches(column))
          .forEach(column -> expected.merge(entry(part, column), 1L, Long::sum));
      assertThat(counts(await(table.values(query, longest, seal)), part, filtered))
          .as("%s, %d, %s", query, longest, seal)
          .isEqualTo(expected);
    }

    private static Map<String, Long> counts(FieldValues values, CountQuery part, boolean filtered) {
      Map<String, Long> counts = new TreeMap<>();
      for (int i = 0; i < values.size(); i++) {
        int from = values.start(i, 0);
        String value = new String(values.bytes(), from, values.end(i, 0) - from, ISO_8859_1);
        counts.merge(values.step(i) + ":" + value, (long) values.count(i), Long::sum);
      }
      values.whole().stream()
          .flatMap(columns -> unpack(columns).stream())
          .filter(column -> !filtered || Zero.matches(column))
          .forEach(column -> counts.merge(entry(part, column), 1L, Long::sum));
      return counts;
    }

    private static String entry(CountQuery part, Column column) {
      byte[] payload = column.payload().getBytes(ISO_8859_1);
      Spans place = Zero.N.find(payload, 0, payload.length);
      return part.step(column.name().ticks())
          + ":"
          + new String(payload, place.start(0), place.end(0) - place.start(0), ISO_8859_1);
    }

    private int longest() {
      return LONGEST[random.nextInt(all.size() < SMALL ? 4 : 2)];
    }

    private ColumnRange range() {
      return random.nextInt(4) == 0 ? ColumnRange.of(HOUR) : new ColumnRange(bound(), bound());
    }

    private TimeUuid bound() {
      int dice = random.nextInt(4);
      TimeUuid name = all.get(random.nextInt(all.size())).name();
      return dice == 0
          ? TimeUuid.first(HOUR.startTicks() + random.nextInt(61) * Ticks.PER_MINUTE)
          : dice == 1 ? TimeUuid.first(ticks()) : dice == 2 ? name : name.successor();
    }
  }

  /** A filter on the last member of a payload: its number is 0. */
  private enum Zero implements FieldFilter {
    N;

    static boolean matches(Column column) {
      return column.payload().endsWith("\"n\":0}");
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of("n", BigDecimal.ZERO)));
    }

    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      int key = new String(payload, from, to - from, ISO_8859_1).indexOf("\"n\":");
      return key < 0 ? new Spans(1) : Spans.of(from + key + 4, to - 1);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return places.end(0) - places.start(0) == 1 && bytes[places.start(0)] == '0';
    }

    @Override
    public boolean surelyMatches(byte[] bytes, Spans places) {
      return mayMatch(bytes, places);
    }
  }

  @Test
  void aDamagedPackIsNamed() {
    RowKey row = new RowKey(HOUR, "damaged", 0);
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      columns.add(new Column(TimeUuid.first(HOUR.startTicks() + i), "{\"n\":" + i + "}"));
    }
    await(table.insert(row, 0, 0, pack(columns), List.of(pack(columns)), UNCHECKED));
    String packs = keyspace + ".packs_keep";
    ByteBuffer body =
        cql.session()
            .execute("SELECT body FROM " + packs + " WHERE row = ?", row.toString())
            .one()
            .getByteBuffer(0);
    body.put(body.remaining() / 2, (byte) ~body.get(body.remaining() / 2));
    cql.session()
        .execute(
            "UPDATE " + packs + " SET body = ? WHERE row = ? AND id = ? AND digest = ?",
            body,
            row.toString(),
            columns.get(0).name().toUuid(),
            PackCodec.encode(pack(columns)).get(0).digest());
    SliceQuery all =
        new SliceQuery(row, ColumnRange.of(HOUR), Order.ASCENDING, 10, Projection.COLUMNS);
    CountQuery parts = new CountQuery(row, all.range(), HOUR.startTicks(), 50); // of one pack
    for (CompletionStage<?> answer :
        List.of(
            table.slice(all, 0, null),
            table.count(parts, 0, null),
            table.values(new FieldQuery(parts, List.of(), null), 0, null))) {
      assertThatThrownBy(() -> await(answer))
          .hasCauseInstanceOf(CorruptException.class)
          .hasMessageContaining("packs_keep, row " + row + ", pack " + columns.get(0).name())
          .hasMessageContaining("the body does not match its checksum");
    }
    assertThat(await(table.count(CountQuery.all(row), 0, null)).columns())
        .as("by its head")
        .isEqualTo(100);
  }
}
