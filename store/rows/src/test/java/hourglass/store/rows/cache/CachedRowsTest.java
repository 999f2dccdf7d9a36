package hourglass.store.rows.cache;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.ByteSearch;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.TextFilter;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CachedRowsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final ColumnRange WHOLE = ColumnRange.of(HOUR);

  private final Random random = Seed.random(this);
  private final OracleStore oracle = new OracleStore();
  private final LatentStore store = new LatentStore(oracle);
  private RowCache cache = new RowCache(16 << 20, new SimpleMeterRegistry());

  @AfterEach
  void close() {
    cache.close();
    store.close();
  }

  private CachedRows rows() {
    return new CachedRows(store, cache, ForkJoinPool.commonPool());
  }

  @Test
  void answersAgreeWithTheStore() {
    write(12_000, 30, 900);
    oracle.sealNow();
    for (int i = 0; i < Tier.length(15, 50, 500); i++) {
      SliceQuery query = randomQuery();
      assertThat(all(query, true)).as("%s", query).isEqualTo(all(query, false));
    }
  }

  @Test
  void readsASealedRowOnce() {
    write(9_000, 100, 100);
    oracle.sealNow();
    SliceQuery query = whole(Order.ASCENDING, 1_000);
    List<String> first = all(query, true);
    int slices = store.slices();
    assertThat(all(query, true)).isEqualTo(first).hasSize(9_000);
    assertThat(all(whole(Order.DESCENDING, 777), true)).hasSize(9_000);
    assertThat(store.slices()).isEqualTo(slices);
  }

  @Test
  void leavesFiltersToTheStore() {
    write(3_000, 100, 100);
    oracle.sealNow();
    SliceQuery query = whole(Order.ASCENDING, 1_000);
    all(query, true);
    int slices = store.slices();
    FieldFilter filter = new TextFilter(new ByteSearch(new byte[] {'x'}, false));
    all(query.withFilter(new SliceQuery.Filter(filter, query.range())), true);
    assertThat(store.slices()).isGreaterThan(slices);
  }

  @Test
  void readsAnOpenRowEachTime() {
    write(500, 100, 100);
    all(whole(Order.ASCENDING, 1_000), true);
    int slices = store.slices();
    all(whole(Order.ASCENDING, 1_000), true);
    assertThat(store.slices()).isGreaterThan(slices);
  }

  @Test
  void showsALateWriteAtOnce() {
    write(3_000, 100, 100);
    oracle.sealNow();
    SliceQuery query = whole(Order.DESCENDING, 500);
    assertThat(all(query, true)).hasSize(3_000);
    for (int late = 1; late <= 5; late++) {
      write(1, 100, 100);
      assertThat(all(query, true)).as("open again").hasSize(3_000 + late);
      oracle.sealNow();
      assertThat(all(query, true)).as("sealed again").hasSize(3_000 + late);
    }
  }

  /** A long query knows the marks of the directory that it read at its beginning. */
  @Test
  void forgetsWhatWasReadBeforeAnErasure() {
    write(3_000, 100, 100);
    oracle.sealNow();
    RowEntry before = entry();
    ErasingStore erasing = ErasingStore.over(oracle);
    CachedRows rows = new CachedRows(erasing, cache, ForkJoinPool.commonPool());
    SliceQuery query = whole(Order.ASCENDING, 10);
    Columns first = rows.slice(before, query).toCompletableFuture().join().columns();
    Erasure erasure =
        new Erasure(
            new TimeUuid(HOUR.endTicks(), 0x9000_0000_0000_0000L),
            List.of(new ErasedRow(ROW, first.namesOnly())),
            List.of());
    erasing.erase(erasure).toCompletableFuture().join();
    for (int again = 0; again < 2; again++) {
      Columns left = rows.slice(before, query).toCompletableFuture().join().columns();
      assertThat(left.first()).isGreaterThan(first.last());
    }
    assertThat(oracle.erasures().all().toCompletableFuture().join().get(0).state())
        .isEqualTo(ErasureStatus.State.DONE);
  }

  /** A query that knows the erasure meets one that does not, and sets the older mark again. */
  @Test
  void answersAreNotFromChunksUnderAnOlderMark() {
    write(300, 100, 100);
    oracle.sealNow();
    SliceQuery query = whole(Order.ASCENDING, 10);
    Columns before = oracle.slice(query).toCompletableFuture().join().columns();
    AtomicReference<String> mark = new AtomicReference<>("before the erasure");
    List<Runnable> begun = new ArrayList<>();
    ForwardingStore marked =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return oracle;
          }

          @Override
          public CompletionStage<Object> erasureMark() {
            return CompletableFuture.completedFuture(mark.get());
          }

          @Override
          public CompletionStage<Slice> slice(SliceQuery asked) {
            return mark.get().startsWith("before")
                ? super.slice(asked)
                : CompletableFuture.completedFuture(new Slice(Columns.EMPTY, false));
          }
        };
    mark.set("after the erasure");
    CompletableFuture<Slice> answer =
        new CachedRows(marked, cache, begun::add).slice(entry(), query).toCompletableFuture();
    mark.set("before the erasure");
    CachedRows late = new CachedRows(marked, cache, Runnable::run);
    assertThat(late.slice(entry(), query).toCompletableFuture().join().columns().first())
        .isEqualTo(before.first());
    mark.set("after the erasure");
    for (int i = 0; i < begun.size(); i++) { // a task may add others
      begun.get(i).run();
    }
    assertThat(answer.join().columns().isEmpty()).isTrue();
  }

  @Test
  void doesNotKeepRowsThatDifferFromTheirManifest() {
    write(300, 100, 100);
    oracle.sealNow();
    RowEntry sealed = entry();
    write(7, 100, 100); // after the directory was read
    SliceQuery query = whole(Order.ASCENDING, 1_000);
    for (int again = 0; again < 2; again++) {
      Slice slice = rows().slice(sealed, query).toCompletableFuture().join();
      assertThat(slice.columns().size()).isBetween(1, 307);
    }
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    cache.close();
    cache = new RowCache(16 << 20, meters);
    rows().slice(sealed, query).toCompletableFuture().join();
    assertThat(meters.get("hourglass.query.row.cache.bytes").gauge().value()).isZero();
  }

  @Test
  void evictsTheLeastRecentlyUsedRows() {
    cache.close();
    int bytesMax = 8 << 20;
    SimpleMeterRegistry ofSmall = new SimpleMeterRegistry();
    cache = new RowCache(bytesMax, ofSmall);
    write(60_000, 100, 150);
    oracle.sealNow();
    List<String> expected = all(whole(Order.ASCENDING, 4_000), false);
    for (int i = 0; i < 3; i++) {
      assertThat(all(whole(Order.ASCENDING, 4_000), true)).isEqualTo(expected);
    }
    assertThat(ofSmall.get("hourglass.query.row.cache.evictions").counter().count()).isPositive();
    assertThat(ofSmall.get("hourglass.query.row.cache.bytes").gauge().value())
        .isBetween(1.0, (double) bytesMax);
  }

  @Test
  void aSliceHoldsNoMoreThanItsColumns() {
    write(9_000, 100, 100);
    oracle.sealNow();
    for (int again = 0; again < 2; again++) {
      Slice slice = rows().slice(entry(), whole(Order.ASCENDING, 10)).toCompletableFuture().join();
      assertThat(slice.columns().size()).isPositive();
      assertThat(slice.columns().bytes().length).isLessThan(10 * 200);
    }
  }

  @Test
  void leavesTooLargeRowsToTheStore() {
    write(40, 1 << 20, 1 << 20);
    oracle.sealNow();
    List<String> expected = all(whole(Order.ASCENDING, 10), false);
    assertThat(all(whole(Order.ASCENDING, 10), true)).isEqualTo(expected);
    assertThat(all(whole(Order.ASCENDING, 10), true)).isEqualTo(expected);
  }

  @Test
  void readsFewChunksWholeAtATime() {
    write(3_000, 10, 50);
    oracle.sealNow();
    SliceQuery query = whole(Order.ASCENDING, 10);
    CompletableFuture<Slice> held = new CompletableFuture<>();
    WideColumnStore slow =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return oracle;
          }

          @Override
          public CompletionStage<Slice> slice(SliceQuery asked) {
            return asked.equals(query)
                ? oracle.slice(asked)
                : held.thenCompose(go -> super.slice(asked));
          }
        };
    CachedRows rows = new CachedRows(slow, cache, Runnable::run);
    List<CompletableFuture<Slice>> loading = new ArrayList<>();
    for (int i = 0; i < CachedRows.LOADS_MAX; i++) {
      loading.add(rows.slice(entry(), query).toCompletableFuture());
    }
    Slice direct = rows.slice(entry(), query).toCompletableFuture().join();
    assertThat(loading).noneMatch(CompletableFuture::isDone);
    held.complete(direct);
    for (CompletableFuture<Slice> loaded : loading) {
      assertThat(loaded.join().columns().last()).isEqualTo(direct.columns().last());
    }
  }

  @Test
  void countsASealedRowFromItsManifest() {
    write(5_000, 10, 50);
    CountQuery minutes = new CountQuery(ROW, WHOLE, HOUR.startTicks(), Ticks.PER_MINUTE);
    CountQuery seconds = new CountQuery(ROW, WHOLE, HOUR.startTicks(), Ticks.PER_SECOND);
    CountQuery part =
        new CountQuery(
            ROW,
            ColumnRange.ofTicks(HOUR.startTicks() + 7, HOUR.startTicks() + 20 * Ticks.PER_MINUTE),
            HOUR.startTicks(),
            Ticks.PER_MINUTE);
    oracle.sealNow();
    List<CountQuery> counted = new ArrayList<>();
    WideColumnStore counting =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return oracle;
          }

          @Override
          public CompletionStage<RowCounts> count(CountQuery query) {
            counted.add(query);
            return super.count(query);
          }
        };
    RowSource rows = cache.over(counting, Runnable::run);
    for (CountQuery query : List.of(minutes, seconds, part)) {
      assertThat(rows.count(entry(), query).toCompletableFuture().join())
          .isEqualTo(oracle.count(query).toCompletableFuture().join());
    }
    assertThat(counted).containsExactly(seconds, part);
  }

  @Test
  void readsFromTheStoreOnceClosed() {
    write(3_000, 10, 50);
    oracle.sealNow();
    all(whole(Order.ASCENDING, 4_000), true);
    cache.close();
    assertThat(all(whole(Order.ASCENDING, 4_000), true)).hasSize(3_000);
  }

  /** Events in the whole hour, most of them in a few busy minutes. */
  private void write(int count, int bytesMin, int bytesMax) {
    ColumnsBuilder columns = new ColumnsBuilder(count, count * bytesMax);
    for (int i = 0; i < count; i++) {
      int minute = random.nextInt(4) > 0 ? 17 + random.nextInt(3) : random.nextInt(60);
      long ticks =
          HOUR.startTicks()
              + minute * Ticks.PER_MINUTE
              + (long) (random.nextDouble() * Ticks.PER_MINUTE);
      byte[] payload = new byte[bytesMin + random.nextInt(bytesMax - bytesMin + 1)];
      random.nextBytes(payload);
      columns.add(ticks, random.nextLong() >>> 2 | Long.MIN_VALUE, payload, 0, payload.length);
    }
    store.write(List.of(new Mutation(ROW, columns.build()))).toCompletableFuture().join();
  }

  private SliceQuery randomQuery() {
    TimeUuid a = TimeUuid.first(randomTicks());
    TimeUuid b = TimeUuid.first(randomTicks());
    return new SliceQuery(
        ROW,
        random.nextInt(10) == 0 ? WHOLE : new ColumnRange(a, b),
        random.nextBoolean() ? Order.ASCENDING : Order.DESCENDING,
        1 + random.nextInt(random.nextBoolean() ? 5_000 : 300),
        random.nextBoolean() ? Projection.COLUMNS : Projection.NAMES);
  }

  private long randomTicks() {
    long minute = random.nextInt(61) * Ticks.PER_MINUTE;
    return HOUR.startTicks() + minute + (random.nextBoolean() ? 0 : random.nextInt(600_000_000));
  }

  private static SliceQuery whole(Order order, int columnsMax) {
    return new SliceQuery(ROW, WHOLE, order, columnsMax, Projection.COLUMNS);
  }

  private RowEntry entry() {
    return oracle.rows(HOUR).toCompletableFuture().join().get(0);
  }

  /** Walks to the end of a range, or some slices of it. */
  private List<String> all(SliceQuery first, boolean cached) {
    RowEntry entry = entry();
    List<String> texts = new ArrayList<>();
    SliceQuery query = first;
    while (texts.size() < 60_000) {
      Slice slice =
          (cached ? rows().slice(entry, query) : oracle.slice(query)).toCompletableFuture().join();
      Columns columns = slice.columns();
      assertThat(columns.size()).isLessThanOrEqualTo(query.columnsMax());
      for (int i = 0; i < columns.size(); i++) {
        int at = query.order() == Order.ASCENDING ? i : columns.size() - 1 - i;
        texts.add(
            columns.id(at)
                + " "
                + columns.length(at)
                + (query.projection() == Projection.NAMES
                    ? ""
                    : " " + Arrays.hashCode(columns.payload(at))));
      }
      if (!slice.more()) {
        return texts;
      }
      query = query.after(slice);
    }
    throw new AssertionError("no end: " + first);
  }
}
