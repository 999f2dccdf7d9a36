package hourglass.store.embedded.files;

import static hourglass.store.embedded.NumberedColumns.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.Chance;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.FaultyDisk;
import hourglass.store.embedded.RandomWrites;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Page files are written once, read by any number of threads, and deleted once neither the
 * catalogue nor a reader refers to them.
 */
class PageFilesTest {
  private static final Hour HOUR = RandomWrites.HOUR;
  private static final int COLUMNS = 50;

  private final Random random = Chance.random("PageFilesTest");
  private final FaultyDisk disk = new FaultyDisk();
  private final PageWriter writer = new PageWriter(1);
  private PageFiles files;
  private StoreFiles names;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() throws IOException {
    files = PagesOnDisk.open(disk, temp);
    names = new StoreFiles(temp);
  }

  @AfterEach
  void close() {
    files.close();
  }

  private static RowKey row(int hour) {
    return new RowKey(new Hour(HOUR.epochHours() + hour), "checkout", 0);
  }

  private static Columns columns(RowKey row) {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 16 * COLUMNS);
    for (int n = 0; n < COLUMNS; n++) {
      byte[] payload = (row + " " + n).getBytes(StandardCharsets.UTF_8);
      columns.add(
          name(row.hour(), n).ticks(), name(row.hour(), n).lsb(), payload, 0, payload.length);
    }
    return columns.build();
  }

  private HourPages pages(int hour) {
    return PagesOnDisk.load(files, row(hour).hour());
  }

  /** Writes one file with a page of the hour. */
  private PageMeta write(HourPages pages, int hour) throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      PageWriter.PageSeries series = writer.begin(commit.section(pages), false);
      PageMeta page = series.put(row(hour), 1, columns(row(hour))).get(0);
      series.end();
      commit.commit();
      return page;
    }
  }

  private void merge(HourPages pages) throws IOException {
    merge(pages, PagesOnDisk.ALL);
  }

  private void merge(HourPages pages, FileRange range) throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      SectionCopy.of(pages, range, (row, made) -> true).writeTo(commit);
      commit.commit();
    }
  }

  private static void check(HourPages pages, PageMeta page, int hour) {
    Columns read = pages.read(page, Projection.COLUMNS);
    Columns expected = columns(row(hour));
    assertThat(read.size()).isEqualTo(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
      assertThat(read.id(i)).isEqualTo(expected.id(i));
      assertThat(read.payload(i)).isEqualTo(expected.payload(i));
    }
  }

  @Test
  void aFileSaysWhatTheCatalogueLists() throws IOException {
    HourPages pages = pages(0);
    write(pages, 0);
    write(pages, 0);
    merge(pages);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).containsExactly(3L);
    assertThat(files.catalogue().pages().records()).containsExactly(PageFiles.record(names, 3));
  }

  @Test
  void anyDamageOfHeadOrFootIsRefusedByName() throws IOException {
    write(pages(0), 0);
    Path path = names.pages(1);
    byte[] good = Files.readAllBytes(path);
    PageSection section = PageFiles.record(names, 1).sections().get(0);
    int foot = (int) section.at() + section.length();
    for (int at = 0; at < good.length; at++) {
      if (at < PageFileFormat.HEAD_BYTES || at >= foot) {
        byte[] damaged = good.clone();
        damaged[at] ^= 1 << random.nextInt(Byte.SIZE);
        Files.write(path, damaged);
        assertThatThrownBy(() -> PageFiles.record(names, 1))
            .as("byte %s", at)
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining(path.toString());
      }
    }
    for (int length = 0; length < good.length; length++) {
      Files.write(path, Arrays.copyOf(good, length));
      assertThatThrownBy(() -> PageFiles.record(names, 1)).isInstanceOf(CorruptException.class);
    }
    Files.write(path, good);
    Files.move(path, names.pages(2));
    assertThatThrownBy(() -> PageFiles.record(names, 2))
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll("head of file 1", "restore");
  }

  @Test
  void aReplacedFileStaysUntilReadsThatMayKnowItHaveEnded() throws IOException {
    HourPages pages = pages(0);
    PageMeta before = write(pages, 0);
    ReadEpochs.Epoch older = files.reads().begin();
    merge(pages);
    ReadEpochs.Epoch newer = files.reads().begin();
    files.deleteUnused();
    check(pages, before, 0);
    assertThat(names.pages(1)).exists();
    files.reads().end(older);
    files.deleteUnused();
    assertThat(names.pages(1)).doesNotExist();
    check(pages, pages.pages().iterator().next(), 0);
    files.reads().end(newer);
  }

  /** A power cut after the deletion must not leave a catalogue that lists the file. */
  @Test
  void aFileIsDeletedAfterTheCatalogueIsForced() throws IOException {
    HourPages pages = pages(0);
    write(pages, 0);
    List<String> operations = new ArrayList<>();
    disk.failing =
        operation -> {
          operations.add(operation);
          return false;
        };
    merge(pages);
    files.deleteUnused();
    assertThat(operations)
        .containsSubsequence(
            "write unfinished",
            "force unfinished",
            "move unfinished",
            "forceDirectory pages",
            "write CATALOGUE",
            "force CATALOGUE",
            "delete N.pages",
            "forceDirectory pages");
    assertThat(operations.subList(0, operations.indexOf("force CATALOGUE")))
        .doesNotContain("delete N.pages");
  }

  @Test
  void aFileThatCannotBeDeletedKeepsNoOther() throws IOException {
    HourPages pages = pages(0);
    write(pages, 0);
    write(pages, 0);
    write(pages, 0);
    merge(pages);
    AtomicBoolean failed = new AtomicBoolean();
    disk.failing =
        operation -> operation.equals("delete N.pages") && failed.compareAndSet(false, true);
    assertThatThrownBy(files::deleteUnused).isInstanceOf(IOException.class);
    assertThat(PageFiles.numbers(names)).containsExactly(1L, 4L);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).containsExactly(4L);
  }

  @Test
  void noFileIsDeletedIfTheCatalogueCannotBeForced() throws IOException {
    HourPages pages = pages(0);
    PageMeta page = write(pages, 0);
    disk.failing = operation -> operation.equals("force CATALOGUE");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> merge(pages)).isInstanceOf(IOException.class);
      assertThat(names.pages(1)).exists();
      check(pages, page, 0);
      assertThat(PageFiles.numbers(names).size()).as("files of failures").isLessThan(4);
    }
    disk.failing = operation -> false;
    merge(pages);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).hasSize(1);
    check(pages, pages.pages().iterator().next(), 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create unfinished",
        "write unfinished",
        "force unfinished",
        "move unfinished",
        "forceDirectory pages",
        "write CATALOGUE"
      })
  void aFailedCommitLeavesNothing(String operation) throws IOException {
    HourPages pages = pages(0);
    disk.failing = operation::equals;
    assertThatThrownBy(() -> write(pages, 0)).isInstanceOf(IOException.class);
    assertThat(pages.pages()).isEmpty();
    disk.failing = any -> false;
    PageMeta page = write(pages, 0);
    files.deleteUnused();
    check(pages, page, 0);
    assertThat(PageFiles.numbers(names)).containsExactly(page.file());
    assertThat(names.unfinishedPages()).doesNotExist();
  }

  @Test
  void openFilesAreBounded() throws Exception {
    int many = OpenPageFiles.OPEN_MAX + 100;
    List<HourPages> hours = new ArrayList<>();
    List<PageMeta> pages = new ArrayList<>();
    for (int hour = 0; hour < many; hour++) {
      hours.add(pages(hour));
      pages.add(write(hours.get(hour), hour));
    }
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int reader = 0; reader < 4; reader++) {
      long seed = random.nextLong();
      readers.add(
          CompletableFuture.runAsync(
              () -> {
                Random order = new Random(seed);
                for (int n = 0; n < 3 * many; n++) {
                  int hour = n < many ? n : order.nextInt(many);
                  check(hours.get(hour), pages.get(hour), hour);
                  assertThat(files.openFiles()).isLessThanOrEqualTo(OpenPageFiles.OPEN_MAX);
                }
              }));
    }
    for (CompletableFuture<Void> reader : readers) {
      reader.get();
    }
    assertThat(files.openFiles()).isEqualTo(OpenPageFiles.OPEN_MAX);
  }

  @Test
  void pagesAreReadWhileTheirSectionsAreMerged() throws Exception {
    HourPages pages = pages(0);
    write(pages, 0);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> reads =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!done.get() || count == 0) {
                ReadEpochs.Epoch epoch = files.reads().begin();
                for (PageMeta page : List.copyOf(pages.pages())) {
                  check(pages, page, 0);
                  count++;
                }
                files.reads().end(epoch);
              }
              return count;
            });
    try {
      for (int round = 0; round < 60; round++) {
        write(pages, 0);
        if (round % 3 == 0) {
          merge(pages);
          files.deleteUnused();
        }
      }
    } finally {
      done.set(true);
    }
    assertThat(reads.get()).isPositive();
    merge(pages);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).hasSize(1);
  }

  /** The removed page is in an older section than those that are merged. */
  @Test
  void aMergeOfTheNewestSectionsKeepsTheirRemovals() throws IOException {
    HourPages pages = pages(0);
    PageMeta removed = write(pages, 0);
    PageMeta kept = write(pages, 0);
    PagesOnDisk.remove(files, pages, List.of(removed));
    try (PageCommit commit = files.beginCommit()) {
      FileRange newest = new FileRange(kept.file(), Long.MAX_VALUE);
      SectionCopy.of(pages, newest, (row, made) -> true).writeTo(commit);
      commit.commit();
    }
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).hasSize(2);
    for (HourPages each : List.of(pages, pages(0))) {
      assertThat(each.pages()).extracting(PageMeta::number).containsExactly(kept.number());
    }
    merge(pages);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).hasSize(1);
    assertThat(pages(0).pages()).extracting(PageMeta::number).containsExactly(kept.number());
  }

  /** Any sections that follow each other are merged, of which others removed pages. */
  @Test
  void mergesOfAnySectionsKeepWhatIsInUse() throws IOException {
    HourPages pages = pages(0);
    Map<Long, PageMeta> written = new TreeMap<>();
    for (int round = 0; round < Chance.rounds(100, 1_000, 10_000); round++) {
      List<Long> numbers = PageFiles.numbers(names);
      switch (numbers.size() < 4 || pages.pages().isEmpty() ? 0 : random.nextInt(4)) {
        case 0, 1 -> {
          PageMeta page = write(pages, 0);
          written.put(page.number(), page);
        }
        case 2 -> {
          PageMeta page = List.copyOf(pages.pages()).get(random.nextInt(pages.pages().size()));
          PagesOnDisk.remove(files, pages, List.of(page));
          written.remove(page.number());
        }
        default -> {
          long from = numbers.get(random.nextInt(numbers.size()));
          merge(pages, new FileRange(from, from + random.nextInt(2 * numbers.size())));
        }
      }
      files.deleteUnused();
      for (HourPages each : List.of(pages, pages(0))) {
        assertThat(each.pages())
            .extracting(PageMeta::number)
            .containsExactlyInAnyOrderElementsOf(written.keySet());
        each.pages().forEach(page -> check(each, page, 0));
      }
    }
    merge(pages);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).hasSize(1);
  }

  /**
   * A copy is as damaged as its original, so a damaged page keeps no bytes of others on the disk.
   */
  @Test
  void aDamagedPageIsMergedAsItIs() throws IOException {
    HourPages pages = pages(0);
    PageMeta damaged = write(pages, 0);
    PageMeta whole = write(pages, 0);
    byte[] bytes = Files.readAllBytes(names.pages(1));
    bytes[(int) damaged.position() + damaged.storedBytes() - 1] ^= 1;
    Files.write(names.pages(1), bytes);
    merge(pages);
    files.deleteUnused();
    assertThat(PageFiles.numbers(names)).containsExactly(3L);
    for (PageMeta page : pages.pages()) {
      if (page.number() == whole.number()) {
        check(pages, page, 0);
      } else {
        assertThatThrownBy(() -> pages.read(page, Projection.COLUMNS))
            .isInstanceOf(CorruptException.class)
            .hasMessageContainingAll(names.pages(3).toString(), "page " + damaged.number());
      }
    }
  }
}
