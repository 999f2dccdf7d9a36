package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.files.StoreCatalogue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An import of years of hours costs few files and few forces, and all of it is read again. */
class ManyHoursTest {
  private static final int HOURS = 2 * 365 * 24;
  private static final int HOURS_A_WRITE = 1_000;

  private final AtomicInteger forces = new AtomicInteger();
  private final AtomicInteger files = new AtomicInteger();
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO).segmentBytes(64 << 20));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static RowKey row(int hour) {
    return new RowKey(new Hour(TestStore.HOUR.epochHours() - HOURS + hour), "order", 0);
  }

  private void countFromNow() {
    forces.set(0);
    files.set(0);
    store.disk.failing =
        operation -> {
          forces.addAndGet(operation.startsWith("force") ? 1 : 0);
          files.addAndGet(operation.equals("create unfinished") ? 1 : 0);
          return false;
        };
  }

  @Test
  @Timeout(600)
  void twoYearsOfHoursNeedFewFilesAndForces() throws IOException {
    for (int from = 0; from < HOURS; from += HOURS_A_WRITE) {
      List<Mutation> write =
          IntStream.range(from, Math.min(HOURS, from + HOURS_A_WRITE))
              .mapToObj(hour -> columns(row(hour), 0, 2))
              .toList();
      Expectation.await(store.engine().write(write));
    }
    countFromNow();
    store.flush();
    assertThat(store.openBytes()).isZero();
    assertThat(files.get()).as("files of the flush").isLessThan(5);
    assertThat(forces.get()).as("forces of the flush").isLessThan(30);
    check();
    countFromNow();
    store.seal();
    assertThat(store.pageFiles().size()).as("files").isLessThan(30);
    assertThat(files.get()).as("files that the seal writes").isLessThan(100);
    check();
    store.reopen();
    check();
  }

  private void check() {
    assertThat(store.hours()).hasSize(HOURS);
    for (int hour = 0; hour < HOURS; hour += 97) {
      assertThat(store.entry(row(hour)).columns()).isEqualTo(2);
      Columns read = Columns.merge(Expectation.read(store.engine(), row(hour), Order.ASCENDING));
      assertThat(read.payload(1)).asString(StandardCharsets.UTF_8).isEqualTo("event 1");
    }
  }

  /** Each flush adds a section to the hour; small ones are merged long before the hour is over. */
  @Test
  void smallSectionsOfAnHourAreMergedEarly() throws IOException {
    RowKey row = new RowKey(TestStore.HOUR, "order", 0);
    ClassHour of = new ClassHour(StoreFiles.KEEP, TestStore.HOUR);
    long written = 0;
    for (int flush = 0; flush < 200; flush++) {
      store.write(columns(row, 3 * flush, 3 * flush + 4));
      store.flush();
      List<SectionInFile> sections = StoreCatalogue.load(store.disk, store.files()).sections(of);
      assertThat(sections.size()).as("sections after flush %s", flush).isLessThan(24);
      assertThat(store.pageFiles()).hasSameSizeAs(sections);
      written += sections.get(sections.size() - 1).section().bytes();
    }
    store.check();
    long bytes = store.engine().use().storeBytes();
    assertThat(written).as("bytes that were written, of %s", bytes).isLessThan(8 * bytes);
    store.kill();
    store.check();
    store.clock.set(TestStore.HOUR.end().plus(Duration.ofDays(1)));
    store.seal();
    assertThat(store.pageFiles()).hasSize(1);
    store.check();
  }
}
