package hourglass.store.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.CorruptException;
import hourglass.store.DroppedHours;
import hourglass.store.embedded.Chance;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.FaultyDisk;
import hourglass.store.embedded.RandomWrites;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forced records are there when the catalogue is read again, also after failed operations. */
class CatalogueTest {
  private static final FileRange NONE = new FileRange(0, 0);
  private static final FileRange ALL = new FileRange(0, Long.MAX_VALUE);
  private static final int HOURS = 3_000;

  private final Random random = Chance.random("CatalogueTest");
  private final FaultyDisk disk = new FaultyDisk();
  private long newest;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private StoreCatalogue installed() throws IOException {
    StoreCatalogue catalogue = new StoreCatalogue(disk, new StoreFiles(temp));
    catalogue.writeNew();
    catalogue.install();
    return catalogue;
  }

  private ClassHour anHour() {
    Hour hour = new Hour(RandomWrites.HOUR.epochHours() + random.nextInt(100));
    return new ClassHour(random.nextBoolean() ? StoreFiles.KEEP : "720h", hour);
  }

  private static PageSection section(ClassHour of, FileRange replaces, long bytes) {
    return new PageSection(of, PageSection.Kind.ADDED, replaces, 20, 100, 7, bytes, 0, Map.of());
  }

  /** A file of some hours, which replaces older sections of some of them. */
  private PageFileRecord file(long number) {
    Map<ClassHour, PageSection> sections = new TreeMap<>();
    Map<ClassHour, Long> replaced = new TreeMap<>();
    for (int n = random.nextInt(40); n >= 0; n--) {
      ClassHour of = anHour();
      long from = random.nextBoolean() ? number : random.nextLong(number + 1);
      if (random.nextInt(5) == 0) {
        replaced.put(anHour(), 1 + random.nextLong(1 << 20));
      }
      sections.put(of, section(of, new FileRange(from, number), 1 + random.nextInt(1 << 20)));
    }
    return PageFileRecord.of(number, number * 3, List.copyOf(sections.values()), replaced)
        .withBytes(1 << 20);
  }

  @Test
  void forcedRecordsSurviveAPowerLoss() throws IOException {
    StoreFiles files = new StoreFiles(temp);
    StoreCatalogue catalogue = installed();
    ListedPages expected = new ListedPages();
    long largest = 0;
    for (int round = 1; round < 60; round++) {
      for (int n = random.nextInt(100); n > 0; n--) {
        PageFileRecord file = file(++newest);
        catalogue.add(file);
        expected.add(file);
      }
      int failing = random.nextInt(12);
      int[] operations = {0};
      disk.failing = operation -> failing < 8 && operations[0]++ == failing;
      CatalogueRecord.Log next = new CatalogueRecord.Log(round, round / 10, round);
      boolean done = false;
      while (!done) {
        try {
          catalogue.cutting(next);
          done = true;
        } catch (IOException e) { // once a round, then it is tried again
          assertThat(operations[0]).isGreaterThan(failing);
        }
      }
      disk.failing = operation -> false;
      if (!expected.hours().isEmpty()) {
        CatalogueRecord.Gone gone = new CatalogueRecord.Gone(expected.hours().get(0), round);
        catalogue.gone(List.of(gone));
        expected.remove(gone);
      }
      largest = Math.max(largest, Files.size(files.catalogue()));
      StoreCatalogue read = StoreCatalogue.load(disk, files);
      assertThat(read.files()).isEqualTo(expected.files());
      assertThat(read.hours()).isEqualTo(expected.hours());
      for (ClassHour of : expected.hours()) {
        assertThat(read.sections(of))
            .extracting(SectionInFile::file, SectionInFile::liveBytes)
            .isEqualTo(
                expected.sections(of).stream()
                    .map(each -> tuple(each.file(), each.liveBytes()))
                    .toList());
      }
      assertThat(read.log()).isEqualTo(next);
      catalogue = random.nextInt(4) == 0 ? read : catalogue;
    }
    assertThat(Files.size(files.catalogue())).as("it was written anew").isLessThan(largest);
  }

  /** Lists and replaces the same hours so often that the file has to be written anew. */
  private void listMuch(StoreCatalogue catalogue) throws IOException {
    for (int round = 1; round < 30; round++) {
      catalogue.add(allHours());
    }
  }

  private PageFileRecord allHours() {
    List<PageSection> sections = new ArrayList<>();
    for (int hour = 0; hour < HOURS; hour++) {
      Hour of = new Hour(RandomWrites.HOUR.epochHours() + hour);
      sections.add(section(new ClassHour(StoreFiles.KEEP, of), ALL, 500));
    }
    return PageFileRecord.of(++newest, newest, sections, Map.of()).withBytes(1 << 20);
  }

  @Test
  void aRewriteKeepsTheDroppedHours() throws IOException {
    StoreCatalogue catalogue = installed();
    Hour hour = RandomWrites.HOUR;
    DroppedHours first = DroppedHours.of(List.of(hour.previous()));
    DroppedHours all =
        first
            .and(DroppedHours.of(List.of(new Hour(hour.epochHours() + 7))))
            .and(DroppedHours.of(new TypeHour(hour, "s\u00fc\u00df|search")));
    catalogue.dropped(first, List.of());
    catalogue.dropped(all, List.of());
    AtomicInteger rewrites = new AtomicInteger();
    disk.failing =
        operation -> {
          rewrites.addAndGet(operation.equals("create CATALOGUE.new") ? 1 : 0);
          return false;
        };
    listMuch(catalogue);
    assertThat(rewrites).hasPositiveValue();
    assertThat(catalogue.dropped()).isEqualTo(all);
    assertThat(StoreCatalogue.load(disk, new StoreFiles(temp)).dropped()).isEqualTo(all);
  }

  @Test
  void aFailedRewriteKeepsTheCatalogue() throws IOException {
    StoreCatalogue catalogue = installed();
    StoreFiles files = new StoreFiles(temp);
    disk.failing = operation -> operation.equals("write CATALOGUE.new");
    listMuch(catalogue);
    long bytes = Files.size(files.catalogue());
    assertThat(files.newCatalogue()).as("a catalogue that would be old").doesNotExist();
    assertThat(StoreCatalogue.load(disk, files).files()).isEqualTo(catalogue.files());
    disk.failing = operation -> false;
    catalogue.add(allHours());
    assertThat(Files.size(files.catalogue())).isLessThan(bytes / 2);
    assertThat(StoreCatalogue.load(disk, files).files()).isEqualTo(catalogue.files());
  }

  @Test
  void aLargeCatalogueIsRewrittenRarely() throws IOException {
    StoreCatalogue catalogue = installed();
    for (int n = 0; n < 10; n++) {
      newest++;
      List<PageSection> sections = new ArrayList<>();
      for (int hour = 0; hour < HOURS; hour++) {
        Hour of = new Hour(RandomWrites.HOUR.epochHours() + hour);
        sections.add(section(new ClassHour(StoreFiles.KEEP, of), NONE, 500));
      }
      catalogue.add(PageFileRecord.of(newest, newest, sections, Map.of()).withBytes(1 << 20));
    }
    AtomicInteger rewrites = new AtomicInteger();
    disk.failing =
        operation -> {
          rewrites.addAndGet(operation.equals("create CATALOGUE.new") ? 1 : 0);
          return false;
        };
    for (int n = 0; n < 10; n++) {
      catalogue.add(file(++newest));
    }
    assertThat(Files.size(new StoreFiles(temp).catalogue())).isGreaterThan(1 << 20);
    assertThat(rewrites).hasValueLessThan(2);
  }

  @Test
  void deadBytesAreCountedByFile() throws IOException {
    StoreCatalogue catalogue = installed();
    ClassHour one = new ClassHour("720h", RandomWrites.HOUR);
    ClassHour other = new ClassHour(StoreFiles.KEEP, RandomWrites.HOUR);
    catalogue.add(
        PageFileRecord.of(
                1, 1, List.of(section(one, NONE, 600), section(other, NONE, 400)), Map.of())
            .withBytes(1_100));
    PageSection removing =
        new PageSection(other, PageSection.Kind.ADDED, NONE, 20, 100, 7, 300, 0, Map.of(1L, 150L));
    catalogue.add(PageFileRecord.of(2, 2, List.of(removing), Map.of()).withBytes(400));
    checkUse(catalogue, new FileUse(1, 1_100, 850, 150, 0, 0, List.of(one, other)));
    catalogue.gone(List.of(new CatalogueRecord.Gone(one, 77)));
    checkUse(catalogue, new FileUse(1, 1_100, 250, 750, 600, 77, List.of(other)));
    catalogue.writeNew();
    catalogue.install();
    checkUse(catalogue, new FileUse(1, 1_100, 250, 750, 600, 77, List.of(other)));
    assertThat(catalogue.pages().takeUnlisted()).isEmpty();
    catalogue.add(
        PageFileRecord.of(3, 2, List.of(section(other, new FileRange(1, 3), 550)), Map.of())
            .withBytes(700));
    assertThat(catalogue.files()).extracting(FileUse::number).containsExactly(3L);
    assertThat(catalogue.pages().takeUnlisted()).containsExactlyInAnyOrder(1L, 2L);
  }

  private void checkUse(StoreCatalogue catalogue, FileUse expected) throws IOException {
    for (StoreCatalogue each :
        List.of(catalogue, StoreCatalogue.load(disk, new StoreFiles(temp)))) {
      FileUse found = each.files().get(0);
      assertThat(found).usingRecursiveComparison().ignoringCollectionOrder().isEqualTo(expected);
    }
  }

  /** The copy of the hour is deleted, so the original must go, too. */
  @Test
  void replacedBytesAreGoneOnceTheirHourIsDeleted() throws IOException {
    StoreCatalogue catalogue = installed();
    ClassHour one = new ClassHour("720h", RandomWrites.HOUR);
    ClassHour other = new ClassHour("720h", RandomWrites.HOUR.next());
    catalogue.add(
        PageFileRecord.of(
                1, 1, List.of(section(one, NONE, 600), section(other, NONE, 400)), Map.of())
            .withBytes(1_100));
    catalogue.add(
        PageFileRecord.of(2, 1, List.of(section(one, new FileRange(1, 2), 500)), Map.of())
            .withBytes(600));
    checkUse(catalogue, new FileUse(1, 1_100, 400, 600, 0, 0, List.of(other)));
    StoreCatalogue loaded = StoreCatalogue.load(disk, new StoreFiles(temp));
    loaded.writeNew();
    loaded.install();
    loaded.gone(List.of(new CatalogueRecord.Gone(one, 77)));
    checkUse(loaded, new FileUse(1, 1_100, 400, 600, 600, 77, List.of(other)));
    assertThat(loaded.pages().takeUnlisted()).containsExactly(2L);
  }

  /** No section of the class was ever listed, so its hour is deleted with that of another class. */
  @Test
  void bytesOfSectionsThatWereNotCompletedAreGoneWithTheirHour() throws IOException {
    StoreCatalogue catalogue = installed();
    ClassHour one = new ClassHour("720h", RandomWrites.HOUR);
    ClassHour other = new ClassHour(StoreFiles.KEEP, RandomWrites.HOUR);
    ClassHour later = new ClassHour("720h", RandomWrites.HOUR.next());
    List<PageSection> sections = List.of(section(one, NONE, 600), section(later, NONE, 400));
    catalogue.add(PageFileRecord.of(1, 1, sections, Map.of(other, 50L)).withBytes(1_100));
    checkUse(catalogue, new FileUse(1, 1_100, 1_000, 50, 0, 0, List.of(one, later)));
    catalogue.gone(List.of(new CatalogueRecord.Gone(one, 77)));
    checkUse(catalogue, new FileUse(1, 1_100, 400, 650, 650, 77, List.of(later)));
  }

  @Test
  void lookupsDoNotWaitForAForce() throws Exception {
    StoreCatalogue catalogue = installed();
    ClassHour of = new ClassHour(StoreFiles.KEEP, RandomWrites.HOUR);
    catalogue.add(PageFileRecord.of(1, 1, List.of(section(of, NONE, 10)), Map.of()));
    CountDownLatch forcing = new CountDownLatch(1);
    CountDownLatch lookedUp = new CountDownLatch(1);
    disk.failing =
        operation -> {
          if (operation.equals("force CATALOGUE")) {
            forcing.countDown();
            Uninterrupted.await(
                () -> lookedUp.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS));
          }
          return false;
        };
    CompletableFuture<Void> force =
        CompletableFuture.runAsync(
            () -> {
              try {
                catalogue.add(PageFileRecord.of(2, 1, List.of(section(of, NONE, 10)), Map.of()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    forcing.await();
    int sections = catalogue.sections(of).size();
    boolean wasForcing = !force.isDone();
    lookedUp.countDown();
    force.get();
    assertThat(sections).isEqualTo(1);
    assertThat(wasForcing).as("the look-up did not wait for the disk").isTrue();
    assertThat(catalogue.sections(of)).hasSize(2);
  }

  /** Records of an append that failed may be on the disk, and must not count after a crash. */
  @Test
  void failedRecordsAreCutOff() throws IOException {
    StoreCatalogue catalogue = installed();
    ClassHour of = new ClassHour(StoreFiles.KEEP, RandomWrites.HOUR);
    disk.failing = operation -> operation.equals("force CATALOGUE");
    assertThatThrownBy(
            () -> catalogue.add(PageFileRecord.of(1, 1, List.of(section(of, NONE, 10)), Map.of())))
        .isInstanceOf(IOException.class);
    assertThat(catalogue.files()).isEmpty();
    disk.failing = operation -> false;
    catalogue.settle();
    assertThat(StoreCatalogue.load(disk, new StoreFiles(temp)).files()).isEmpty();
  }

  @Test
  void aCatalogueWithoutContentIsRefused() throws IOException {
    installed();
    Path file = new StoreFiles(temp).catalogue();
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {0, 10, FramePreamble.BYTES, bytes.length - 1}) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> StoreCatalogue.load(disk, new StoreFiles(temp)))
          .isInstanceOf(CorruptException.class)
          .hasMessageContainingAll(file.toString(), "restore it");
    }
  }
}
