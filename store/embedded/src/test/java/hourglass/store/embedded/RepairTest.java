package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.backup.StoreRepair;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.PageMeta;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Damaged pages are taken out of use, and all answers that lack them say so. */
class RepairTest extends RepairTests {
  private static final RowKey OTHER = new RowKey(HOUR, "other", 0);
  private static final int COUNT = 20_000;

  private static Mutation large(RowKey row) {
    return columns(
        row, 0, COUNT, n -> ("event " + n * 7_919L * n).getBytes(StandardCharsets.UTF_8));
  }

  /** Writes rows of several pages, seals them, and damages one page. Returns it. */
  private PageMeta damagedPage() throws IOException {
    store.write(large(ROW), columns(OTHER, 0, 100), columns(NEXT, 0, 100));
    store.seal();
    return damage(ROW);
  }

  @Test
  void theRestOfARowIsServedAndItsLossIsNamed() throws IOException {
    PageMeta page = damagedPage();
    assertThat(repair(new SystemDisk())).isEqualTo(new StoreRepair.Result(1, page.count()));
    String lost = "%s events of %s from 2026-11-20T08".formatted(page.count(), ROW);
    assertThat(findings).singleElement().extracting(Finding::text).asString().contains(lost);
    assertThat(check())
        .isEqualTo(new StoreCheck.Result(0, COUNT - page.count() + 200L, page.count()));
    for (int opened = 0; opened < 3; opened++) {
      store.reopen();
      assertThat(missing(HOUR)).singleElement().asString().startsWith(lost);
      assertThat(missing(HOUR.next())).isEmpty();
      assertThat(store.engine().missing(Hour.FIRST, Hour.LAST)).hasSize(1);
      assertThat(store.engine().missing(HOUR, HOUR, ROW.type()::equals)).hasSize(1);
      assertThat(store.engine().missing(HOUR, HOUR, OTHER.type()::equals)).isEmpty();
      assertThat(events(ROW)).isEqualTo(COUNT - page.count());
      assertThat(store.entry(ROW).columns()).isEqualTo(COUNT - page.count());
      assertThat(events(OTHER)).isEqualTo(100);
      assertThat(events(NEXT)).isEqualTo(100);
      store.seal();
      assertThat(store.manifest(ROW).columns()).isEqualTo(COUNT - page.count());
    }
    store.close();
    assertThat(check().damages()).isZero();
  }

  @Test
  void noPageFileIsWrittenInPlace() throws IOException {
    PageMeta page = damagedPage();
    byte[] before = Files.readAllBytes(store.files().pages(page.file()));
    Set<String> operations = new TreeSet<>();
    FaultyDisk disk = new FaultyDisk();
    disk.failing = operation -> !operations.add(operation) && false;
    repair(disk);
    assertThat(operations)
        .contains("create unfinished", "delete N.pages", "move unfinished")
        .noneMatch(each -> each.matches("(append|write|truncate) N\\.pages"));
    byte[] bytes = Files.readAllBytes(store.files().asidePage(page.number()));
    int from = (int) page.position();
    assertThat(bytes).isEqualTo(Arrays.copyOfRange(before, from, from + page.storedBytes()));
  }

  @Test
  void aRowThatLostAllOfItsPagesIsNamedUntilItsHourIsDropped() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    damage(ROW);
    assertThat(repair(new SystemDisk()).events()).isEqualTo(100);
    store.reopen();
    store.seal();
    store.retain();
    store.reopen();
    assertThat(store.rows(HOUR)).isEmpty();
    assertThat(missing(HOUR)).singleElement().asString().contains("100 events of " + ROW);
    assertThat(store.files().aside()).isNotEmptyDirectory();
    store.write(columns(ROW, 0, 10));
    store.seal();
    assertThat(store.manifest(ROW).columns()).isEqualTo(10);
    store.engine().drop(HOUR).toCompletableFuture().join();
    assertThat(missing(HOUR)).isEmpty();
    assertThat(store.files().aside()).isEmptyDirectory();
    store.reopen();
    assertThat(missing(HOUR)).isEmpty();
  }

  /** The manifest, in another file than the pages, counts the lost columns too. */
  @Test
  void aSealFromBeforeDoesNotCount() throws IOException {
    store.write(large(ROW), columns(OTHER, 0, 100));
    store.flush();
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> operation.equals("create unfinished") && files.incrementAndGet() > 1;
    store.seal();
    store.disk.failing = operation -> false;
    assertThat(store.manifest(ROW).columns()).isEqualTo(COUNT);
    PageMeta page = damage(ROW);
    repair(new SystemDisk());
    assertThat(check().damages()).isZero();
    store.reopen();
    assertThat(store.entry(ROW).sealed()).isFalse();
    assertThat(store.entry(ROW).columns()).isEqualTo(COUNT - page.count());
    assertThat(store.manifest(OTHER).columns()).isEqualTo(100);
    for (int opened = 0; opened < 2; opened++) {
      store.seal();
      assertThat(store.manifest(ROW).columns()).isEqualTo(COUNT - page.count());
      store.reopen();
    }
  }

  @Test
  void aMergeForgetsNoLoss() throws IOException {
    store.write(columns(ROW, 0, 100), columns(NEXT, 0, 100));
    store.flush();
    damage(ROW);
    repair(new SystemDisk());
    store.reopen();
    store.engine().drop(HOUR.next()).toCompletableFuture().join();
    assertThat(store.fileUse()).allMatch(file -> file.goneBytes() == 0);
    assertThat(missing(HOUR)).hasSize(1);
    store.reopen();
    assertThat(missing(HOUR)).hasSize(1);
  }

  @Test
  void eventsThatAreStillInTheLogAreServed() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.disk.failing = operation -> operation.equals("delete N.log");
    store.flush();
    damage(ROW);
    Path image = store.image();
    store.disk.failing = operation -> false;
    assertThat(StoreRepair.run(image, new SystemDisk(), findings::add).events()).isEqualTo(100);
    store.goOnFrom(image);
    store.check();
  }

  @Test
  void aDamagedFootIsWrittenAnewWithoutALoss() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    Path file = store.files().pages(1);
    Damage.flip("", Files.size(file) - 20, 3).act().on(file);
    assertThat(repair(new SystemDisk())).isEqualTo(new StoreRepair.Result(1, 0));
    assertThat(check().damages()).isZero();
    assertThat(store.files().aside()).doesNotExist();
    store.reopen();
    store.check();
    assertThat(missing(HOUR)).isEmpty();
  }

  /** Nobody knows which pages the file has. */
  @Test
  void aFileWithADamagedDirectoryStaysAsItIs() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    PageMeta page = store.pages(StoreFiles.KEEP, HOUR).pages().iterator().next();
    Path file = store.files().pages(page.file());
    Damage.flip("", page.position() + page.storedBytes() + 5, 3).act().on(file);
    byte[] before = Files.readAllBytes(file);
    assertThat(repair(new SystemDisk())).isEqualTo(new StoreRepair.Result(0, 0));
    assertThat(file).hasBinaryContent(before);
    assertThat(check().damages()).isPositive();
  }

  /** Its bytes may be good, and the next read may return them. */
  @Test
  void aFileOfWhichTheDiskDoesNotReturnAllBytesStaysAsItIs() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 100));
    store.flush();
    PageMeta page = store.pages(StoreFiles.KEEP, HOUR).pages().iterator().next();
    Path file = store.files().pages(page.file());
    byte[] before = Files.readAllBytes(file);
    FaultyDisk disk = new FaultyDisk();
    disk.unreadable = from -> from == page.position();
    assertThat(repair(disk)).isEqualTo(new StoreRepair.Result(0, 0));
    assertThat(findings)
        .singleElement()
        .extracting(Finding::text)
        .asString()
        .startsWith(file + ": not repaired, as the disk does not return all of its bytes");
    assertThat(file).hasBinaryContent(before);
    assertThat(store.files().aside()).doesNotExist();
    assertThat(check()).isEqualTo(new StoreCheck.Result(0, 200, 0));
    store.reopen();
    store.check();
  }

  @Test
  void aDamagedPageThatTheDiskDoesNotReturnAgainStaysInUse() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    PageMeta page = damage(ROW);
    AtomicInteger reads = new AtomicInteger();
    FaultyDisk disk = new FaultyDisk();
    disk.unreadable = from -> from == page.position() && reads.incrementAndGet() > 1;
    assertThat(repair(disk)).isEqualTo(new StoreRepair.Result(0, 0));
    assertThat(store.files().pages(page.file())).exists();
    assertThat(check().lost()).isZero();
    assertThat(repair(new SystemDisk()).events()).isEqualTo(100);
  }

  @Test
  void aWholeStoreIsNotChanged() throws IOException {
    store.write(columns(ROW, 0, 100), columns(NEXT, 0, 100));
    store.seal();
    store.close();
    DirectoryImage before = DirectoryImage.of(dir());
    assertThat(repair(new SystemDisk())).isEqualTo(new StoreRepair.Result(0, 0));
    DirectoryImage now = DirectoryImage.of(dir());
    assertThat(now.files()).isEqualTo(before.files());
    for (String file : before.files()) {
      assertThat(now.bytes(file)).as(file).isEqualTo(before.bytes(file));
    }
  }

  @Test
  void anOpenStoreIsNotRepaired() throws IOException {
    damagedPage();
    assertThatThrownBy(() -> StoreRepair.run(dir(), new SystemDisk(), findings::add))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("in use by process");
  }

  @Test
  void aRestoredBackupOfARepairedStoreNamesTheLossToo() throws IOException {
    PageMeta page = damagedPage();
    repair(new SystemDisk());
    store.reopen();
    assertThat(backup().damaged()).isZero();
    assertThat(restore(null).events()).isEqualTo(COUNT - page.count() + 200L);
    try (EmbeddedStore other = openRestored()) {
      assertThat(other.missing(HOUR, HOUR)).singleElement().asString().contains("events of " + ROW);
    }
    restored = temp.resolve("next");
    restore(null, NEXT.hour(), NEXT.hour());
    try (EmbeddedStore other = openRestored()) {
      assertThat(other.missing(Hour.FIRST, Hour.LAST)).isEmpty();
    }
  }

  /** Whatever is there afterwards, the next repair completes it. */
  @Test
  void aRepairThatIsCutIsCompletedByTheNext() throws IOException {
    PageMeta page = damagedPage();
    store.close();
    DirectoryImage damaged = DirectoryImage.of(dir());
    Set<String> places = new HashSet<>();
    boolean wasCut = true;
    for (int operation = 0; wasCut; operation++) {
      Path made = temp.resolve("made" + operation);
      Path image = temp.resolve("image" + operation);
      damaged.writeTo(made);
      PowerCutDisk disk = new PowerCutDisk(made, temp.resolve("graves" + operation), random);
      disk.cutAfter(operation, image, () -> {});
      StoreRepair.run(made, disk, findings::add);
      wasCut = disk.cutAt() != null;
      disk.cutNow();
      places.add(String.valueOf(disk.cutAt()));
      try (EmbeddedStore other = SampleStore.open(image, new SystemDisk())) {
        checkAnswers(other, page);
      }
      StoreRepair.run(image, new SystemDisk(), findings::add);
      assertThat(StoreCheck.run(image, findings::add))
          .isEqualTo(new StoreCheck.Result(0, COUNT - page.count() + 200L, page.count()));
      TestStore.delete(made);
      TestStore.delete(image);
    }
    assertThat(places).hasSizeGreaterThan(8);
  }

  /** A row is refused, or incomplete, and never short without a word. */
  private static void checkAnswers(EmbeddedStore other, PageMeta page) {
    try {
      int found =
          Expectation.read(other, ROW, Order.ASCENDING).stream()
              .mapToInt(columns -> columns.size())
              .sum();
      assertThat(found).isEqualTo(COUNT - page.count());
      assertThat(other.missing(HOUR, HOUR)).hasSize(1);
    } catch (RuntimeException e) {
      assertThat(e).hasMessageContaining("page " + page.number());
    }
  }

  @Test
  void theLossIsForgottenWithTheRetentionOfItsHour() throws IOException {
    RowKey shortLived = new RowKey(HOUR, RandomWrites.SHORT_LIVED, 0);
    store.write(columns(shortLived, 0, 100), columns(ROW, 0, 100));
    store.flush();
    damage("720h", shortLived);
    repair(new SystemDisk());
    store.reopen();
    assertThat(missing(HOUR)).hasSize(1);
    store.clock.pass(Duration.ofDays(31));
    store.retain();
    assertThat(missing(HOUR)).isEmpty();
    assertThat(store.files().aside()).isEmptyDirectory();
    assertThat(events(ROW)).isEqualTo(100);
  }
}
