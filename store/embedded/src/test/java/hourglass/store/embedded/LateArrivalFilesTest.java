package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.frames.FramePreamble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Notes move from the log to files of their own, which are deleted in the end; readers learn of
 * that.
 */
class LateArrivalFilesTest {
  private static final Hour PAST = Hour.parse("2001-02-03T04");
  private static final RowKey ROW = new RowKey(PAST, "click", 0);

  private final Random random = Chance.random("ArrivalFilesTest");
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.arrivalsBytesMax(100 << 10));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private LateArrivals behind(LateArrivalPlace place) {
    return Expectation.await(store.engine().lateArrivals(place, 1_000_000));
  }

  private LateArrivalPlace end() {
    return behind(LateArrivalPlace.NEWEST).settledEnd();
  }

  private Path file(long number) {
    return store.files().lateArrivals(number);
  }

  /** Writes columns of numbers, and has their notes in a file when it returns. */
  private void flushed(int from, int to) {
    store.write(columns(ROW, from, to));
    store.flush();
  }

  private int names(LateArrivalPlace behind) {
    return LateArrivalReader.behind(store.engine(), behind, random).size();
  }

  @Test
  void notesMoveToAFileWithTheirSegment() {
    store.write(columns(ROW, 0, 10));
    assertThat(file(1)).doesNotExist();
    assertThat(store.openBytes()).isPositive();
    store.flush();
    assertThat(file(1)).exists();
    assertThat(store.openBytes()).isZero();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(10);
    flushed(10, 30);
    assertThat(file(2)).doesNotExist();
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(30);
    flushed(30, 35);
    assertThat(file(2)).as("a file is not written again after a start").exists();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(35);
  }

  @Test
  void punctualColumnsHaveNoNotes() {
    Hour ahead = Hour.parse("2098-07-06T05");
    store.write(columns(new RowKey(ahead, "click", 0), 0, 100));
    store.flush();
    assertThat(file(1)).doesNotExist();
    assertThat(end()).isEqualTo(LateArrivalPlace.START);
  }

  @Test
  void consecutiveNamesUseFewBytes() throws IOException {
    flushed(0, 4_000);
    assertThat(Files.size(file(1))).isLessThan(1_000);
  }

  @Test
  void oldNotesAreDeletedAndTheirReaderIsTruncated() throws IOException {
    flushed(0, 10);
    LateArrivalPlace first = end();
    store.reopen();
    store.clock.set(store.clock.instant().plus(Duration.ofHours(12)));
    flushed(10, 20);
    LateArrivalPlace second = end();
    store.retain();
    assertThat(file(1)).exists();
    assertThat(behind(LateArrivalPlace.START).truncated()).isFalse();
    store.clock.set(store.clock.instant().plus(Duration.ofHours(12)).plusMillis(1));
    store.retain();
    assertThat(file(1)).doesNotExist();
    assertThat(behind(first).truncated()).as("who had all that is gone").isFalse();
    assertThat(names(first)).isEqualTo(10);
    assertThat(behind(LateArrivalPlace.START).truncated()).isTrue();
    assertThat(behind(LateArrivalPlace.START).settled()).hasSize(1);
    store.clock.set(store.clock.instant().plus(Duration.ofDays(100)));
    store.retain();
    assertThat(file(2)).as("the newest, whose number must not repeat").exists();
    store.kill();
    assertThat(behind(LateArrivalPlace.START).truncated()).isTrue();
    assertThat(behind(second).truncated()).isFalse();
    flushed(20, 30);
    assertThat(file(3)).exists();
    assertThat(names(second)).isEqualTo(10);
  }

  @Test
  void oldNotesAreDeletedThoughPageFilesCannotBe() {
    flushed(0, 10);
    store.reopen();
    flushed(10, 20);
    store.disk.failing = "delete N.pages"::equals;
    Expectation.await(store.engine().drop(PAST));
    store.clock.set(store.clock.instant().plus(Duration.ofHours(24)).plusMillis(1));
    store.retain();
    assertThat(file(1)).doesNotExist();
    store.disk.failing = any -> false;
  }

  @Test
  void notesBeyondTheLimitAreDeleted() {
    RowKey row = new RowKey(PAST, "view", 0);
    for (int i = 0; i < 4; i++) {
      // Names without any order take eight bytes each.
      store.write(RandomNames.columns(row, 7_000, random));
      store.flush();
      store.reopen();
      store.retain();
    }
    assertThat(file(1)).doesNotExist();
    assertThat(file(4)).exists();
    assertThat(behind(LateArrivalPlace.START).truncated()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"create N.notes", "write N.notes", "force N.notes", "forceDirectory arrivals"})
  void aFailedFlushNeitherLosesNorRepeatsNotes(String operation) throws IOException {
    flushed(0, 10);
    store.write(columns(ROW, 10, 20));
    store.disk.failing = operation::equals;
    boolean begins = !operation.endsWith("e N.notes") || operation.startsWith("create");
    if (begins) {
      store.disk.failing = any -> false;
      store.reopen(); // so that a file has to be begun
      store.write(columns(ROW, 20, 30));
      store.disk.failing = operation::equals;
    }
    int written = begins ? 30 : 20;
    store.flush();
    assertThatThrownBy(() -> Expectation.await(store.engine().check()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("pages cannot be written");
    assertThat(names(LateArrivalPlace.START)).isEqualTo(written);
    Path image = store.image();
    store.disk.failing = any -> false;
    store.flush();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(written);
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(written);
    store.goOnFrom(image);
    assertThat(names(LateArrivalPlace.START)).isEqualTo(written);
    flushed(100, 110);
    store.kill();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(written + 10);
  }

  @Test
  void errorInTheLogFailsTheWriteAndNoLaterOne() throws IOException {
    store.write(columns(ROW, 0, 10));
    store.disk.failing =
        operation -> {
          throw new AssertionError("at " + operation);
        };
    assertThatThrownBy(() -> store.write(columns(ROW, 10, 20)))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("AssertionError");
    store.disk.failing = any -> false;
    store.write(columns(ROW, 10, 30));
    assertThat(names(LateArrivalPlace.START)).isEqualTo(30);
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(30);
  }

  @Test
  void aFlushThatThrowsAnErrorIsReportedAndRetried() throws IOException {
    store.write(columns(ROW, 0, 10));
    store.disk.failing =
        operation -> {
          if (operation.endsWith(".notes")) {
            throw new AssertionError("at " + operation);
          }
          return false;
        };
    store.flush();
    assertThatThrownBy(() -> Expectation.await(store.engine().check()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("pages cannot be written: java.lang.AssertionError");
    store.disk.failing = any -> false;
    store.flush();
    Expectation.await(store.engine().check());
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"create end.new", "force end.new", "move end.new"})
  void aFileWithoutAWitnessOfItsEndIsReadWhole(String operation) throws IOException {
    flushed(0, 10);
    store.disk.failing = operation::equals;
    flushed(10, 20);
    store.kill();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(20);
    flushed(20, 30);
    store.disk.failing = any -> false;
    flushed(30, 40);
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(40);
  }

  @Test
  void aMissingOrTruncatedFileIsRefused() throws IOException {
    flushed(0, 10);
    flushed(10, 20);
    store.close();
    byte[] whole = Files.readAllBytes(file(1));
    Files.write(file(1), java.util.Arrays.copyOf(whole, whole.length - 1));
    assertRefused(file(1).toString(), "restore");
    Files.delete(file(1));
    assertRefused(file(1).toString(), "missing", "restore it");
    Files.write(file(1), whole);
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(20);
  }

  @Test
  void aDeletedFolderLosesOnlyTheLateness() throws IOException {
    flushed(0, 10);
    LateArrivalPlace place = end();
    store.close();
    TestStore.delete(store.files().lateArrivals());
    assertRefused(file(1).toString(), "missing", "--set 'store.embedded.missing=[arrivals]'");
    store.missing = List.of("arrivals");
    store.reopen();
    store.check();
    assertThat(behind(place).truncated()).isTrue();
    LateArrivalPlace since = end();
    flushed(10, 20);
    assertThat(behind(place).truncated()).as("also when the log has gone on").isTrue();
    assertThat(behind(since).truncated()).isFalse();
    assertThat(names(since)).isEqualTo(10);
    store.missing = List.of();
    store.reopen();
    store.check();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(10);
  }

  @Test
  void anAbandonedFolderIsNotMissedLater() throws IOException {
    flushed(0, 10);
    store.close();
    TestStore.delete(store.files().lateArrivals());
    store.missing = List.of("arrivals");
    store.reopen();
    store.write(columns(new RowKey(Hour.parse("2098-07-06T05"), "click", 0), 0, 10));
    store.flush();
    store.missing = List.of();
    store.reopen();
    store.check();
    flushed(10, 20);
    assertThat(file(2)).as("numbers do not repeat").exists();
  }

  /**
   * A kill leaves such a file. Retention would delete the file after it, and a start would miss
   * that one.
   */
  @Test
  void aFileWithoutNotesIsDeletedAtTheStart() throws IOException {
    flushed(0, 10);
    store.reopen();
    flushed(10, 20);
    store.close();
    ByteBuffer begun = ByteBuffer.allocate(FramePreamble.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    new FramePreamble(FramePreamble.LATE_ARRIVALS, 3, 1, Files.size(file(2))).write(begun);
    Files.write(file(3), begun.array());
    store.reopen();
    assertThat(file(3)).doesNotExist();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(20);
    flushed(20, 30);
    assertThat(file(3)).exists();
    store.reopen();
    assertThat(names(LateArrivalPlace.START)).isEqualTo(30);
  }

  private void assertRefused(String... words) {
    assertThatThrownBy(() -> store.reopen())
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll(words);
  }
}
