package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Retention;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.backup.Restore;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
  private static final Hour HOUR = RandomWrites.HOUR;
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey NEXT = new RowKey(HOUR.next(), "checkout", 0);

  private final Random random = Chance.random("BackupTest");
  private final List<Finding> findings = new ArrayList<>();
  private TestStore store;
  private Path backup;
  private Path restored;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store =
        new TestStore(
            temp,
            options ->
                options
                    .flushIdle(Duration.ofDays(1))
                    .sealAfter(Duration.ZERO)
                    .retention(
                        Retention.of(
                            Retention.FOREVER,
                            Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30)))));
    store.clock.set(HOUR.end().plus(Duration.ofDays(2)));
    backup = temp.resolve("backup");
    restored = temp.resolve("restored");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private BackupState backup() {
    Expectation.await(store.engine().backups().begin(backup, false, 0));
    await().until(() -> !last().isRunning());
    assertThat(last().failure()).isNull();
    return last();
  }

  private BackupState last() {
    BackupState last = store.engine().backups().last();
    assertThat(last).isNotNull();
    return last;
  }

  private Restore.Result restore(@Nullable String point) {
    return restore(point, null, null);
  }

  private Restore.Result restore(
      @Nullable String point, @Nullable Hour firstHour, @Nullable Hour lastHour) {
    findings.clear();
    return Restore.run(
        new Restore.Options(backup, point, firstHour, lastHour, restored),
        new SystemDisk(),
        findings::add);
  }

  private BackupCheck.Result verify() {
    findings.clear();
    return BackupCheck.verify(backup, findings::add);
  }

  private EmbeddedStore openRestored() {
    return SampleStore.open(restored, new SystemDisk());
  }

  private List<Path> pool(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(backup.resolve("pool"))) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  @Test
  void aRestoreHasAllThatWasAcknowledgedBefore() {
    RandomWrites writes = new RandomWrites(random, 3);
    for (int i = 0; i < Chance.rounds(60, 200, 1_000); i++) {
      store.write(writes.next().toArray(Mutation[]::new));
      if (random.nextInt(10) == 0) {
        store.flush();
      }
      if (random.nextInt(30) == 0) {
        store.seal();
      }
    }
    BackupState made = backup();
    assertThat(verify().damages()).isZero();
    Restore.Result result = restore(null);
    assertThat(findings).isEmpty();
    assertThat(result.point()).isEqualTo(made.id());
    assertThat(result.events()).isEqualTo(store.expectation.acknowledgedColumns());
    assertThat(StoreCheck.run(restored, findings::add).events()).isEqualTo(result.events());
    assertThat(findings).isEmpty();
    for (int opened = 0; opened < 2; opened++) {
      try (EmbeddedStore other = openRestored()) {
        store.expectation.check(other);
        assertThat(other.missing(Hour.FIRST, Hour.LAST)).isEmpty();
      }
    }
  }

  @Test
  void aRestoredStoreIsWrittenOn() {
    store.write(columns(ROW, 0, 50));
    backup();
    restore(null);
    Expectation later = store.expectation;
    for (int opened = 0; opened < 3; opened++) {
      try (EmbeddedStore other = openRestored()) {
        List<Mutation> more = List.of(columns(ROW, 20 * opened, 20 * opened + 60));
        later.sent(more);
        Expectation.await(other.write(more));
        later.acknowledged(more);
        Expectation.await(other.maintenance().seal());
        later.check(other);
      }
    }
  }

  @Test
  void lateArrivalsAndFirstTimesAreRestored() {
    FirstTimes times = new FirstTimes(new long[] {5}, new long[] {6}, new long[] {7});
    Mutation late = columns(ROW, 0, 10);
    Expectation.await(store.engine().write(List.of(late), times, SharedRoom.NOBODY));
    backup();
    restore(null);
    LateArrivals before =
        Expectation.await(store.engine().lateArrivals(LateArrivalPlace.START, 99));
    assertThat(before.settled()).isNotEmpty();
    try (EmbeddedStore other = openRestored()) {
      LateArrivals after = Expectation.await(other.lateArrivals(LateArrivalPlace.START, 99));
      assertThat(after.settled()).hasSameSizeAs(before.settled());
      assertThat(after.settledEnd()).isEqualTo(before.settledEnd());
      FirstTimes found = new FirstTimes(new long[] {5}, new long[] {6}, new long[] {9});
      assertThat(Expectation.await(other.firstTimes(found, SharedRoom.NOBODY)).ticks(0))
          .isEqualTo(7);
    }
  }

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
    try (var point = store.engine().points().take()) {
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
  void aDamagedFileOfThePoolIsFoundAndTheRestIsRestored() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    store.write(columns(NEXT, 0, 100));
    backup();
    Path damaged = pool(".pages").get(0);
    Damage.flip("", 40, 3).act().on(damaged);
    assertThat(verify().damages()).isEqualTo(1);
    assertThat(findings.get(0).damage()).contains(damaged + ": it does not match its SHA-256");
    Restore.Result result = restore(null);
    assertThat(result.damages()).isEqualTo(2);
    assertThat(findings.get(0).damage()).contains(damaged + ": damaged in the backup");
    assertThat(findings.get(0).lost()).contains(HOUR.toString());
    assertThat(findings.get(1).text()).contains(ROW + ": not as in the point", "100 events");
    assertThat(result.events()).isEqualTo(100);
    try (EmbeddedStore other = openRestored()) {
      assertThat(Expectation.read(other, NEXT, Order.ASCENDING).get(0).size()).isEqualTo(100);
    }
  }

  @Test
  void aMissingFileOfThePoolIsFoundAndTheRestIsServedWithTheSetting() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    store.write(columns(NEXT, 0, 100));
    backup();
    Path missing = pool(".pages").get(0);
    Files.delete(missing);
    assertThat(verify().damages()).isEqualTo(1);
    assertThat(restore(null).damages()).isEqualTo(2);
    assertThat(findings.get(0).damage()).contains(missing + ": missing");
    assertThatThrownBy(this::openRestored)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("store.embedded.missing=[pages/");
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

  @Test
  void someHoursAreRestoredAlone() {
    RowKey third = new RowKey(NEXT.hour().next(), "checkout", 0);
    store.write(columns(ROW, 0, 10), columns(NEXT, 0, 20), columns(third, 0, 40));
    backup();
    assertThat(restore(null, NEXT.hour(), NEXT.hour()).events()).isEqualTo(20);
    try (EmbeddedStore other = openRestored()) {
      assertThat(Expectation.await(other.hours(Hour.FIRST, Hour.LAST)))
          .containsExactly(NEXT.hour());
      Expectation.await(other.maintenance().seal());
      Expectation.await(other.maintenance().retain());
    }
    assertThat(StoreCheck.run(restored, findings::add).events()).isEqualTo(20);
    assertThat(findings).isEmpty();
  }

  @Test
  void aPointOfAStoreThatMissesAFileSaysSo() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    store.write(columns(NEXT, 0, 100));
    store.flush();
    String file = String.format("pages/%020d.pages", store.pageFiles().keySet().iterator().next());
    store.missing = List.of(file);
    Path image = store.image();
    Files.delete(image.resolve(file));
    store.goOnFrom(image);
    assertThat(backup().missing()).isEqualTo(1);
    assertThat(BackupCheck.list(backup).get(0).isWhole()).isFalse();
    assertThat(restore(null).damages()).isEqualTo(1);
    assertThat(findings.get(0).damage()).contains("the store itself missed it");
  }

  @Test
  void aPointOfAStoreWithADamagedPageSaysSo() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    Path file = store.files().pages(store.pageFiles().keySet().iterator().next());
    Damage.flip("", 60, 3).act().on(file);
    assertThat(backup().damaged()).isEqualTo(1);
    assertThat(BackupCheck.list(backup).get(0).isWhole()).isFalse();
    assertThat(verify().damages()).isEqualTo(1);
    assertThat(restore(null).damages()).isEqualTo(1);
    assertThat(findings.get(0).damage()).contains(ROW + ": damaged in the store");
  }

  @Test
  void anEmptyStoreIsRestored() {
    backup();
    assertThat(restore(null).events()).isZero();
    try (EmbeddedStore other = openRestored()) {
      assertThat(Expectation.await(other.hours(Hour.FIRST, Hour.LAST))).isEmpty();
    }
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
  void aRestoreNeedsAnEmptyFolder() throws IOException {
    backup();
    Files.createDirectories(restored);
    Files.writeString(restored.resolve("notes.txt"), "remember the milk");
    assertThatThrownBy(() -> restore(null))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("not empty, it holds notes.txt");
    Files.delete(restored.resolve("notes.txt"));
    assertThatThrownBy(() -> restore("000007-20261120T080000Z"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("no such point; there are 000001-");
    assertThat(restore(null).damages()).isZero();
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
