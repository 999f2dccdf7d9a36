package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.Uninterrupted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Failures around a backup: disks that are full, stores that stop, and links to elsewhere. */
class BackupHazardTest extends BackupTests {
  private void beginAndAwaitFailure() {
    Expectation.await(store.engine().backups().begin(backup, false, 0));
    await().until(() -> !last().isRunning());
    store.disk.failing = operation -> false;
    assertThat(last().phase()).isEqualTo(Phase.FAILED);
  }

  /** The events stay in the segment, which no flush reads. */
  @Test
  void aPointFailsIfTheLogCannotEndItsSegment() throws IOException {
    store.write(columns(ROW, 0, 10));
    store.disk.failing = operation -> operation.equals("create N.log");
    beginAndAwaitFailure();
    assertThat(last().failure()).contains("no new segment can be begun");
    assertThat(BackupCheck.list(backup)).isEmpty();
    backup();
    assertThat(restore(null).events()).isEqualTo(10);
  }

  @Test
  void aFailedBackupLeavesNoUnfinishedFile() throws IOException {
    store.write(columns(ROW, 0, 2_000));
    store.disk.failing = operation -> operation.equals("write file");
    beginAndAwaitFailure();
    assertThat(backup.resolve(".pending")).isEmptyDirectory();
  }

  @Test
  void aStopEndsABackupBetweenTheRowsOfAnHour() {
    List<Mutation> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(columns(new RowKey(HOUR, "type" + i, 0), 0, 10));
    }
    store.write(rows.toArray(new Mutation[0]));
    Thread stop = new Thread(store.engine().backups()::close);
    AtomicBoolean isStopped = new AtomicBoolean();
    store.disk.failing =
        operation -> {
          if (operation.equals("create rows") && isStopped.compareAndSet(false, true)) {
            stop.start();
            await()
                .until(
                    () ->
                        stop.getState() == Thread.State.WAITING
                            || stop.getState() == Thread.State.TIMED_WAITING);
          }
          return false;
        };
    beginAndAwaitFailure();
    assertThat(last().failure()).contains("stopped, since the store is closing");
    assertThat(last().rows()).isZero();
  }

  /** A copy that was left by a backup that failed, and was damaged since. */
  @Test
  void aDamagedFileThatNoPointListsIsCopiedAgain() throws IOException {
    store.write(columns(ROW, 0, 2_000));
    store.disk.failing = operation -> operation.equals("create point");
    beginAndAwaitFailure();
    Damage.flip("", 60, 3).act().on(pool(".pages").get(0));
    assertThat(backup().damaged()).isZero();
    assertThat(verify().damages()).isZero();
    assertThat(restore(null).events()).isEqualTo(2_000);
  }

  @Test
  void foldersThatAreLinksAreRefused() throws IOException {
    backup();
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("notes.txt"), "remember the milk");
    for (String name : List.of(".pending", "points", "pool", "LOCK")) {
      Path ours = backup.resolve(name);
      Path moved = temp.resolve("moved" + name);
      Files.move(ours, moved);
      Files.createSymbolicLink(ours, name.equals("LOCK") ? elsewhere.resolve("absent") : elsewhere);
      assertThatThrownBy(() -> Expectation.await(store.engine().backups().begin(backup, false, 0)))
          .as(name)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining(ours + ": is a symbolic link");
      assertThat(elsewhere).isDirectoryContaining("glob:**notes.txt");
      assertThat(elsewhere.resolve("absent")).doesNotExist();
      Files.delete(ours);
      Files.move(moved, ours);
    }
    backup();
  }

  @Test
  void aFolderInsideOfABackupIsRefused() {
    backup();
    for (String inside : List.of(".pending/a", "b")) {
      assertThatThrownBy(
              () ->
                  Expectation.await(
                      store.engine().backups().begin(backup.resolve(inside), false, 0)))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("in the folder of the backup " + backup);
      assertThat(backup.resolve(inside)).doesNotExist();
    }
  }

  @Test
  void aFileInThePlaceOfTheFolderIsRefused() throws IOException {
    Files.writeString(backup, "remember the milk");
    assertThatThrownBy(() -> Expectation.await(store.engine().backups().begin(backup, false, 0)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(backup + ": is a file, and should be a folder");
  }

  /** Deleted files leave the disk only after the backup, and writes are refused until then. */
  @Test
  void aBackupGivesWayIfItKeepsFilesOfAFullStore() throws IOException {
    store.write(columns(ROW, 0, 2_000), columns(NEXT, 0, 2_000));
    store.flush();
    Expectation.await(store.engine().backups().begin(backup, false, 1));
    await().until(() -> last().phase() == Phase.COPYING && last().bytesNew() > 0);
    store.disk.usableBytes = RESERVE - 1;
    store.engine().drop(HOUR).toCompletableFuture().join();
    await().until(() -> !last().isRunning());
    assertThat(last().failure()).contains("bytes free", "files that were deleted");
    store.retain();
    assertThat(store.pageFiles()).hasSize(1).doesNotContainKey(1L);
  }

  @Test
  void aStopDoesNotWaitForADiskThatHangs() throws Exception {
    store.write(columns(ROW, 0, 2_000));
    CountDownLatch isThere = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    FaultyDisk disk = new FaultyDisk();
    disk.failing =
        operation -> {
          if (operation.equals("force file")) {
            isThere.countDown();
            Uninterrupted.await(goesOn::await);
          }
          return false;
        };
    SpaceGuard space = new SpaceGuard(disk, store.files().dir(), RESERVE);
    Backups backups =
        new Backups(
            store.engine().backups().source(),
            store.files().dir(),
            disk,
            store.clock,
            space,
            Duration.ofMillis(1));
    Expectation.await(backups.begin(backup, false, 0));
    isThere.await();
    Thread close = new Thread(backups::close);
    close.start();
    await().until(() -> !close.isAlive());
    BackupState state = backups.last();
    assertThat(state).isNotNull();
    assertThat(state.isRunning()).isTrue();
    goesOn.countDown();
    backups.close();
    await().until(() -> !Objects.requireNonNull(backups.last()).isRunning());
    assertThat(BackupCheck.list(backup)).isEmpty();
  }
}
