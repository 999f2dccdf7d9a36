package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Retention;
import hourglass.store.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dropped hour is recorded before its first event is gone, and the record stays. */
class DroppedHoursTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey NEXT = new RowKey(HOUR.next(), "checkout", 0);

  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store =
        new TestStore(
            temp, options -> options.retention(Retention.of(Duration.ofHours(2), Map.of())));
    store.write(columns(ROW, 0, 100), columns(NEXT, 0, 100));
    store.flush();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<String> dropped() {
    return Expectation.await(store.engine().dropped(Hour.FIRST, Hour.LAST)).names();
  }

  private void drop(Hour hour) {
    Expectation.await(store.engine().drop(hour));
    store.expectation.dropAcknowledged(hour);
  }

  @Test
  void dropsSurviveACrash() throws IOException {
    drop(HOUR);
    store.kill();
    assertThat(dropped()).containsExactly(HOUR.toString());
    store.check();
    drop(HOUR.next());
    store.kill();
    assertThat(dropped()).containsExactly(HOUR + ".." + HOUR.next());
  }

  @Test
  void anHourThatIsOnlyInTheLogIsRecordedToo() throws IOException {
    RowKey inLog = new RowKey(new Hour(HOUR.epochHours() + 5), "checkout", 0);
    store.write(columns(inLog, 0, 10));
    drop(inLog.hour());
    store.kill();
    assertThat(dropped()).containsExactly(inLog.hour().toString());
    store.check();
  }

  /** The pages of the hour leave the catalogue together with the record. */
  @ParameterizedTest
  @ValueSource(strings = {"write N.log", "force N.log", "delete N.pages", "create unfinished"})
  void aCrashBetweenTheRecordAndTheEndOfADropLeavesTheRecord(String operation) throws IOException {
    store.write(columns(ROW, 200, 210)); // in the log only
    store.disk.failing = operation::equals;
    if (operation.equals("create unfinished")) { // the bytes go later
      drop(HOUR);
    } else {
      assertThatThrownBy(() -> Expectation.await(store.engine().drop(HOUR)))
          .isInstanceOf(UnavailableException.class);
    }
    assertThat(dropped()).containsExactly(HOUR.toString());
    Path image = store.image();
    store.disk.failing = what -> false;
    store.goOnFrom(image);
    assertThat(dropped()).containsExactly(HOUR.toString());
    drop(HOUR);
    assertThat(store.rows(HOUR)).isEmpty();
    assertThat(dropped()).containsExactly(HOUR.toString());
    store.check();
  }

  @ParameterizedTest
  @ValueSource(strings = {"append CATALOGUE", "write CATALOGUE", "force CATALOGUE"})
  void aDropThatCannotBeRecordedDeletesNothing(String operation) throws IOException {
    store.disk.failing = operation::equals;
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(HOUR)))
        .isInstanceOf(UnavailableException.class);
    assertThat(dropped()).isEmpty();
    store.check();
    store.disk.failing = what -> false;
    drop(HOUR);
    assertThat(dropped()).containsExactly(HOUR.toString());
    store.kill();
    assertThat(dropped()).containsExactly(HOUR.toString());
    store.check();
  }

  @Test
  void hoursWhoseRetentionIsOverAreNotDropped() {
    store.clock.set(HOUR.end().plus(Duration.ofHours(2)));
    store.retain();
    store.expectation.over(ROW);
    store.check();
    assertThat(dropped()).isEmpty();
  }
}
