package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Retention;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.Restore;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store, the folder of its backups, and one to restore into. */
abstract class BackupTests {
  static final Hour HOUR = RandomWrites.HOUR;
  static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  static final RowKey NEXT = new RowKey(HOUR.next(), "checkout", 0);
  static final long RESERVE = 1_000_000_000;

  final Random random = Chance.random(getClass().getSimpleName());
  final List<Finding> findings = new ArrayList<>();
  Retention retention =
      Retention.of(Retention.FOREVER, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30)));
  TestStore store;
  Path backup;
  Path restored;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store =
        new TestStore(
            temp,
            options ->
                options
                    .reserveBytes(RESERVE)
                    .flushIdle(Duration.ofDays(1))
                    .sealAfter(Duration.ZERO)
                    .retention(retention));
    store.clock.set(HOUR.end().plus(Duration.ofDays(2)));
    backup = temp.resolve("backup");
    restored = temp.resolve("restored");
  }

  @AfterEach
  void close() {
    store.close();
  }

  BackupState backup() {
    Expectation.await(store.engine().backups().begin(backup, false, 0));
    await().until(() -> !last().isRunning());
    assertThat(last().failure()).isNull();
    return last();
  }

  BackupState last() {
    BackupState last = store.engine().backups().last();
    assertThat(last).isNotNull();
    return last;
  }

  Restore.Result restore(@Nullable String point) {
    return restore(point, null, null);
  }

  Restore.Result restore(
      @Nullable String point, @Nullable Hour firstHour, @Nullable Hour lastHour) {
    findings.clear();
    return Restore.run(
        new Restore.Options(backup, point, firstHour, lastHour, restored),
        new SystemDisk(),
        findings::add);
  }

  BackupCheck.Result verify() {
    findings.clear();
    return BackupCheck.verify(backup, findings::add);
  }

  EmbeddedStore openRestored() {
    return SampleStore.open(restored, new SystemDisk());
  }

  List<Path> pool(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(backup.resolve("pool"))) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }
}
