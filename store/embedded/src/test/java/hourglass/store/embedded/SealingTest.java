package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Manifest;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.embedded.files.FileUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that became quiet are accounted for exactly, and their pages put in order. */
class SealingTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey OTHER = new RowKey(HOUR, "search", 1);
  private static final Duration SEAL_AFTER = Duration.ofMinutes(10);

  private final Random random = Chance.random("SealingTest");
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.sealAfter(SEAL_AFTER));
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Minutes after the end of the hour, and milliseconds before that. */
  private void sealAt(int minutes, int millisBefore) {
    store.clock.set(HOUR.end().plus(Duration.ofMinutes(minutes)).minusMillis(millisBefore));
    store.seal();
  }

  private void sealLongAfter() {
    store.clock.set(store.clock.instant().plus(Duration.ofDays(1)));
    store.seal();
  }

  @Test
  void aRowIsSealedAfterItsHourAndTheDelay() {
    store.write(columns(ROW, 0, 10));
    store.seal();
    assertThat(store.entry(ROW).sealed()).as("in its hour").isFalse();
    sealAt(10, 1);
    assertThat(store.entry(ROW).sealed()).as("a millisecond early").isFalse();
    sealAt(10, 0);
    assertThat(store.entry(ROW).sealed()).as("in time").isTrue();
    store.check();
  }

  @Test
  void aRowIsSealedAfterAQuietTime() {
    store.write(columns(OTHER, 0, 10));
    store.clock.set(HOUR.end().plus(Duration.ofMinutes(5)));
    store.write(columns(ROW, 0, 10));
    sealAt(15, 1);
    assertThat(store.entry(ROW).sealed()).as("a millisecond early").isFalse();
    assertThat(store.entry(OTHER).sealed()).as("another row, quiet since").isTrue();
    sealAt(15, 0);
    assertThat(store.entry(ROW).sealed()).as("in time").isTrue();
    store.check();
  }

  @Test
  void aManifestAgreesWithAFullRead() throws IOException {
    RandomWrites writes = new RandomWrites(random, 2);
    for (int i = 0; i < Chance.rounds(50, 150, 3_000); i++) {
      store.write(writes.next().toArray(Mutation[]::new));
      if (random.nextInt(12) == 0) {
        store.flush();
      }
    }
    sealLongAfter();
    checkManifests();
    store.reopen();
    checkManifests();
    store.kill();
    checkManifests();
    store.check();
  }

  private void checkManifests() {
    for (RowKey row : store.expectation.rows()) {
      Manifest manifest = store.manifest(row);
      Columns read = Columns.merge(Expectation.read(store.engine(), row, Order.ASCENDING));
      assertThat(manifest.columns()).as("columns of %s", row).isEqualTo(read.size());
      assertThat(manifest.bytes()).as("bytes of %s", row).isEqualTo(read.payloadBytes());
      assertThat(manifest.first()).isEqualTo(read.first());
      assertThat(manifest.last()).isEqualTo(read.last());
      int[] minutes = new int[60];
      for (int i = 0; i < read.size(); i++) {
        long millis = (read.ticks(i) - row.hour().startTicks()) / 10_000;
        minutes[(int) (millis / 60_000)]++;
      }
      assertThat(manifest.columnsByMinute()).as("minutes of %s", row).isEqualTo(minutes);
    }
  }

  @Test
  void aDigestDependsOnlyOnTheContent() {
    byte[][] payloads = new byte[600][];
    Arrays.setAll(payloads, n -> Chance.bytes(random, random.nextInt(300)));
    RowKey third = new RowKey(HOUR, "third", 0);
    store.write(columns(ROW, 0, 600, n -> payloads[n]));
    List<Integer> numbers = new ArrayList<>();
    for (int n = 0; n < 600; n += 20) {
      numbers.add(n);
      numbers.add(n); // sent again
    }
    Collections.shuffle(numbers, random);
    for (int n : numbers) {
      store.write(columns(OTHER, n, n + 20, i -> payloads[i]));
      if (n % 200 == 0) {
        store.flush();
      }
    }
    int changed = random.nextInt(600);
    payloads[changed] = Arrays.copyOf(payloads[changed], payloads[changed].length + 1);
    store.write(columns(third, 0, 600, n -> payloads[n]));
    sealLongAfter();
    long digest = store.manifest(ROW).digest();
    assertThat(store.manifest(OTHER).digest()).isEqualTo(digest);
    assertThat(store.manifest(third).digest()).as("a payload a byte longer").isNotEqualTo(digest);
  }

  @Test
  void aLateWriteReopensTheRowUntilItIsSealedAgain() throws IOException {
    store.write(columns(ROW, 0, 50), columns(OTHER, 0, 50));
    sealLongAfter();
    List<RowEntry.Mark> marks = store.entry(ROW).marks();
    store.write(columns(ROW, 40, 60));
    checkReopened(marks);
    store.kill();
    checkReopened(marks);
    store.flush();
    store.reopen();
    checkReopened(marks);
    store.clock.set(store.clock.instant().plus(SEAL_AFTER));
    store.seal();
    assertThat(store.manifest(ROW).columns()).isEqualTo(60);
    store.check();
  }

  private void checkReopened(List<RowEntry.Mark> before) {
    RowEntry entry = store.entry(ROW);
    assertThat(entry.marks()).isNotEqualTo(before);
    assertThat(entry.sealed()).isFalse();
    assertThat(store.entry(OTHER).sealed()).as("another row").isTrue();
    store.check();
  }

  @Test
  void smallPagesAreCompactedWhileReadersRead() throws Exception {
    for (int i = 0; i < 60; i++) {
      store.write(columns(ROW, 3 * i, 3 * i + 20)); // each overlaps the next
      store.flush();
    }
    assertThat(store.pages("keep", HOUR).pages().size()).isEqualTo(60);
    Columns before = readFirst(197);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> reads =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!done.get() || count == 0) {
                assertThat(readFirst(197)).usingRecursiveComparison().isEqualTo(before);
                count++;
              }
              return count;
            });
    try {
      for (int late = 300; late < 310; late++) {
        sealLongAfter();
        store.write(columns(ROW, late, late + 1));
      }
      sealLongAfter();
    } finally {
      done.set(true);
    }
    assertThat(Expectation.await(reads)).isPositive();
    assertThat(store.pages("keep", HOUR).pages().size()).isLessThan(6);
    checkSealed(197 + 10);
    store.reopen();
    checkSealed(197 + 10);
    store.kill();
    checkSealed(197 + 10);
  }

  /** The columns of the first numbers, in arrays of their own, after they were counted. */
  private Columns readFirst(int numbers) {
    ColumnRange range =
        new ColumnRange(NumberedColumns.name(HOUR, 0), NumberedColumns.name(HOUR, numbers));
    CountQuery count = new CountQuery(ROW, range, HOUR.startTicks(), Ticks.PER_MINUTE);
    assertThat(Expectation.await(store.engine().count(count)).columns()).isEqualTo(numbers);
    SliceQuery query =
        new SliceQuery(ROW, range, Order.ASCENDING, numbers, SliceQuery.Projection.COLUMNS);
    Slice slice = Expectation.await(store.engine().slice(query));
    ColumnsBuilder read = new ColumnsBuilder(numbers, 16 * numbers);
    add(read, slice.columns());
    while (slice.more()) {
      query = query.after(slice);
      slice = Expectation.await(store.engine().slice(query));
      add(read, slice.columns());
    }
    return read.build();
  }

  private static void add(ColumnsBuilder to, Columns columns) {
    for (int i = 0; i < columns.size(); i++) {
      byte[] payload = columns.payload(i);
      to.add(columns.ticks(i), columns.lsb(i), payload, 0, payload.length);
    }
  }

  private void checkSealed(int columns) {
    assertThat(store.manifest(ROW).columns()).isEqualTo(columns);
    store.check();
  }

  @Test
  void filesOfReplacedPagesAreDeleted() throws IOException {
    for (int late = 0; late < 6; late++) {
      for (int i = 0; i < 10; i++) {
        int number = 10 * late + i;
        store.write(columns(ROW, 50 * number, 50 * number + 60, n -> Chance.bytes(random, 200)));
        store.flush();
      }
      sealLongAfter();
      long live = store.fileUse().stream().mapToLong(FileUse::liveBytes).sum();
      assertThat(bytes()).as("on disk").isLessThan(live + live / 4 + 10_000);
      assertThat(store.pageFiles().size()).as("files").isLessThan(4);
    }
    store.check();
    store.reopen();
    store.check();
    store.write(columns(ROW, 0, 4_000));
    sealLongAfter();
    store.kill();
    checkSealed(4_000);
  }

  private long bytes() throws IOException {
    return store.pageFiles().values().stream().mapToLong(Long::longValue).sum();
  }
}
