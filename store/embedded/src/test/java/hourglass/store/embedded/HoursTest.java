package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hours come into memory when they are used, and go when others are; none is lost on the way. */
@Timeout(120)
class HoursTest {
  /** More than stay in memory. */
  private static final int MANY = 110;

  private static final int LOADED_MAX = 96;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private static RowKey row(int hour) {
    return new RowKey(new Hour(HOUR.epochHours() + hour), "checkout", 0);
  }

  @Test
  void hoursThatAreNotUsedLeaveMemoryAndComeBack() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO))) {
      for (int hour = 0; hour < MANY; hour++) {
        store.write(columns(row(hour), 0, 5));
        if (hour % 20 == 19) {
          store.flush();
        }
      }
      store.clock.set(row(MANY).hour().end());
      store.seal();
      store.seal(); // a pass takes some hours at a time
      store.seal();
      store.check();
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

  /** Columns in memory only have nowhere to come back from. */
  @Test
  void hoursWithColumnsInNoPageStayInMemory() {
    try (TestStore store = new TestStore(temp, options -> options)) {
      for (int hour = 0; hour < MANY; hour++) {
        store.write(columns(row(hour), 0, 5));
      }
      store.check();
    }
  }

  private static long openHours(TestStore store) throws IOException {
    long open = 0;
    for (Path dir : Hours.list(store.files().hours().resolve(StoreFiles.KEEP))) {
      open += Files.exists(StoreFiles.openMarker(dir)) ? 1 : 0;
    }
    return open;
  }

  /** An hour is found empty by one thread while another is about to add to it. */
  @Test
  void anHourThatIsWrittenToIsNotForgotten() throws Exception {
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
}
