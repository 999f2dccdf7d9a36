package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.RowEntry;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.RowContent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types by the ten thousand: what each takes of memory, and how they come to pages and back. */
class ManyTypesTest {
  private static final int MANY = 24_000;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private static RowKey row(Hour hour, int type) {
    return new RowKey(hour, "type " + type, 0);
  }

  private static List<Mutation> oneEach(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(type -> columns(row(HOUR, type), type % 100, type % 100 + 1))
        .toList();
  }

  private static void write(TestStore store, int types) {
    for (int from = 0; from < types; from += 2_000) {
      Expectation.await(store.engine().write(oneEach(from, from + 2_000)));
    }
  }

  private static void check(TestStore store, int types, int columns) {
    List<RowEntry> rows = store.rows(HOUR);
    assertThat(rows).hasSize(types);
    assertThat(rows).allMatch(row -> row.columns() == columns);
  }

  @Test
  void aTypeWithOneEventUsesLittleMemory() {
    try (TestStore store = new TestStore(temp, options -> options.segmentBytes(64 << 20))) {
      Expectation.await(store.engine().write(oneEach(0, 2_000)));
      assertThat(store.openBytes()).isBetween(2_000L * 300, 2_000L * 900);
    }
  }

  /** The log contains all rows: replaying them takes less time than writing a page of each. */
  @Test
  void aStopLeavesTooManyRowsToTheLog() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options.segmentBytes(64 << 20))) {
      write(store, MANY);
      store.reopen();
      check(store, MANY, 1);
      store.flush();
      assertThat(store.openBytes()).isZero();
      assertThat(store.pages("keep", HOUR).pages().size()).isEqualTo(MANY);
      check(store, MANY, 1);
      store.reopen();
      check(store, MANY, 1);
      store.kill();
      check(store, MANY, 1);
    }
  }

  /** Each force takes milliseconds on some disks, and a flush waits while an hour is sealed. */
  @Test
  void rowsShareTheForcesOfAFlushAndASeal() {
    try (TestStore store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO))) {
      AtomicInteger forces = new AtomicInteger();
      store.disk.failing =
          operation -> {
            forces.addAndGet(operation.startsWith("force") ? 1 : 0);
            return false;
          };
      for (int round = 0; round < 2; round++) {
        for (int type = 0; type < 3_000; type += 1_000) {
          int number = round;
          List<Mutation> write =
              IntStream.range(type, type + 1_000)
                  .mapToObj(each -> columns(row(HOUR, each), number, number + 1))
                  .toList();
          Expectation.await(store.engine().write(write));
        }
        store.flush();
      }
      store.clock.set(HOUR.end().plus(Duration.ofHours(1)));
      store.seal(); // two pages of each row become one
      check(store, 3_000, 2);
      assertThat(store.rows(HOUR)).allMatch(RowEntry::sealed);
      assertThat(forces.get()).isLessThan(300);
    }
  }

  @Test
  void rowsAndPagesAreCountedAsTheyChange() throws IOException {
    try (TestStore store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO))) {
      Hours hours = TestStore.hours(temp, 8, 12);
      RowKey first = row(HOUR, 1);
      OpenRun run = new OpenRun(columns(first, 0, 1).columns(), 1, 1);
      hours.withWritten(
          HOUR,
          state -> {
            state.row(first).update(content -> content.withRun(run));
            assertThat(state.openRows()).isEqualTo(1);
            assertThat(state.entries()).as("a row and its page").isEqualTo(2);
            state.row(first).update(RowContent::withoutRuns);
            assertThat(state.openRows()).isZero();
            for (int type = 2; type < 7; type++) {
              hours.admit(state, row(HOUR, type), SharedRoom.NOBODY, 0);
              state.row(row(HOUR, type));
            }
            assertThat(state.entries()).isEqualTo(12);
            hours.admit(state, first, SharedRoom.NOBODY, 0);
            assertThatThrownBy(() -> hours.admit(state, row(HOUR, 7), SharedRoom.NOBODY, 0))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContainingAll(
                    "new types", "12 rows and pages", "12 of others", HOUR.toString(), "type 7");
            return null;
          });
      Hour next = HOUR.next();
      hours.with(next, state -> hoursLeave(hours, state));
      hours.close();
    }
  }

  /** The hour before is in use no more, and makes room. */
  private static boolean hoursLeave(Hours hours, LoadedHour state) {
    hours.admit(state, row(state.hour(), 7), SharedRoom.NOBODY, 0);
    assertThat(hours.loaded()).containsExactly(state);
    return true;
  }
}
