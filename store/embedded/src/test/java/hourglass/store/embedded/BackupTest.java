package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.backup.Prune;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackupTest extends BackupTests {
  @Test
  void eachPointIsOfItsMomentAndSharesFilesWithOthers() throws IOException {
    store.write(columns(ROW, 0, 2_000));
    store.seal();
    BackupState first = backup();
    int files = pool(".pages").size();
    store.write(columns(NEXT, 0, 10));
    BackupState second = backup();
    assertThat(second.bytesToCopy()).isLessThan(first.bytesToCopy() / 2);
    assertThat(pool(".pages")).hasSize(files + 1);
    store.engine().drop(HOUR).toCompletableFuture().join();
    BackupState third = backup();
    assertThat(new TreeSet<>(List.of(first.id(), second.id(), third.id())))
        .containsExactly(first.id(), second.id(), third.id());
    assertThat(restore(first.id()).events()).isEqualTo(2_000);
    restored = temp.resolve("second");
    assertThat(restore(second.id()).events()).isEqualTo(2_010);
    restored = temp.resolve("third");
    assertThat(restore(null).events()).isEqualTo(10);
    assertThat(BackupCheck.list(backup))
        .extracting(BackupCheck.Summary::events)
        .containsExactly(2_000L, 2_010L, 10L);
  }

  @Test
  void pointsShareTheRowsOfDaysThatAreTheSame() throws IOException {
    RowKey nextDay = new RowKey(new Hour(HOUR.epochHours() + 24), "checkout", 0);
    store.write(columns(ROW, 0, 100), columns(NEXT, 0, 100));
    backup();
    List<Path> before = pool(".part");
    store.write(columns(nextDay, 0, 100));
    backup();
    List<Path> fresh = new ArrayList<>(pool(".part"));
    fresh.removeAll(before);
    assertThat(fresh).filteredOn(this::isOfRows).as("rows of the other day").hasSize(1);
    String first =
        Files.readString(before.stream().filter(this::isOfRows).findFirst().orElseThrow());
    assertThat(first).contains("hour\t" + HOUR, "row\t" + ROW, "row\t" + NEXT);
    assertThat(restore(null).events()).isEqualTo(300);
    assertThat(findings).isEmpty();
  }

  private boolean isOfRows(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).startsWith("hour\t");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void rowsWithoutTheirDigestsAreRestoredAndReported() throws IOException {
    store.write(columns(ROW, 0, 100));
    backup();
    Path rows = pool(".part").stream().filter(this::isOfRows).findFirst().orElseThrow();
    Damage.flip("", 20, 1).act().on(rows);
    assertThat(verify().damages()).isEqualTo(1);
    assertThat(findings.get(0).lost())
        .startsWith("no event, but the digests of rows of 2026-11-20");
    assertThat(restore(null).damages()).isEqualTo(1);
    assertThat(findings.get(0).damage()).startsWith(rows + ": ");
    try (EmbeddedStore other = openRestored()) {
      store.expectation.check(other);
    }
    Files.delete(rows);
    backup(); // reads all rows again
    restored = temp.resolve("again");
    assertThat(restore(null).events()).isEqualTo(100);
    assertThat(verify().damages()).isZero();
  }

  @Test
  void anInterruptedBackupIsContinuedAndTheLastWholePointRemains() throws IOException {
    store.write(columns(ROW, 0, 2_000));
    BackupState first = backup();
    store.write(columns(NEXT, 0, 2_000));
    Expectation.await(store.engine().backups().begin(backup, false, 1));
    await().until(() -> last().phase() == Phase.COPYING && last().bytesNew() > 0);
    store.reopen();
    assertThat(BackupCheck.list(backup))
        .extracting(BackupCheck.Summary::id)
        .containsExactly(first.id());
    assertThat(restore(null).events()).isEqualTo(2_000);
    backup();
    restored = temp.resolve("second");
    assertThat(restore(null).events()).isEqualTo(4_000);
    try (Stream<Path> left = Files.list(backup.resolve(".pending"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aSecondBackupIsRefusedWhileOneRuns() {
    store.write(columns(ROW, 0, 2_000));
    Expectation.await(store.engine().backups().begin(backup, false, 1));
    assertThatThrownBy(
            () ->
                Expectation.await(store.engine().backups().begin(temp.resolve("other"), false, 0)))
        .isInstanceOf(Backups.RunningException.class)
        .hasMessageContaining("a backup to " + backup + " is running since 2026-");
  }

  @Test
  void filesOfAPointStayWhileItIsHeld() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.write(columns(NEXT, 0, 100));
    store.flush();
    try (var point = store.engine().backups().source().take()) {
      store.engine().drop(HOUR).toCompletableFuture().join();
      store.seal();
      store.retain();
      for (var file : point.catalogue().files()) {
        assertThat(store.files().pages(file.number())).hasSize(file.bytes());
      }
    }
    long before = store.pageFiles().size();
    store.retain();
    assertThat(store.pageFiles().size()).isLessThan((int) before);
  }

  @Test
  void writesDuringABackupAreInTheNextPoint() {
    store.write(columns(ROW, 0, 10));
    Expectation.await(store.engine().backups().begin(backup, false, 10_000));
    for (int i = 1; last().isRunning() && i < 200; i++) {
      store.write(columns(NEXT, i, i + 1));
    }
    await().until(() -> !last().isRunning());
    backup();
    restore(null);
    try (EmbeddedStore other = openRestored()) {
      store.expectation.check(other);
    }
  }

  @Test
  void anyFlippedBitOfABackupIsFound() throws IOException {
    store.write(columns(ROW, 0, 100));
    backup();
    store.write(columns(NEXT, 0, 100));
    backup();
    DirectoryImage image = DirectoryImage.of(backup);
    for (String file : image.files()) {
      for (int i = 0; i < Chance.rounds(20, 200, 2_000) && image.size(file) > 0; i++) {
        Damage damage =
            Damage.flip(file, random.nextInt((int) image.size(file)), random.nextInt(8));
        damage.act().on(backup.resolve(file));
        if (file.equals("BACKUP")) {
          assertThatThrownBy(this::verify).isInstanceOf(CorruptException.class);
        } else {
          assertThat(verify().damages()).as("%s", damage).isPositive();
        }
        Files.write(backup.resolve(file), image.bytes(file));
      }
    }
    assertThat(verify().damages()).isZero();
  }

  private Prune.Result prune(Duration keep) {
    return Prune.run(backup, store.clock.instant().minus(keep), new SystemDisk());
  }

  @Test
  void aPruneDeletesOldPointsAndTheFilesThatNoneLists() throws IOException {
    store.write(columns(ROW, 0, 2_000));
    BackupState first = backup();
    store.engine().drop(HOUR).toCompletableFuture().join();
    store.write(columns(NEXT, 0, 10));
    store.clock.pass(Duration.ofDays(3));
    BackupState second = backup();
    assertThat(prune(Duration.ofDays(4)).points()).isEmpty();
    int files = pool("").size();
    Prune.Result pruned = prune(Duration.ofDays(2));
    assertThat(pruned.points()).containsExactly(first.id());
    assertThat(pruned.left()).isEqualTo(1);
    assertThat(pruned.files()).isPositive().isEqualTo(files - pool("").size());
    assertThat(verify().damages()).isZero();
    assertThat(restore(null).point()).isEqualTo(second.id());
    assertThat(prune(Duration.ofDays(2)).files()).isZero();
  }

  @Test
  void aPruneKeepsTheNewestPointAndTheNewestWholeOne() throws IOException {
    store.write(columns(ROW, 0, 100));
    BackupState whole = backup();
    store.flush();
    Path file = store.files().pages(store.pageFiles().keySet().iterator().next());
    Damage.flip("", 60, 3).act().on(file);
    Files.delete(pool(".pages").get(0)); // so that it is copied again
    BackupState damaged = backup();
    BackupState newest = backup();
    store.clock.pass(Duration.ofDays(99));
    assertThat(prune(Duration.ofDays(1)).points()).containsExactly(damaged.id());
    assertThat(BackupCheck.list(backup))
        .extracting(BackupCheck.Summary::id)
        .containsExactly(whole.id(), newest.id());
  }

  @Test
  void aPruneTakesNoPointWithoutItsFilesForAWholeOne() throws IOException {
    store.write(columns(ROW, 0, 100));
    BackupState whole = backup();
    List<Path> before = pool(".pages");
    store.write(columns(NEXT, 0, 100));
    BackupState lost = backup();
    for (Path file : pool(".pages")) {
      if (!before.contains(file)) {
        Files.delete(file);
      }
    }
    store.clock.pass(Duration.ofDays(99));
    assertThat(prune(Duration.ofDays(1)).points()).isEmpty();
    assertThat(BackupCheck.list(backup))
        .extracting(BackupCheck.Summary::id)
        .containsExactly(whole.id(), lost.id());
  }

  /** Files of a point that is deleted meanwhile are no loss. */
  @Test
  void aCheckBesideAPruneReportsOnlyDamage() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    store.write(columns(NEXT, 0, 100));
    backup();
    Damage.flip("", 40, 3).act().on(pool("").get(0));
    store.engine().drop(HOUR).toCompletableFuture().join();
    store.engine().drop(HOUR.next()).toCompletableFuture().join();
    store.clock.pass(Duration.ofDays(9));
    backup();
    BackupCheck.Result result =
        BackupCheck.verify(
            backup,
            finding -> {
              findings.add(finding);
              prune(Duration.ofDays(1));
            });
    assertThat(findings).hasSize(1);
    assertThat(result.damages()).isEqualTo(1);
  }

  @Test
  void aDamagedFileIsReportedThoughTheCatalogueOfItsPointIsMissing() throws IOException {
    store.write(columns(ROW, 0, 100));
    backup();
    Damage.flip("", 40, 3).act().on(pool(".pages").get(0));
    Path catalogue = pool(".part").stream().filter(this::isCatalogue).findFirst().orElseThrow();
    Files.delete(catalogue);
    assertThat(verify().damages()).isEqualTo(2);
    assertThat(findings).anyMatch(each -> each.lost().startsWith("events in pages/"));
  }

  private boolean isCatalogue(Path pooled) {
    try (Stream<String> lines = Files.lines(backup.resolve("points/" + last().id() + ".point"))) {
      return lines.anyMatch(
          line -> line.startsWith("file\tCATALOGUE\t") && line.contains(pooled.getFileName() + ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nothingIsPrunedIfTheFilesOfAPointAreNotKnown() throws IOException {
    store.write(columns(ROW, 0, 100));
    backup();
    store.clock.pass(Duration.ofDays(9));
    BackupState second = backup();
    Path list = backup.resolve("points").resolve(second.id() + ".point");
    Damage.flip("", 60, 3).act().on(list);
    DirectoryImage before = DirectoryImage.of(backup);
    assertThatThrownBy(() -> prune(Duration.ofDays(1)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(list + ": damaged")
        .hasMessageContaining("nothing is pruned");
    assertThat(DirectoryImage.of(backup).files()).isEqualTo(before.files());
  }

  @Test
  void linkedFilesAreThoseOfTheStore() throws IOException {
    store.write(columns(ROW, 0, 100));
    Expectation.await(store.engine().backups().begin(backup, true, 0));
    await().until(() -> !last().isRunning());
    assertThat(last().failure()).isNull();
    Path file = store.files().pages(store.pageFiles().keySet().iterator().next());
    assertThat(Files.isSameFile(file, pool(".pages").get(0))).isTrue();
    assertThat(verify().damages()).isZero();
    store.engine().drop(HOUR).toCompletableFuture().join();
    assertThat(restore(null).events()).isEqualTo(100);
  }

  @Test
  void aLinkThatCannotBeMadeIsRefusedByName() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.disk.failing = operation -> operation.startsWith("link ");
    Expectation.await(store.engine().backups().begin(backup, true, 0));
    await().until(() -> !last().isRunning());
    assertThat(last().failure()).contains("cannot be linked", "leave out --link");
    assertThat(BackupCheck.list(backup)).isEmpty();
  }

  @Test
  void aFullDiskOfTheBackupIsNamed() {
    store.write(columns(ROW, 0, 100));
    store.disk.usableBytes = 1 << 20;
    Expectation.await(store.engine().backups().begin(backup, false, 0));
    await().until(() -> !last().isRunning());
    assertThat(last().phase()).isEqualTo(Phase.FAILED);
    store.disk.usableBytes = Long.MAX_VALUE;
    assertThat(last().failure()).contains("bytes free");
    assertThat(BackupCheck.list(backup)).isEmpty();
    backup();
    assertThat(restore(null).events()).isEqualTo(100);
  }

  @Test
  void foldersWithOtherThingsAreRefused() throws IOException {
    Files.createDirectories(backup);
    Files.writeString(backup.resolve("notes.txt"), "remember the milk");
    assertThatThrownBy(() -> Expectation.await(store.engine().backups().begin(backup, false, 0)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("neither empty nor a backup, it holds notes.txt");
    assertThatThrownBy(this::verify)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("no backup");
    backup = store.files().dir().resolve("backup");
    assertThatThrownBy(() -> Expectation.await(store.engine().backups().begin(backup, false, 0)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("in the data directory");
  }

  @Test
  void aBackupWithoutAFlushIsRefused() {
    store.write(columns(ROW, 0, 10));
    store.disk.failing = operation -> operation.equals("create unfinished");
    Expectation.await(store.engine().backups().begin(backup, false, 0));
    await().until(() -> !last().isRunning());
    store.disk.failing = operation -> false;
    assertThat(last().phase()).isEqualTo(Phase.FAILED);
    assertThat(last().failure()).contains("pages cannot be written");
    assertThat(BackupCheck.list(backup)).isEmpty();
  }

  @Test
  void aClosedStoreMakesNoBackup() {
    EmbeddedStore engine = store.engine();
    engine.close();
    assertThatThrownBy(() -> Expectation.await(engine.backups().begin(backup, false, 0)))
        .isInstanceOf(UnavailableException.class);
  }
}
