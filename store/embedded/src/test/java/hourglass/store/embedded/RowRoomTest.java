package hourglass.store.embedded;

import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.OverloadedException;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.RowRoom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that begin many types, in a room of 4,000 rows. */
class RowRoomTest {
  private static final int ROWS_MAX = 4_000;
  private static final int SHARE = 3_000;
  private static final long NOW_MILLIS = HOUR.start().plus(Duration.ofMinutes(10)).toEpochMilli();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private Hours hours;

  @BeforeEach
  void open() throws IOException {
    hours = TestStore.hours(temp, RowRoom.ROW_ENTRIES, RowRoom.ROW_ENTRIES * ROWS_MAX);
  }

  @AfterEach
  void close() {
    hours.close();
  }

  private void begin(Hour hour, int type, Object client) {
    RowKey row = new RowKey(hour, client + " " + type, 0);
    hours.prepare(row, client, NOW_MILLIS);
    hours.show(NumberedColumns.columns(row, 0, 1), 1, 1, NOW_MILLIS, client);
  }

  /** Returns the number of types. */
  private int fill(Hour hour, Object client) {
    int types = 0;
    try {
      while (true) {
        begin(hour, types, client);
        types++;
      }
    } catch (OverloadedException full) {
      assertThat(full).hasMessageContaining("new types");
    }
    return types;
  }

  private Duration retryAfter(Hour hour, Object client) {
    return catchThrowableOfType(OverloadedException.class, () -> begin(hour, ROWS_MAX, client))
        .retryAfter();
  }

  @Test
  void aClientWithManyNewTypesLeavesRoomForOthers() {
    assertThat(fill(HOUR, "a")).isEqualTo(SHARE);
    assertThat(fill(HOUR, "b")).isEqualTo((ROWS_MAX - SHARE) * 3 / 4);
    begin(HOUR, 0, "c");
    assertThat(hours.entries().held("a")).isEqualTo(RowRoom.ROW_ENTRIES * SHARE);
  }

  @Test
  void aFullShareAcceptsTypesThatTheHourContains() {
    fill(HOUR, "a");
    begin(HOUR, 0, "a");
    assertThatThrownBy(() -> begin(HOUR, SHARE, "a"))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContainingAll(
            "8,000 rows and pages", "6,000 are of types that this client began", "a field");
  }

  /** The store accepts new types of the next hours, so the client is told to wait for them. */
  @Test
  void retryAfterIsTheEndOfTheHour() {
    fill(HOUR, "a");
    assertThat(retryAfter(HOUR, "a")).isEqualTo(Duration.ofMinutes(50).plusSeconds(10));
    assertThat(retryAfter(HOUR.previous(), "a")).isEqualTo(Duration.ofMinutes(50).plusSeconds(10));
  }

  @Test
  void retryAfterIsShortIfAPastHourCanBeEvicted() {
    fill(HOUR.previous(), "a");
    assertThat(retryAfter(HOUR, "a")).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void aReloadedHourCountsForItsClientAgain() {
    fill(HOUR, "a");
    hours.with(
        HOUR,
        state -> {
          state.rows().forEach(row -> row.update(content -> content.withoutRuns()));
          return state;
        });
    begin(HOUR.next(), 0, "a");
    assertThat(hours.entries().held("a")).isEqualTo(RowRoom.ROW_ENTRIES);
    hours.with(HOUR, state -> state);
    assertThat(hours.entries().held("a")).isEqualTo(RowRoom.ROW_ENTRIES * (SHARE + 1));
  }
}
