package hourglass.store.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.Chance;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.MappedMemory;
import hourglass.store.embedded.NumberedColumns;
import hourglass.store.embedded.RandomWrites;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.pages.PageCodec.PageBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages are in memory only during writing; that loses nothing and disturbs no reader. */
class MappedPagesTest {
  private static final RowKey ROW = new RowKey(RandomWrites.HOUR, "checkout", 0);
  private static final int COLUMNS = 4_000;
  private static final int READERS = 3;
  private static final int ROUNDS = 40;

  private final Random random = Chance.random("MappedPagesTest");
  private final Columns columns = columns();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private PageFiles pages;

  private Columns columns() {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, COLUMNS << 10);
    for (int n = 0; n < COLUMNS; n++) {
      TimeUuid name = NumberedColumns.name(ROW.hour(), n);
      byte[] payload = new byte[1 << 10];
      random.nextBytes(payload);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return columns.build();
  }

  @BeforeEach
  void write() throws IOException {
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of());
    Files.createDirectories(pages.dir());
    pages.commit(new PageWriter(1).put(pages, ROW, columns, 1), List.of());
  }

  @AfterEach
  void close() throws IOException {
    pages.close();
  }

  private void check() {
    int from = 0;
    for (PageMeta page :
        pages.pages().stream().sorted(Comparator.comparing(PageMeta::first)).toList()) {
      Columns read = pages.read(page, Projection.COLUMNS);
      assertThat(read.size()).isPositive();
      for (int i = 0; i < read.size(); i++, from++) {
        assertThat(read.id(i)).isEqualTo(columns.id(from));
        assertThat(read.payload(i)).isEqualTo(columns.payload(from));
      }
    }
    assertThat(from).isEqualTo(COLUMNS);
  }

  private long residentKilobytes() throws IOException {
    return MappedMemory.below(temp).values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void writtenPagesDoNotStayInMappedMemory() throws IOException {
    assertThat(residentKilobytes()).as("written").isZero();
    check();
    assertThat(residentKilobytes()).as("read").isZero();
    pages.commit(new PageWriter(COLUMNS).put(pages, ROW, columns, 2), List.copyOf(pages.pages()));
    assertThat(residentKilobytes()).as("written beside others").isZero();
    pages.close();
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of());
    check();
    assertThat(residentKilobytes()).as("opened").isZero();
  }

  @Test
  void readersAndAWriterRunConcurrently() throws Exception {
    Path file = temp.resolve("pages.0");
    byte[][] written = new byte[ROUNDS * READERS][];
    for (int n = 0; n < written.length; n++) {
      written[n] = new byte[20_000 + n];
      random.nextBytes(written[n]);
    }
    try (PageMap map = PageMap.create(file)) {
      map.put(ROW, 0, written[0]);
      List<Callable<Void>> tasks = new ArrayList<>();
      tasks.add(
          () -> {
            for (int n = 1; n < written.length; n++) {
              map.put(ROW, n, written[n]);
              assertThat(map.get(ROW, n, written[n].length)).isEqualTo(written[n]);
            }
            return null;
          });
      for (int i = 0; i < READERS; i++) {
        tasks.add(
            () -> {
              for (int n = 0; n < written.length; n++) {
                while (map.get(ROW, n, written[n].length) == null) {
                  Thread.onSpinWait(); // not written yet
                }
                assertThat(map.get(ROW, n, written[n].length)).isEqualTo(written[n]);
              }
              return null;
            });
      }
      beside(tasks, map::release);
    }
    try (PageMap map = PageMap.open(file)) {
      for (int n = 0; n < written.length; n++) {
        assertThat(map.get(ROW, n, written[n].length)).isEqualTo(written[n]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readersContinueWhileMapsCloseAndOpen(boolean byKey) throws Exception {
    if (byKey) {
      forgetPositions();
    }
    beside(
        List.of(
            () -> {
              for (int round = 0; round < ROUNDS; round++) {
                checkUnlessClosed();
                pages.close();
              }
              return null;
            }),
        this::checkUnlessClosed);
    check();
  }

  @Test
  void mapsOfADeletedHourStayClosed() throws Exception {
    beside(
        List.of(
            () -> {
              check();
              pages.retire();
              return null;
            }),
        this::checkUnlessClosed);
    assertThatThrownBy(this::check)
        .isInstanceOf(UnavailableException.class)
        .hasMessageEndingWith(": deleted");
  }

  private void checkUnlessClosed() {
    try {
      check();
    } catch (UnavailableException e) {
      assertThat(e).message().containsPattern(": (closed|deleted)$");
    }
  }

  @Test
  void pagesOfOlderInventoriesAreFoundByTheirKeys() throws IOException {
    forgetPositions();
    assertThat(pages.pages()).allMatch(page -> !page.isPlaced());
    check();
    pages.commit(new PageWriter(COLUMNS).put(pages, ROW, columns, 2), List.copyOf(pages.pages()));
    assertThat(pages.pages()).allMatch(PageMeta::isPlaced);
    check();
  }

  /** Lists the pages as before positions. */
  private void forgetPositions() throws IOException {
    List<PageMeta> listed = List.copyOf(pages.pages());
    Path dir = pages.dir();
    pages.close();
    Files.delete(StoreFiles.inventory(dir));
    new Inventory(new SystemDisk(), dir, ROW.hour(), FrameWriter.staging(), 0)
        .append(
            out -> {
              for (PageMeta page : listed) {
                Inventory.writeAdded(out, withoutPosition(page));
              }
            });
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of());
  }

  private static PageMeta withoutPosition(PageMeta page) {
    return new PageMeta(
        page.row(),
        page.number(),
        page.generation(),
        PageMap.BY_KEY,
        page.storedBytes(),
        page.checksum(),
        page.count(),
        page.payloadBytes(),
        page.first(),
        page.last(),
        page.group(),
        page.minutes(),
        page.names());
  }

  @Test
  void valuesAreInTheFileAtTheirPositions() throws IOException {
    Path file = temp.resolve("pages.0");
    byte[][] values = new byte[200][];
    long[] positions = new long[values.length];
    try (PageMap map = PageMap.create(file);
        PositionalReader reader = new PositionalReader(file)) {
      for (int n = 0; n < values.length; n++) {
        values[n] = new byte[1 + random.nextInt(20_000)];
        random.nextBytes(values[n]);
        positions[n] = map.put(ROW, n, values[n]);
      }
      checkValues(reader, positions, values);
    }
    try (PageMap map = PageMap.open(file);
        PositionalReader reader = new PositionalReader(file)) {
      checkValues(reader, positions, values);
      assertThat(map.get(ROW, values.length, 1)).isNull();
      assertThatThrownBy(() -> map.get(ROW, 0, values[0].length + 1))
          .isInstanceOf(CorruptException.class)
          .hasMessage("not the one listed");
    }
  }

  private void checkValues(PositionalReader file, long[] positions, byte[][] values) {
    for (int n = 0; n < values.length; n++) {
      int length = values[n].length;
      byte[] whole = new byte[length];
      file.read(positions[n], whole, length);
      assertThat(whole).isEqualTo(values[n]);
      int from = random.nextInt(length);
      byte[] some = new byte[length - from];
      PageBytes bytes = file.part(positions[n], length);
      bytes.read(from, some, some.length);
      assertThat(bytes.length()).isEqualTo(length);
      assertThat(some).isEqualTo(Arrays.copyOfRange(values[n], from, length));
    }
  }

  /** Does the other again and again until all tasks are done. */
  private static void beside(List<Callable<Void>> tasks, Runnable other) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<Void>> running = tasks.stream().map(threads::submit).toList();
      while (!running.stream().allMatch(Future::isDone)) {
        other.run();
      }
      for (Future<Void> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
