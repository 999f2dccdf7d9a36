package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.PageMap;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An hour whose map is full continues in another, and all maps make one answer. */
class GenerationTest {
  private static final RowKey BIG = new RowKey(HOUR, "big", 0);

  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store =
        new TestStore(
            temp, options -> options.memoryBudgetBytes(96 << 20).sealAfter(Duration.ZERO));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void write(List<Mutation> mutations) {
    Expectation.await(store.engine().write(mutations));
  }

  /** Each row has a page of its own, however small. */
  @Test
  void manyRowsAreDividedOverMaps() throws IOException {
    int full = Tier.length(1, 2, 2);
    int rows = PageMap.PAGES_MAX * full + 500;
    for (int from = 0; from < rows; from += 1_000) {
      write(
          IntStream.range(from, Math.min(rows, from + 1_000))
              .mapToObj(n -> columns(quiet(n), n, n + 1))
              .toList());
    }
    store.flush();
    checkRows(rows);
    assertThat(store.maps(StoreFiles.KEEP, HOUR)).containsKeys("pages.0", "pages." + full);
    store.reopen();
    checkRows(rows);
    write(List.of(columns(quiet(rows), rows, rows + 1)));
    store.flush();
    store.kill();
    checkRows(rows + 1);
    store.kill(); // while nothing was closed since
    checkRows(rows + 1);
  }

  private static RowKey quiet(int number) {
    return new RowKey(HOUR, "quiet " + number % 50, number / 50);
  }

  private void checkRows(int rows) {
    List<RowEntry> entries = store.rows(HOUR);
    assertThat(entries).hasSize(rows).allMatch(entry -> entry.columns() == 1);
    for (int n = 0; n < rows; n++) {
      Columns read = Columns.merge(Expectation.read(store.engine(), quiet(n), Order.ASCENDING));
      assertThat(read.size()).isEqualTo(1);
      assertThat(read.id(0)).isEqualTo(NumberedColumns.name(HOUR, n));
      assertThat(read.payload(0)).asString(StandardCharsets.UTF_8).isEqualTo("event " + n);
    }
  }

  /** The payloads are incompressible, of 1 and of 4 MiB. */
  @Test
  @Tag(Tier.IN_FULL)
  void manyLargePayloadsAreDividedOverMaps() throws IOException {
    int columns = 84; // 210 MiB
    for (int n = 0; n < columns; n++) {
      write(List.of(columns(BIG, n, n + 1, GenerationTest::payload)));
      if (n % 8 == 7) {
        store.flush();
      }
    }
    store.flush();
    checkPayloads(columns);
    assertThat(store.maps(StoreFiles.KEEP, HOUR)).containsOnlyKeys("pages.0", "pages.1");
    store.reopen();
    checkPayloads(columns);
    write(List.of(columns(BIG, columns, columns + 1, GenerationTest::payload)));
    store.flush();
    store.kill();
    store.clock.set(HOUR.end().plus(Duration.ofDays(1)));
    store.seal();
    assertThat(store.manifest(BIG).columns()).isEqualTo(columns + 1);
    checkPayloads(columns + 1);
  }

  /** The n-th payload, which is the same each time. */
  private static byte[] payload(int n) {
    byte[] payload = new byte[n % 2 == 0 ? 1 << 20 : 4 << 20];
    new SplittableRandom(n).nextBytes(payload);
    return payload;
  }

  private void checkPayloads(int columns) {
    int n = 0;
    for (Columns read : Expectation.read(store.engine(), BIG, Order.ASCENDING)) {
      for (int i = 0; i < read.size(); i++, n++) {
        assertThat(read.id(i)).isEqualTo(NumberedColumns.name(HOUR, n));
        assertThat(read.payload(i)).as("payload %s", n).isEqualTo(payload(n));
      }
    }
    assertThat(n).isEqualTo(columns);
  }
}
