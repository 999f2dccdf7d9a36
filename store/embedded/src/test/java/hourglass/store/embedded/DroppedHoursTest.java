package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.disk.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dropped hour is recorded before its first event is gone, and the record stays. */
class DroppedHoursTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey SEARCH = new RowKey(HOUR, "search", 3);
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
  @ValueSource(strings = {"write N.log", "force N.log"})
  void aCrashBetweenTheRecordAndTheEndOfADropLeavesTheRecord(String operation) throws IOException {
    store.write(columns(ROW, 200, 210)); // in the log only
    store.disk.failing = operation::equals;
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(HOUR)))
        .isInstanceOf(UnavailableException.class);
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

  /** Its events are gone at once, also those that are only in the log. */
  @ParameterizedTest
  @ValueSource(strings = {"delete N.pages", "create unfinished"})
  void bytesThatCannotBeFreedAtOnceAreFreedLater(String operation) throws IOException {
    store.write(columns(ROW, 200, 210)); // in the log only
    store.disk.failing = operation::equals;
    drop(HOUR);
    assertThat(store.pageFiles()).isNotEmpty();
    drop(HOUR.next());
    store.check();
    store.disk.failing = what -> false;
    store.kill();
    store.check();
    store.retain();
    assertThat(store.pageFiles()).isEmpty();
    assertThat(dropped()).containsExactly(HOUR + ".." + HOUR.next());
  }

  /** No write has room until the spare file is gone. */
  @ParameterizedTest
  @ValueSource(strings = {"append CATALOGUE", "write CATALOGUE", "write N.log", "force N.log"})
  void anHourIsDroppedOnAFullDisk(String operation) throws IOException {
    store.write(columns(ROW, 200, 210)); // in the log only
    store.retain();
    AtomicBoolean hasRoom = new AtomicBoolean();
    store.disk.failing =
        what -> {
          hasRoom.compareAndSet(false, what.equals("delete spare"));
          return what.equals(operation) && !hasRoom.get()
              || what.equals("create spare")
              || what.equals("create unfinished");
        };
    drop(HOUR);
    assertThat(hasRoom).isTrue();
    store.check();
    store.kill();
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

  private void drop(TypeHour of) {
    Expectation.await(store.engine().drop(of));
    store.expectation.dropAcknowledged(of);
  }

  private static String name(TypeHour of) {
    return of.hour() + "|" + of.type();
  }

  @Test
  void aTypeOfAnHourIsDroppedFromPagesAndLog() throws IOException {
    store.write(columns(SEARCH, 0, 50));
    store.flush();
    store.write(columns(SEARCH, 50, 60), columns(ROW, 200, 210)); // in the log only
    drop(SEARCH.typeHour());
    store.check();
    assertThat(store.rows(HOUR)).extracting(RowEntry::row).containsExactly(ROW);
    store.write(columns(SEARCH, 55, 58));
    store.check();
    store.kill();
    store.check();
    store.flush();
    store.clock.set(HOUR.end().plusSeconds(1));
    store.seal();
    store.reopen();
    store.check();
    assertThat(dropped()).containsExactly(name(SEARCH.typeHour()));
    drop(HOUR);
    assertThat(dropped()).containsExactly(HOUR.toString());
    store.kill();
    assertThat(dropped()).containsExactly(HOUR.toString());
  }

  @Test
  void droppedTypesInTheLogAreNoDamage() throws IOException {
    store.write(columns(SEARCH, 0, 50)); // in the log only
    drop(SEARCH.typeHour());
    List<Finding> findings = new ArrayList<>();
    StoreCheck.run(store.image(), findings::add);
    assertThat(findings).isEmpty();
  }

  @Test
  void aTypeWithoutEventsIsNotNamed() {
    drop(SEARCH.typeHour());
    drop(new TypeHour(NEXT.hour().next(), "checkout"));
    assertThat(dropped()).isEmpty();
    store.check();
  }

  @Test
  void anHourWhoseOnlyTypeWasDroppedIsEmpty() throws IOException {
    drop(NEXT.typeHour());
    assertThat(store.rows(NEXT.hour())).isEmpty();
    store.kill();
    assertThat(store.rows(NEXT.hour())).isEmpty();
    store.check();
  }

  @ParameterizedTest
  @ValueSource(strings = {"create unfinished", "move unfinished", "write N.log", "force N.log"})
  void aFailedDropOfATypeIsNamedAndSucceedsTheNextTime(String operation) throws IOException {
    store.write(columns(SEARCH, 0, 50));
    store.flush();
    store.write(columns(SEARCH, 50, 60)); // in the log only
    store.disk.failing = operation::equals;
    store.expectation.dropSent(SEARCH.typeHour());
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(SEARCH.typeHour())))
        .isInstanceOf(UnavailableException.class);
    assertThat(dropped()).containsExactly(name(SEARCH.typeHour()));
    Path image = store.image();
    store.disk.failing = what -> false;
    store.goOnFrom(image);
    assertThat(dropped()).containsExactly(name(SEARCH.typeHour()));
    store.check();
    drop(SEARCH.typeHour());
    store.check();
    store.kill();
    store.check();
  }

  @Test
  void aDropOfATypeThatCannotBeRecordedDeletesNothing() {
    store.disk.failing = "force CATALOGUE"::equals;
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(ROW.typeHour())))
        .isInstanceOf(UnavailableException.class);
    assertThat(dropped()).isEmpty();
    store.check();
    store.disk.failing = what -> false;
    drop(ROW.typeHour());
    store.check();
  }

  /** If the missing file is restored, it must not bring a dropped type back. */
  @Test
  void noTypeIsDroppedFromAnHourThatLacksAPart() throws IOException {
    store.write(columns(SEARCH, 0, 50));
    store.flush();
    long newest = store.pageFiles().keySet().stream().reduce(0L, Math::max);
    store.close();
    Path file = store.files().pages(newest);
    Path away = Files.move(file, temp.resolve("away"));
    store.missing = List.of("pages");
    store.reopen();
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(SEARCH.typeHour())))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(HOUR + ": a part is missing");
    assertThat(dropped()).isEmpty();
    store.close();
    Files.move(away, file);
    store.missing = List.of();
    store.reopen();
    store.check();
  }
}
