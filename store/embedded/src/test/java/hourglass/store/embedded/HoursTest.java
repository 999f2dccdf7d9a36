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
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PagesOnDisk;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hours are loaded when used, and evicted for others; none is lost. */
class HoursTest {
  /** More than stay loaded. */
  private static final int MANY = 270;

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
      store.check();
      Manifest sealed = store.manifest(row(0));
      store.write(columns(row(0), 3, 8), columns(row(MANY - 1), 3, 8));
      store.check();
      assertThat(store.entry(row(0)).marks()).isNotEqualTo(sealed.marks());
      store.flush();
      store.check();
      assertThat(store.manifest(row(1)).columns()).isEqualTo(5);
      assertThat(store.hours()).hasSize(MANY);
      store.kill();
      store.check();
    }
  }

  /** A reader of the directory may have found the row a moment before its columns went. */
  @Test
  void aRowWithoutColumnsHasNoEntry() throws IOException {
    try (Hours hours = TestStore.hours(temp)) {
      hours.show(columns(row(0), 0, 5), 1, 1, 0, SharedRoom.NOBODY);
      hours.with(
          HOUR,
          state -> {
            Row row = state.row(row(0));
            assertThat(state.directory()).hasSize(1);
            row.update(RowContent::withoutRuns);
            assertThat(row.entry()).isNull();
            assertThat(state.directory()).isEmpty();
            return state;
          });
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
      store.write(columns(row(0), 250, 750));
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
      Path file = store.files().pages(1);
      byte[] bytes = Files.readAllBytes(file);
      Arrays.fill(bytes, 20, bytes.length, (byte) 1);
      Files.write(file, bytes);
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

  /** Hours of a directory, of which the first load is held until it may go on. */
  private static final class HeldLoad extends MissingParts {
    private final CountDownLatch loading = new CountDownLatch(1);
    private final CompletableFuture<Void> goOn = new CompletableFuture<>();

    private HeldLoad() {
      super(List.of());
    }

    private Hours hours(Path dir) throws IOException {
      return new Hours(
          PagesOnDisk.open(new SystemDisk(), dir),
          this,
          type -> StoreFiles.KEEP,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);
    }

    @Override
    public Set<Long> files(ClassHour of) {
      if (loading.getCount() > 0) {
        loading.countDown();
        goOn.join();
      }
      return super.files(of);
    }
  }

  private static CompletableFuture<Integer> rows(Hours hours, Hour hour) {
    return CompletableFuture.supplyAsync(() -> hours.with(hour, state -> state.rows().size()));
  }

  private Path twoHours() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options)) {
      store.write(columns(row(0), 0, 5), columns(row(1), 0, 5));
      store.flush();
      return store.files().dir();
    }
  }

  @Test
  void aSlowLoadDelaysNoOtherHour() throws Exception {
    HeldLoad held = new HeldLoad();
    Hours hours = held.hours(twoHours());
    CompletableFuture<Integer> slow = rows(hours, row(0).hour());
    try {
      held.loading.await();
      assertThat(rows(hours, row(1).hour()).join()).isEqualTo(1);
      hours.show(columns(row(2), 0, 5), 1, 1, 0, SharedRoom.NOBODY);
      assertThat(rows(hours, row(2).hour()).join()).isEqualTo(1);
      assertThat(slow).isNotDone();
    } finally {
      held.goOn.complete(null); // else the hours would not close after a failure
    }
    assertThat(slow.join()).isEqualTo(1);
    hours.close();
  }

  /** The next owner of the folder may delete the files that the load reads. */
  @Test
  void aLoadUnderWayEndsBeforeAClose() throws Exception {
    HeldLoad held = new HeldLoad();
    Hours hours = held.hours(twoHours());
    CompletableFuture<Integer> slow = rows(hours, HOUR);
    held.loading.await();
    Thread closing = new Thread(hours::close);
    closing.start();
    try {
      await().until(() -> closing.getState() == Thread.State.WAITING);
      assertThat(slow).isNotDone();
      assertThatThrownBy(() -> hours.with(HOUR.next(), LoadedHour::rows))
          .isInstanceOf(UnavailableException.class)
          .hasMessage("the store is closed");
    } finally {
      held.goOn.complete(null);
    }
    closing.join();
    assertThat(slow.join()).isEqualTo(1); // its thread may be behind that of the close
  }

  /** Somebody who looks at the folders, or copies them, may leave such files. */
  @Test
  void foreignFilesInAnOpenStoreAreLeftAlone() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options)) {
      store.write(columns(row(0), 0, 5), columns(row(1), 0, 5));
      store.flush();
      store.reopen();
      List<Path> others = new ArrayList<>();
      for (String name : List.of("tmp", "1.pages.bak")) {
        others.add(Files.createDirectory(store.files().pages().resolve(name)));
      }
      store.write(columns(row(0), 5, 8), columns(row(2), 0, 3));
      store.flush();
      store.retain();
      store.check();
      Expectation.await(store.engine().drop(row(2).hour()));
      store.expectation.over(row(2));
      store.check();
      store.reopen();
      store.check();
      assertThat(others).allSatisfy(folder -> assertThat(folder).isEmptyDirectory());
    }
  }
}
