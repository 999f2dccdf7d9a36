package hourglass.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bytes.Spans;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
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
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PagesOnDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of one and of several pages with indexes that they share, compared with all that was written
 * to them: in order and late, open and sealed, and some columns again with another payload, which
 * may be the larger one.
 */
class IndexedRowsTest {
  private static final ColumnRange HOUR = ColumnRange.of(TestStore.HOUR);
  private static final int USERS = 30_000;

  private final List<Written> rows =
      List.of(new Written("order", 0), new Written("order", 1), new Written("login", 0));

  /** All that was written to a row. */
  private static final class Written {
    private final RowKey key;
    private final List<Columns> columns = new ArrayList<>();
    private final TreeSet<TimeUuid> names = new TreeSet<>();

    private Written(String type, int shard) {
      key = new RowKey(TestStore.HOUR, type, shard);
    }
  }

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private Random random;
  private TestStore store;

  @BeforeEach
  void open(RepetitionInfo repetition) {
    random = Chance.random("IndexedRowsTest " + repetition.getCurrentRepetition());
    store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO));
    store.clock.set(TestStore.HOUR.end().plus(Duration.ofDays(1)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @RepeatedTest(2)
  void indexedAnswersAgreeWithAllPayloads() throws Exception {
    for (int round = 0; round < Chance.rounds(3, 5, 5); round++) {
      write(rows.get(random.nextInt(rows.size())), 12_000);
      write(rows.get(random.nextInt(rows.size())), 1 + random.nextInt(500));
      switch (random.nextInt(4)) {
        case 0 -> {}
        case 1 -> store.flush();
        case 2 -> {
          store.flush();
          store.reopen();
        }
        default -> {
          store.flush();
          store.seal();
        }
      }
      check();
    }
    store.flush();
    store.seal();
    check();
    for (Written row : rows) {
      if (!row.columns.isEmpty()) {
        store.manifest(row.key);
      }
    }
    assertThatFewPagesAreLookedAt();
  }

  private void assertThatFewPagesAreLookedAt() throws Exception {
    store.close();
    try (PageFiles files = PagesOnDisk.open(store.disk, store.files().dir())) {
      HourPages pages = PagesOnDisk.load(files, StoreFiles.KEEP, TestStore.HOUR, Set.of());
      long looks =
          IntStream.range(0, 100)
              .mapToLong(
                  n ->
                      pages.pages().stream()
                          .filter(page -> pages.mayMatchByIndex(page, new OfUser(USERS + n)))
                          .count())
              .sum();
      assertThat(looks).isLessThan(20L * pages.pages().size());
    }
    store.reopen();
  }

  private void write(Written row, int count) throws Exception {
    TreeSet<TimeUuid> some = new TreeSet<>();
    long start = random.nextInt(40) * Ticks.PER_MINUTE;
    List<TimeUuid> all = List.copyOf(row.names);
    boolean again = random.nextBoolean();
    for (int n = 0; n < count; n++) {
      if (again && !all.isEmpty() && random.nextInt(10) == 0) {
        some.add(all.get(random.nextInt(all.size())));
      } else {
        long ticks = TestStore.HOUR.startTicks() + start + random.nextInt(20 * 60_000) * 10_000L;
        some.add(new TimeUuid(ticks, TimeUuidGenerator.lsb(row.columns.size() * 1_000_000L + n)));
      }
    }
    ColumnsBuilder columns = new ColumnsBuilder(some.size(), 64 * some.size());
    for (TimeUuid name : some) {
      byte[] payload = payload();
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    Columns built = columns.build();
    row.names.addAll(some);
    row.columns.add(built);
    store.write(new Mutation(row.key, built));
  }

  private byte[] payload() {
    return "{\"user\":\"u%d\",\"note\":[%d]}"
        .formatted(random.nextInt(USERS), random.nextLong() >> random.nextInt(30))
        .getBytes(UTF_8);
  }

  private void check() throws Exception {
    for (int n = 0; n < 6; n++) {
      OfUser user = new OfUser(random.nextInt(USERS + 5));
      for (Written row : rows) {
        List<TimeUuid> expected = matching(Columns.merge(row.columns), user);
        assertThat(count(row.key, user)).isEqualTo(expected.size());
        assertThat(slices(row.key, user, Order.ASCENDING)).isEqualTo(expected);
        Collections.reverse(expected);
        assertThat(slices(row.key, user, Order.DESCENDING)).isEqualTo(expected);
      }
    }
  }

  private static List<TimeUuid> matching(Columns columns, OfUser user) {
    return new ArrayList<>(
        IntStream.range(0, columns.size())
            .filter(i -> user.mayMatch(columns, i))
            .mapToObj(columns::id)
            .toList());
  }

  private List<TimeUuid> slices(RowKey row, OfUser user, Order order) throws Exception {
    List<TimeUuid> found = new ArrayList<>();
    int max = 1 + random.nextInt(10_000);
    SliceQuery query =
        new SliceQuery(
            row, HOUR, order, max, Projection.COLUMNS, new SliceQuery.Filter(user, HOUR));
    for (boolean more = true; more; ) {
      Slice slice = store.engine().slice(query).toCompletableFuture().get();
      List<TimeUuid> matching = matching(slice.columns(), user);
      if (order == Order.DESCENDING) {
        Collections.reverse(matching);
      }
      found.addAll(matching);
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
    return found;
  }

  private int count(RowKey row, OfUser user) throws Exception {
    FieldQuery query = new FieldQuery(CountQuery.all(row), List.of(), user);
    FieldValues values = store.engine().values(query).toCompletableFuture().get();
    return IntStream.range(0, values.size()).map(values::count).sum()
        + values.whole().stream().mapToInt(whole -> matching(whole, user).size()).sum();
  }

  private record OfUser(int number) implements FieldFilter {
    private String value() {
      return "u" + number;
    }

    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      String text = new String(payload, from, to - from, UTF_8);
      int start = "{\"user\":".length();
      return Spans.of(from + start, from + text.indexOf(','));
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      byte[] json = ('"' + value() + '"').getBytes(UTF_8);
      return Arrays.equals(bytes, places.start(0), places.end(0), json, 0, json.length);
    }

    @Override
    public boolean surelyMatches(byte[] bytes, Spans places) {
      return mayMatch(bytes, places);
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of("user", value())));
    }
  }
}
