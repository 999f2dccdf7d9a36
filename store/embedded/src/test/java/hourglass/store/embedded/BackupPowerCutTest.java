package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupCheck.Summary;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.backup.Prune;
import hourglass.store.embedded.backup.Restore;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The power is cut at each operation on the disk of a backup in turn, while points are made and
 * pruned, and on that of a restore. Whatever is left there, the last whole point is restored, and
 * the next run goes on.
 */
@Timeout(1200)
class BackupPowerCutTest extends BackupTests {
  /** The first tier cuts at one operation of so many. */
  private static final int STEP = Chance.rounds(3, 1, 1);

  /** The points that were complete, with the events of each, in their order. */
  private final List<Long> made = new ArrayList<>();

  private final Set<String> places = new TreeSet<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLastWholePointRemainsWhileOthersAreMadeAndPruned(boolean link) throws IOException {
    store.write(columns(ROW, 0, 2_000));
    store.seal();
    store.write(columns(NEXT, 0, 10));
    store.flush();
    int at = random.nextInt(STEP);
    while (cutAt(at, link)) {
      at += STEP;
    }
    assertThat(at).as("operations").isGreaterThan(30);
    assertThat(places).as("kinds of operations").hasSizeGreaterThan(10);
  }

  /** Makes and prunes points on a disk that is cut at an operation; false if there are fewer. */
  private boolean cutAt(int operation, boolean link) throws IOException {
    made.clear();
    Path dir = temp.resolve("made" + operation + link);
    Path image = temp.resolve("image" + operation + link);
    Files.createDirectories(dir);
    PowerCutDisk disk = new PowerCutDisk(dir, temp.resolve("graves" + operation + link), random);
    List<Long> madeBefore = new ArrayList<>();
    disk.cutAfter(operation, image, () -> madeBefore.addAll(made));
    try (Backups backups =
        new Backups(
            store.engine().backups().source(),
            store.files().dir(),
            disk,
            store.clock,
            space(disk))) {
      make(backups, dir, link);
      store.write(columns(NEXT, 20 + 20 * operation, 30 + 20 * operation));
      make(backups, dir, link);
      store.clock.pass(Duration.ofDays(9));
      prune(dir, disk);
      make(backups, dir, link);
    }
    boolean wasCut = disk.cutAt() != null;
    disk.cutNow();
    places.add(String.valueOf(disk.cutAt()));
    checkImage(image, wasCut ? madeBefore : made, operation);
    TestStore.delete(dir);
    TestStore.delete(image);
    return wasCut;
  }

  private SpaceGuard space(Disk disk) throws IOException {
    return new SpaceGuard(disk, store.files().dir(), 0L);
  }

  private void make(Backups backups, Path dir, boolean link) {
    Expectation.await(backups.begin(dir, link, 0));
    await().until(() -> !state(backups).isRunning());
    assertThat(state(backups).failure()).isNull();
    made.add((long) store.expectation.acknowledgedColumns());
  }

  private static BackupState state(Backups backups) {
    BackupState state = backups.last();
    assertThat(state).isNotNull();
    return state;
  }

  private void prune(Path dir, Disk disk) {
    Prune.run(dir, store.clock.instant().minus(Duration.ofDays(1)), disk);
  }

  private void checkImage(Path image, List<Long> whole, int operation) throws IOException {
    backup = image;
    restored = temp.resolve("restored");
    if (Files.exists(image.resolve("BACKUP"))) {
      assertThat(verify().damages()).as("%s: %s", operation, findings).isZero();
      List<Summary> points = BackupCheck.list(image);
      assertThat(points.isEmpty() && !whole.isEmpty()).as("points are lost").isFalse();
      if (!points.isEmpty()) {
        long newest = points.get(points.size() - 1).events();
        long least = whole.isEmpty() ? 0 : whole.get(whole.size() - 1);
        assertThat(newest).as("events of the newest point").isGreaterThanOrEqualTo(least);
        assertThat(restore(null).damages()).as("%s", findings).isZero();
        TestStore.delete(restored);
      }
    } else {
      assertThat(whole).isEmpty();
    }
    try (Backups backups =
        new Backups(
            store.engine().backups().source(),
            store.files().dir(),
            new SystemDisk(),
            store.clock,
            space(new SystemDisk()))) {
      make(backups, image, false);
    }
    prune(image, new SystemDisk());
    assertThat(verify().damages()).as("%s", findings).isZero();
    assertThat(restore(null).events()).isEqualTo(store.expectation.acknowledgedColumns());
    TestStore.delete(restored);
  }

  @Test
  void aRestoreThatIsCutIsRefusedByAStartOrWhole() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.write(columns(NEXT, 0, 10));
    backup();
    boolean wasCut = true;
    for (int operation = random.nextInt(STEP); wasCut; operation += STEP) {
      wasCut = restoreCutAt(operation);
    }
    assertThat(places).as("kinds of operations").hasSizeGreaterThan(10);
  }

  private boolean restoreCutAt(int operation) throws IOException {
    restored = temp.resolve("restored" + operation);
    Path image = temp.resolve("image" + operation);
    Files.createDirectories(restored);
    PowerCutDisk disk = new PowerCutDisk(restored, temp.resolve("graves" + operation), random);
    boolean[] isDone = {false};
    boolean[] wasDone = {false};
    disk.cutAfter(operation, image, () -> wasDone[0] = isDone[0]);
    Restore.Options options = new Restore.Options(backup, null, null, null, restored);
    assertThat(Restore.run(options, disk, findings::add).damages()).isZero();
    isDone[0] = true;
    boolean wasCut = disk.cutAt() != null;
    disk.cutNow();
    places.add(String.valueOf(disk.cutAt()));
    restored = image;
    if (Files.exists(image.resolve("VERSION"))) {
      try (EmbeddedStore other = openRestored()) {
        store.expectation.check(other);
      }
    } else {
      assertThat(wasDone[0]).isFalse();
    }
    TestStore.delete(temp.resolve("restored" + operation));
    TestStore.delete(image);
    return wasCut;
  }
}
