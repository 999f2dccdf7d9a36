package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.Manifest;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.OpenRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hours are loaded when used, and evicted for others; none is lost. */
class HoursTest {
  /** More than stay loaded. */
  private static final int MANY = 270;

  private static final int LOADED_MAX = 256;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private static RowKey row(int hour) {
    return new RowKey(new Hour(HOUR.epochHours() + hour), "checkout", 0);
  }

  @Test
  void unusedHoursAreEvictedAndReloaded() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO))) {
      for (int hour = 0; hour < MANY; hour++) {
        store.write(columns(row(hour), 0, 5));
        if (hour % 20 == 19) {
          store.flush();
        }
      }
      store.clock.set(row(MANY).hour().end());
      for (int hour = 0; hour < MANY; hour += 64) {
        store.seal(); // a pass takes so many
      }
      assertThat(MappedMemory.below(temp)).as("sealed hours in memory").isEmpty();
      store.check();
      assertThat(MappedMemory.below(temp)).as("read hours in memory").isEmpty();
      assertThat(openHours(store)).isLessThanOrEqualTo(LOADED_MAX);
      Manifest sealed = store.manifest(row(0));
      store.write(columns(row(0), 3, 8), columns(row(MANY - 1), 3, 8));
      store.check();
      assertThat(store.entry(row(0)).marks()).isNotEqualTo(sealed.marks());
      store.flush();
      store.check();
      assertThat(store.manifest(row(1)).columns()).isEqualTo(5);
      assertThat(openHours(store)).isLessThanOrEqualTo(LOADED_MAX);
      assertThat(store.hours()).hasSize(MANY);
      store.kill();
      store.check();
    }
  }

  /** Columns in memory only cannot be loaded again. */
  @Test
  void hoursWithColumnsInNoPageStayInMemory() {
    try (TestStore store = new TestStore(temp, options -> options)) {
      for (int hour = 0; hour < MANY; hour++) {
        store.write(columns(row(hour), 0, 5));
      }
      store.check();
    }
  }

  @Test
  void evictedHoursSurviveAKillAndCanBeDropped() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO))) {
      store.write(columns(row(0), 0, 500), columns(row(1), 0, 500));
      store.flush();
      store.kill();
      store.check();
      store.write(columns(row(0), 250, 750)); // into a map of its own
      store.clock.set(row(2).hour().end());
      store.seal();
      store.check();
      Expectation.await(store.engine().drop(row(1).hour()));
      store.expectation.over(row(1));
      store.check();
      store.reopen();
      store.check();
      assertThat(store.hours()).containsExactly(HOUR);
    }
  }

  private static long openHours(TestStore store) throws IOException {
    long open = 0;
    for (Path dir : DirectoryImage.folders(store.files().hours().resolve(StoreFiles.KEEP))) {
      open += Files.exists(StoreFiles.openMarker(dir)) ? 1 : 0;
    }
    return open;
  }

  /** An hour is found empty by one thread while another is about to add to it. */
  @Test
  void anHourBeingWrittenIsNotEvicted() throws Exception {
    Hours hours = TestStore.hours(temp);
    List<Thread> forgetting = new ArrayList<>();
    hours.withWritten(
        HOUR,
        state -> {
          Thread other = new Thread(() -> hours.forgetIfEmpty(state));
          forgetting.add(other);
          other.start();
          await()
              .until(
                  () ->
                      List.of(Thread.State.BLOCKED, Thread.State.TERMINATED)
                          .contains(other.getState()));
          OpenRun run = new OpenRun(columns(row(0), 0, 1).columns(), 1, 1);
          state.row(row(0)).update(content -> content.withRun(run));
          return null;
        });
    forgetting.get(0).join();
    assertThat(hours.known(Hour.FIRST, Hour.LAST)).containsExactly(HOUR);
    hours.close();
  }

  /**
   * One class loads and the next one fails: neither stays in memory, however often this happens.
   */
  @Test
  void anHourThatFailsToLoadUsesNoMemory() throws IOException {
    Map<String, Duration> byType = Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30));
    try (TestStore store =
        new TestStore(
            temp, options -> options.retention(Retention.of(Retention.FOREVER, byType)))) {
      store.write(columns(row(0), 0, 5));
      store.write(columns(new RowKey(HOUR, RandomWrites.SHORT_LIVED, 0), 0, 5));
      store.flush();
      store.close();
      Files.writeString(
          StoreFiles.inventory(store.folder(StoreFiles.KEEP, HOUR)), "damaged".repeat(100));
      Hours hours = TestStore.hours(store.files().dir(), 3, 3);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> hours.with(HOUR, LoadedHour::rows))
            .isInstanceOf(CorruptException.class);
      }
      Hour next = HOUR.next();
      assertThatCode(
              () ->
                  hours.with(
                      next,
                      state -> {
                        hours.admit(state, row(1), SharedRoom.NOBODY, 0);
                        return state;
                      }))
          .doesNotThrowAnyException();
      hours.close();
    }
  }

  @Test
  void aSlowLoadDelaysNoOtherHour() throws Exception {
    try (TestStore store = new TestStore(temp, options -> options)) {
      store.write(columns(row(0), 0, 5), columns(row(1), 0, 5));
      store.flush();
      store.reopen();
      CountDownLatch loading = new CountDownLatch(1);
      CompletableFuture<Void> goOn = new CompletableFuture<>();
      holdLoad(store, store.disk, loading, goOn);
      CompletableFuture<List<RowEntry>> slow =
          store.engine().rows(row(0).hour()).toCompletableFuture();
      try {
        loading.await();
        assertThat(store.rows(row(1).hour())).hasSize(1);
        store.write(columns(row(1), 5, 8), columns(row(2), 0, 5));
        assertThat(slow).isNotDone();
      } finally {
        goOn.complete(null); // else the store would not close after a failure
      }
      assertThat(slow.join()).hasSize(1);
      store.check();
    }
  }

  /** The next owner of the folder may write to an inventory whose end the load cuts off. */
  @Test
  void aLoadUnderWayEndsBeforeAClose() throws Exception {
    try (TestStore store = new TestStore(temp, options -> options)) {
      store.write(columns(row(0), 0, 5));
      store.flush();
      store.close();
      CountDownLatch loading = new CountDownLatch(1);
      CompletableFuture<Void> goOn = new CompletableFuture<>();
      FaultyDisk disk = new FaultyDisk();
      holdLoad(store, disk, loading, goOn);
      Hours hours =
          TestStore.hours(
              disk,
              store.files().dir(),
              type -> StoreFiles.KEEP,
              Integer.MAX_VALUE,
              Integer.MAX_VALUE);
      CompletableFuture<Integer> slow =
          CompletableFuture.supplyAsync(() -> hours.with(HOUR, state -> state.rows().size()));
      loading.await();
      Thread closing = new Thread(hours::close);
      closing.start();
      try {
        await().until(() -> closing.getState() == Thread.State.WAITING);
        assertThat(slow).isNotDone();
        assertThatThrownBy(() -> hours.with(HOUR.next(), LoadedHour::rows))
            .isInstanceOf(UnavailableException.class)
            .hasMessage("the store is closed");
      } finally {
        goOn.complete(null);
      }
      closing.join();
      assertThat(slow.join()).isEqualTo(1); // its thread may be behind that of the close
    }
  }

  /** Holds a load that cuts off a torn end until {@code goOn} completes. */
  private static void holdLoad(
      TestStore store, FaultyDisk disk, CountDownLatch loading, CompletableFuture<Void> goOn)
      throws IOException {
    Path inventory = StoreFiles.inventory(store.folder(StoreFiles.KEEP, HOUR));
    Files.write(inventory, new byte[] {1}, StandardOpenOption.APPEND);
    disk.failing =
        operation -> {
          if (operation.equals("append inventory") && loading.getCount() > 0) {
            loading.countDown();
            goOn.join();
          }
          return false;
        };
  }

  /** Somebody who looks at the folders, or copies them, may leave such folders. */
  @Test
  void foreignFoldersInAnOpenStoreAreLeftAlone() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options)) {
      store.write(columns(row(0), 0, 5), columns(row(1), 0, 5));
      store.flush();
      store.reopen();
      List<Path> others = new ArrayList<>();
      for (String name : List.of("tmp", "keep.bak", "keep/tmp", "keep/" + HOUR + ".bak")) {
        others.add(Files.createDirectory(store.files().hours().resolve(name)));
      }
      store.write(columns(row(0), 5, 8), columns(row(2), 0, 3));
      store.flush();
      store.retain();
      store.check();
      Expectation.await(store.engine().drop(row(2).hour()));
      store.expectation.over(row(2));
      store.check();
      assertThat(others).allSatisfy(folder -> assertThat(folder).isEmptyDirectory());
      for (Path folder : others) {
        Files.delete(folder);
      }
      store.reopen();
      store.check();
    }
  }

  /** It says nothing of the columns that are written, which are to be sent again. */
  @Test
  void aFileInPlaceOfAClassFolderMakesHoursUnavailable() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options)) {
      Path file = Files.createFile(store.files().hours().resolve("720h"));
      assertThatThrownBy(() -> store.write(columns(row(0), 0, 5)))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContainingAll(file.toString(), "should be a folder");
      Files.delete(file);
      store.write(columns(row(0), 0, 5));
      store.check();
    }
  }
}
