package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.Restore;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RestoreTest extends BackupTests {
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
  void aDamagedFileOfThePoolIsFoundAndTheRestIsRestored() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    store.write(columns(NEXT, 0, 100));
    backup();
    Path damaged = pool(".pages").get(0);
    Damage.flip("", 40, 3).act().on(damaged);
    assertThat(verify().damages()).isEqualTo(1);
    assertThat(findings.get(0).damage()).contains(damaged + ": it does not match its SHA-256");
    assertThat(findings.get(0).lost())
        .startsWith("100 events of " + ROW + " from 2026-11-20T08")
        .endsWith(", in point " + last().id());
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
  void aFolderThatIsInUseIsNoPlaceForARestore() throws IOException {
    backup();
    Files.createDirectories(restored);
    try (DirectoryLock lock = DirectoryLock.take(new StoreFiles(restored))) {
      assertThatThrownBy(() -> restore(null))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("in use by process");
    }
  }

  @Test
  void noStoreOpensAFolderWhileARestoreFillsIt() {
    store.write(columns(ROW, 0, 10));
    backup();
    AtomicInteger refused = new AtomicInteger();
    FaultyDisk disk = new FaultyDisk();
    disk.failing =
        operation -> {
          if (operation.startsWith("create ")) {
            assertThatThrownBy(this::openRestored)
                .isInstanceOfAny(UnavailableException.class, CorruptException.class);
            refused.incrementAndGet();
          }
          return false;
        };
    Restore.Options options = new Restore.Options(backup, null, null, null, restored);
    assertThat(Restore.run(options, disk, findings::add).events()).isEqualTo(10);
    assertThat(refused).hasPositiveValue();
    try (EmbeddedStore other = openRestored()) {
      store.expectation.check(other);
    }
  }
}
