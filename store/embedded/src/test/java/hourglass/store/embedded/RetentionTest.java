package hourglass.store.embedded;

import static hourglass.store.Order.ASCENDING;
import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole hours of a class are deleted at the end of their retention, and nothing else is. */
class RetentionTest {
  private static final Hour NEXT = HOUR.next();
  private static final String SHORT = "2h";
  private static final String LONG = "30h"; // of 29.5: whole hours, rounded up
  private static final String DEFAULT = "6h";

  private static final List<RowKey> SHORT_LIVED = rows("beat");
  private static final List<RowKey> LONG_LIVED = rows("checkout");
  private static final List<RowKey> OTHERS = rows("search");

  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  /** Two rows of a type in an hour, one in the next. */
  private static List<RowKey> rows(String type) {
    return List.of(new RowKey(HOUR, type, 0), new RowKey(HOUR, type, 7), new RowKey(NEXT, type, 0));
  }

  @BeforeEach
  void open() {
    Map<String, Duration> byType =
        Map.of("beat", Duration.ofHours(2), "checkout", Duration.ofMinutes(29 * 60 + 30));
    store =
        new TestStore(
            temp, options -> options.retention(Retention.of(Duration.ofHours(6), byType)));
    for (List<RowKey> rows : List.of(SHORT_LIVED, LONG_LIVED, OTHERS)) {
      rows.forEach(row -> store.write(columns(row, 0, 100)));
    }
    store.flush();
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Lets retention look when an hour has been over for so long, or a millisecond less. */
  private void retainAt(Hour hour, int hoursAfter, int millisBefore) {
    store.clock.set(hour.end().plus(Duration.ofHours(hoursAfter)).minusMillis(millisBefore));
    store.retain();
  }

  private void over(RowKey... rows) {
    for (RowKey row : rows) {
      store.expectation.over(row);
    }
  }

  @Test
  void expiredHoursOfAClassAreDeleted() {
    retainAt(HOUR, 2, 1);
    store.check();
    retainAt(HOUR, 2, 0);
    over(SHORT_LIVED.get(0), SHORT_LIVED.get(1));
    checkFolders(SHORT, NEXT);
    retainAt(NEXT, 2, 0);
    over(SHORT_LIVED.get(2));
    checkFolders(SHORT);
    retainAt(HOUR, 6, 1);
    checkFolders(DEFAULT, HOUR, NEXT);
    retainAt(HOUR, 6, 0);
    over(OTHERS.get(0), OTHERS.get(1));
    checkFolders(DEFAULT, NEXT);
    retainAt(HOUR, 30, 1);
    over(OTHERS.get(2));
    checkFolders(LONG, HOUR, NEXT);
    assertThat(store.hours()).containsExactly(HOUR, NEXT);
    retainAt(HOUR, 30, 0);
    over(LONG_LIVED.get(0), LONG_LIVED.get(1));
    checkFolders(LONG, NEXT);
    assertThat(store.hours()).containsExactly(NEXT);
    retainAt(NEXT, 30, 0);
    over(LONG_LIVED.get(2));
    checkFolders(LONG);
    assertThat(store.hours()).isEmpty();
    assertThat(store.openBytes()).isZero();
    EmbeddedStore engine = store.engine();
    assertThat(engine.diskBytes() - engine.logBytes() - engine.lateArrivalBytes()).isZero();
  }

  /**
   * Checks that only these hours have a folder in the class, and that all answers are right,
   * reopened or not.
   */
  private void checkFolders(String retentionClass, Hour... hours) {
    for (Hour hour : List.of(HOUR, NEXT)) {
      assertThat(Files.exists(store.folder(retentionClass, hour)))
          .as("%s of %s", retentionClass, hour)
          .isEqualTo(List.of(hours).contains(hour));
    }
    store.check();
    List<Hour> before = store.hours();
    store.reopen();
    store.check();
    assertThat(store.hours()).isEqualTo(before);
  }

  @Test
  void withoutARetentionNothingExpires() {
    try (TestStore forEver = new TestStore(temp.resolve("for ever"), options -> options)) {
      forEver.write(columns(SHORT_LIVED.get(0), 0, 10));
      forEver.flush();
      forEver.clock.set(Hour.LAST.end());
      forEver.retain();
      forEver.check();
    }
  }

  @Test
  void sealedRowsOfOtherClassesStaySealed() {
    store.clock.set(NEXT.end().plus(Duration.ofHours(1)));
    store.seal();
    List<RowEntry.Mark> marks = store.entry(OTHERS.get(0)).marks();
    retainAt(NEXT, 2, 0);
    SHORT_LIVED.forEach(this::over);
    assertThat(store.entry(OTHERS.get(0)).marks()).isEqualTo(marks);
    assertThat(store.manifest(OTHERS.get(0)).columns()).isEqualTo(100);
    store.reopen();
    assertThat(store.manifest(LONG_LIVED.get(0)).columns()).isEqualTo(100);
    store.check();
  }

  @Test
  void eventsWrittenAfterTheirRetentionAreKeptUntilTheNextPass() {
    retainAt(HOUR, 30, 0);
    List.of(SHORT_LIVED, OTHERS).forEach(rows -> rows.forEach(this::over));
    over(LONG_LIVED.get(0), LONG_LIVED.get(1));
    store.check();
    store.write(columns(SHORT_LIVED.get(0), 50, 60), columns(LONG_LIVED.get(2), 100, 110));
    assertThat(store.hours()).containsExactly(HOUR, NEXT);
    store.check();
    store.retain();
    store.check();
    store.flush();
    store.check();
    store.reopen();
    store.check();
    store.retain();
    over(SHORT_LIVED.get(0));
    store.check();
    assertThat(store.hours()).containsExactly(NEXT);
  }

  /** The process is killed before an operation of a deletion, which begins again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "move N-N-NTN",
        "forceDirectory Nh",
        "delete pages.N",
        "delete inventory",
        "delete OPEN",
        "delete N-N-NTN.dropped"
      })
  void anInterruptedDeletionIsFinishedByTheNext(String operation) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    store.disk.failing = what -> what.equals(operation) && asked.incrementAndGet() > 0;
    retainAt(HOUR, 2, 0);
    assertThat(asked).as("failures").hasPositiveValue();
    assertThat(Expectation.read(store.engine(), LONG_LIVED.get(0), ASCENDING)).isNotEmpty();
    store.disk.failing = what -> false;
    Path image = store.image();
    store.retain();
    over(SHORT_LIVED.get(0), SHORT_LIVED.get(1));
    checkFolders(SHORT, NEXT);
    assertThat(store.folder(SHORT, HOUR).resolveSibling(HOUR + StoreFiles.DROPPED)).doesNotExist();
    store.goOnFrom(image);
    store.retain();
    checkFolders(SHORT, NEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"move N-N-NTN", "delete pages.N", "delete N-N-NTN.dropped"})
  void aFailedDropSucceedsTheNextTime(String operation) throws IOException {
    store.disk.failing = operation::equals;
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(HOUR)))
        .isInstanceOf(UnavailableException.class);
    store.disk.failing = what -> false;
    Expectation.await(store.engine().drop(HOUR));
    store.expectation.dropAcknowledged(HOUR);
    store.check();
    for (String retentionClass : List.of(SHORT, DEFAULT, LONG)) {
      Path folder = store.folder(retentionClass, HOUR);
      assertThat(folder).doesNotExist();
      assertThat(folder.resolveSibling(HOUR + StoreFiles.DROPPED)).doesNotExist();
    }
    store.kill();
    assertThat(store.hours()).containsExactly(NEXT);
    assertThat(store.rows(HOUR)).isEmpty();
    store.check();
  }

  @Test
  void aDamagedHourDoesNotPreventDeletingOthers() throws IOException {
    store.close();
    Path inventory = StoreFiles.inventory(store.folder(SHORT, HOUR));
    byte[] bytes = Files.readAllBytes(inventory);
    bytes[bytes.length / 2] ^= 1;
    Files.write(inventory, bytes);
    store.reopen();
    retainAt(NEXT, 2, 0);
    assertThat(store.folder(SHORT, NEXT)).doesNotExist();
    assertThat(store.folder(DEFAULT, NEXT)).exists();
  }
}
