package hourglass.store.embedded;

import static hourglass.store.Order.ASCENDING;
import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.StoreCatalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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
    checkHours(SHORT, NEXT);
    retainAt(NEXT, 2, 0);
    over(SHORT_LIVED.get(2));
    checkHours(SHORT);
    retainAt(HOUR, 6, 1);
    checkHours(DEFAULT, HOUR, NEXT);
    retainAt(HOUR, 6, 0);
    over(OTHERS.get(0), OTHERS.get(1));
    checkHours(DEFAULT, NEXT);
    retainAt(HOUR, 30, 1);
    over(OTHERS.get(2));
    checkHours(LONG, HOUR, NEXT);
    assertThat(store.hours()).containsExactly(HOUR, NEXT);
    retainAt(HOUR, 30, 0);
    over(LONG_LIVED.get(0), LONG_LIVED.get(1));
    checkHours(LONG, NEXT);
    assertThat(store.hours()).containsExactly(NEXT);
    retainAt(NEXT, 30, 0);
    over(LONG_LIVED.get(2));
    checkHours(LONG);
    assertThat(store.hours()).isEmpty();
    assertThat(store.openBytes()).isZero();
    EmbeddedStore engine = store.engine();
    assertThat(
            engine.use().storeBytes() - engine.use().logBytes() - engine.use().lateArrivalBytes())
        .isZero();
  }

  /**
   * Checks that only these hours have pages in the class, and that all answers are right, reopened
   * or not.
   */
  private void checkHours(String retentionClass, Hour... hours) {
    assertThat(hoursOf(retentionClass)).containsExactly(hours);
    store.check();
    List<Hour> before = store.hours();
    store.reopen();
    store.check();
    assertThat(store.hours()).isEqualTo(before);
  }

  private List<Hour> hoursOf(String retentionClass) {
    try {
      return StoreCatalogue.load(store.disk, store.files()).hours().stream()
          .filter(of -> of.retentionClass().equals(retentionClass))
          .map(ClassHour::hour)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
        "append CATALOGUE",
        "write CATALOGUE",
        "force CATALOGUE",
        "create unfinished",
        "move unfinished",
        "delete N.pages",
        "forceDirectory pages"
      })
  void anInterruptedDeletionIsFinishedByTheNext(String operation) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    store.disk.failing = what -> what.equals(operation) && asked.incrementAndGet() > 0;
    retainAt(HOUR, 2, 0);
    retainAt(HOUR, 2 + 24, 0); // the bytes of a shared file go after a day
    assertThat(asked).as("failures").hasPositiveValue();
    assertThat(Expectation.read(store.engine(), LONG_LIVED.get(0), ASCENDING)).isNotEmpty();
    store.disk.failing = what -> false;
    Path image = store.image();
    for (int i = 0; i < 2; i++) {
      store.retain();
      store.retain();
      overUntil(HOUR, 26);
      checkHours(SHORT);
      checkHours(LONG, HOUR, NEXT);
      checkNothingIsDead();
      if (i == 0) {
        store.goOnFrom(image);
      }
    }
  }

  /** Ends the rows that are over so many hours after an hour. */
  private void overUntil(Hour hour, int hoursAfter) {
    Instant now = hour.end().plus(Duration.ofHours(hoursAfter));
    for (RowKey row : SHORT_LIVED) {
      if (!row.hour().end().plus(Duration.ofHours(2)).isAfter(now)) {
        over(row);
      }
    }
    for (RowKey row : OTHERS) {
      if (!row.hour().end().plus(Duration.ofHours(6)).isAfter(now)) {
        over(row);
      }
    }
  }

  private void checkNothingIsDead() throws IOException {
    assertThat(store.fileUse()).allMatch(file -> file.goneBytes() == 0);
    assertThat(store.pageFiles().keySet())
        .isEqualTo(store.fileUse().stream().map(FileUse::number).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"append CATALOGUE", "write CATALOGUE", "force CATALOGUE"})
  void aFailedDropSucceedsTheNextTime(String operation) throws IOException {
    store.disk.failing = operation::equals;
    assertThatThrownBy(() -> Expectation.await(store.engine().drop(HOUR)))
        .isInstanceOf(UnavailableException.class);
    store.check();
    store.disk.failing = what -> false;
    Expectation.await(store.engine().drop(HOUR));
    store.expectation.dropAcknowledged(HOUR);
    store.check();
    for (String retentionClass : List.of(SHORT, DEFAULT, LONG)) {
      assertThat(hoursOf(retentionClass)).containsExactly(NEXT);
    }
    checkNothingIsDead();
    store.kill();
    assertThat(store.hours()).containsExactly(NEXT);
    assertThat(store.rows(HOUR)).isEmpty();
    store.check();
  }

  @Test
  void retentionMakesRoomOnAFullDisk() {
    retainAt(HOUR, 0, 0);
    AtomicBoolean hasRoom = new AtomicBoolean();
    store.disk.failing =
        what -> {
          hasRoom.compareAndSet(false, what.equals("delete spare"));
          return what.equals("write CATALOGUE") && !hasRoom.get() || what.startsWith("create ");
        };
    retainAt(HOUR, 2, 0);
    assertThat(hasRoom).isTrue();
    overUntil(HOUR, 2);
    store.check();
  }

  /** A process starts with a clock that is years ahead, as after a new battery. */
  @Test
  void aPassDeletesATenthOfTheHoursOrADayOfThem() {
    int all = 300;
    for (int n = 0; n < all; n++) {
      store.write(columns(new RowKey(new Hour(NEXT.epochHours() + 1 + n), "search", 0), 0, 2));
    }
    store.flush();
    int before = store.hours().size();
    retainAt(new Hour(NEXT.epochHours() + all), 9_000, 0);
    int classHours = all + 2 * 3;
    assertThat(before - store.hours().size()).isBetween(1, classHours / 10);
    for (int passes = 1; passes < 60; passes++) {
      store.retain();
    }
    assertThat(store.hours()).isEmpty();
  }

  /** Flushes write one file for all classes and hours. */
  @Test
  void aDroppedHourLeavesNoByteInASharedFile() throws IOException {
    byte[] secret = "a secret of nobody else".getBytes(StandardCharsets.UTF_8);
    store.write(
        columns(LONG_LIVED.get(0), 500, 501, n -> secret), columns(OTHERS.get(2), 500, 501));
    store.flush();
    assertThat(filesWith(secret)).isPositive();
    Expectation.await(store.engine().drop(HOUR));
    store.expectation.dropAcknowledged(HOUR);
    store.check();
    assertThat(filesWith(secret)).isZero();
    store.reopen();
    store.check();
  }

  private int filesWith(byte[] text) throws IOException {
    int found = 0;
    for (long number : store.pageFiles().keySet()) {
      String content = Files.readString(store.files().pages(number), StandardCharsets.ISO_8859_1);
      found += content.contains(new String(text, StandardCharsets.ISO_8859_1)) ? 1 : 0;
    }
    return found;
  }

  /** Less than half of the file is dead, and other classes keep it. */
  @Test
  void expiredBytesOfASharedFileAreFreeAfterADay() throws IOException {
    store.write(columns(LONG_LIVED.get(0), 200, 4_000), columns(LONG_LIVED.get(2), 200, 4_000));
    store.flush();
    store.clock.set(NEXT.end().plus(Duration.ofHours(1)));
    retainAt(HOUR, 2, 0);
    overUntil(HOUR, 2);
    store.check();
    long before = store.engine().use().storeBytes();
    assertThat(goneBytes()).isPositive();
    store.reopen(); // what is dead is known after a restart, too
    assertThat(goneBytes()).isPositive();
    retainAt(HOUR, 2 + 24, 0);
    overUntil(HOUR, 2 + 24);
    store.check();
    checkNothingIsDead();
    assertThat(store.engine().use().storeBytes()).isLessThan(before);
    store.kill();
    store.check();
  }

  private long goneBytes() throws IOException {
    return store.fileUse().stream().mapToLong(FileUse::goneBytes).sum();
  }

  @Test
  void expiredBytesOfMostOfAFileAreFreeAtOnce() throws IOException {
    store.write(
        columns(SHORT_LIVED.get(0), 200, 400, n -> Chance.bytes(new Random(n), 100)),
        columns(OTHERS.get(0), 200, 400));
    store.flush();
    long number = Collections.max(store.pageFiles().keySet());
    retainAt(HOUR, 2, 0);
    overUntil(HOUR, 2);
    assertThat(store.pageFiles()).doesNotContainKey(number);
    store.check();
    store.kill();
    store.check();
  }

  /** A seal writes a file for each class, so that the hours of a file expire together. */
  @Test
  void sealedClassesShareNoFile() throws IOException {
    store.clock.set(NEXT.end().plus(Duration.ofHours(1)));
    store.seal();
    assertThat(store.fileUse())
        .allSatisfy(
            file ->
                assertThat(file.inUse().stream().map(ClassHour::retentionClass).distinct())
                    .hasSize(1));
    retainAt(NEXT, 2, 0);
    SHORT_LIVED.forEach(this::over);
    checkNothingIsDead();
    store.check();
  }

  @Test
  void aDamagedHourIsDeletedToo() throws IOException {
    store.clock.set(NEXT.end().plus(Duration.ofHours(1)));
    store.seal();
    store.close();
    for (FileUse file : store.fileUse()) {
      if (file.inUse().get(0).retentionClass().equals(SHORT)) {
        Path path = store.files().pages(file.number());
        byte[] bytes = Files.readAllBytes(path);
        Arrays.fill(bytes, 20, bytes.length, (byte) 7);
        Files.write(path, bytes);
      }
    }
    store.reopen();
    assertThatThrownBy(() -> store.rows(HOUR)).isInstanceOf(CorruptException.class);
    retainAt(NEXT, 2, 0);
    SHORT_LIVED.forEach(this::over);
    assertThat(hoursOf(SHORT)).isEmpty();
    checkNothingIsDead();
    store.check();
  }
}
