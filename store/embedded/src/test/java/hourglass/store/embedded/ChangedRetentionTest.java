package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Retention;
import hourglass.store.RetentionOutlook.Due;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored events follow the settings as they are now, whatever they were stored under. */
class ChangedRetentionTest {
  private static final Duration DAY = Duration.ofHours(24);
  private static final byte[] SECRET = "a secret of nobody else".getBytes(StandardCharsets.UTF_8);

  private static final RowKey BEAT = new RowKey(HOUR, "beat", 0);
  private static final RowKey CHECKOUT = new RowKey(HOUR, "checkout", 0);
  private static final RowKey NEXT_BEAT = new RowKey(HOUR.next(), "beat", 0);

  private TestStore store;
  private Retention retention = retention(DAY, Map.of());

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private static Retention retention(Duration byDefault, Map<String, Duration> byType) {
    return Retention.of(byDefault, byType);
  }

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.retention(retention));
    store.write(columns(BEAT, 0, 100, n -> SECRET), columns(CHECKOUT, 0, 100));
    store.write(columns(NEXT_BEAT, 0, 100));
    store.flush();
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Opens the store with other settings. */
  private void change(Retention to) {
    retention = to;
    store.reopen();
    store.check();
  }

  private void retainAfter(Hour hour, Duration after) {
    store.clock.set(hour.end().plus(after));
    store.retain();
  }

  private void over(RowKey... rows) {
    List.of(rows).forEach(store.expectation::over);
    store.check();
  }

  private void checkReopened() throws IOException {
    store.reopen();
    store.check();
    store.kill();
    store.retain();
    store.check();
  }

  private void change(String type, Duration to) {
    change(retention(DAY, Map.of(type, to)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aShorterRetentionOfOneTypeHoldsForStoredHours(boolean isSealed) throws IOException {
    if (isSealed) {
      store.clock.set(HOUR.end().plus(Duration.ofHours(2)));
      store.seal();
    }
    change("beat", Duration.ofHours(3));
    retainAfter(HOUR, Duration.ofHours(3).minusMillis(1));
    store.check();
    retainAfter(HOUR, Duration.ofHours(3));
    over(BEAT);
    assertThat(store.rows(HOUR)).extracting(entry -> entry.row()).containsExactly(CHECKOUT);
    checkReopened();
    retainAfter(HOUR.next(), Duration.ofHours(3));
    over(NEXT_BEAT);
    assertThat(store.hours()).containsExactly(HOUR);
    checkReopened();
    retainAfter(HOUR, DAY);
    over(CHECKOUT);
    assertThat(store.hours()).isEmpty();
  }

  @Test
  void aShorterRetentionOfAllHoldsForStoredHours() throws IOException {
    change(retention(Duration.ofHours(2), Map.of()));
    retainAfter(HOUR, Duration.ofHours(2));
    over(BEAT, CHECKOUT);
    assertThat(store.hours()).containsExactly(HOUR.next());
    checkReopened();
  }

  @Test
  void eventsThatWereToBeKeptForEverGetAnEnd() throws IOException {
    store.close();
    retention = Retention.DEFAULTS;
    store = new TestStore(temp.resolve("forever"), options -> options.retention(retention));
    store.write(columns(BEAT, 0, 100), columns(CHECKOUT, 0, 100));
    store.flush();
    change(retention(Retention.FOREVER, Map.of("beat", DAY)));
    retainAfter(HOUR, DAY);
    over(BEAT);
    checkReopened();
  }

  @Test
  void aLongerRetentionKeepsWhatIsThere() throws IOException {
    change("beat", DAY.multipliedBy(3));
    retainAfter(HOUR, DAY);
    over(CHECKOUT);
    assertThat(store.rows(HOUR)).extracting(entry -> entry.row()).containsExactly(BEAT);
    checkReopened();
    retainAfter(HOUR, DAY.multipliedBy(3).minusMillis(1));
    store.check();
    retainAfter(HOUR, DAY.multipliedBy(3));
    over(BEAT);
    assertThat(store.hours()).containsExactly(HOUR.next());
    change(Retention.DEFAULTS);
    retainAfter(HOUR, DAY.multipliedBy(400));
    store.check();
    assertThat(store.hours()).containsExactly(HOUR.next());
  }

  @Test
  void theBytesOfAShortenedTypeLeaveTheDisk() throws IOException {
    assertThat(filesWith(SECRET)).isPositive();
    change("beat", Duration.ofHours(1));
    retainAfter(HOUR, Duration.ofHours(1));
    over(BEAT);
    retainAfter(HOUR.next(), Duration.ofHours(1));
    over(NEXT_BEAT);
    store.clock.pass(Duration.ofHours(1));
    store.seal();
    store.retain();
    assertThat(filesWith(SECRET)).isZero();
    checkReopened();
  }

  /** They are few beside those of the others, so that a merge saves little. */
  @Test
  void theBytesOfASmallTypeLeaveTheDiskToo() throws IOException {
    store.write(columns(CHECKOUT, 100, 1_100, n -> Chance.bytes(new Random(n), 4_000)));
    store.flush();
    store.clock.set(HOUR.end().plus(Duration.ofHours(2)));
    store.seal();
    change("beat", Duration.ofHours(3));
    retainAfter(HOUR.next(), Duration.ofHours(3));
    over(BEAT, NEXT_BEAT);
    store.retain();
    assertThat(filesWith(SECRET)).isZero();
    checkReopened();
  }

  private int filesWith(byte[] text) throws IOException {
    int found = 0;
    for (long number : store.pageFiles().keySet()) {
      String content = Files.readString(store.files().pages(number), StandardCharsets.ISO_8859_1);
      found += content.contains(new String(text, StandardCharsets.ISO_8859_1)) ? 1 : 0;
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"create unfinished", "move unfinished", "force CATALOGUE"})
  void aFailedRemovalIsTriedAgain(String operation) throws IOException {
    change("beat", Duration.ofHours(3));
    AtomicInteger asked = new AtomicInteger();
    store.disk.failing = what -> what.equals(operation) && asked.incrementAndGet() > 0;
    retainAfter(HOUR, Duration.ofHours(3));
    assertThat(asked).hasPositiveValue();
    store.disk.failing = what -> false;
    store.check();
    store.kill();
    store.retain();
    over(BEAT);
    checkReopened();
  }

  /** It has no room for the removal of a type, and gets it from the hours that go whole. */
  @Test
  void hoursGoWholeOnADiskThatHasNoRoomToRemoveTypes() {
    int many = 30; // more than a pass takes events from
    for (int n = 2; n < many; n++) {
      Hour hour = new Hour(HOUR.epochHours() + n);
      store.write(
          columns(new RowKey(hour, "beat", 0), 0, 5), columns(new RowKey(hour, "view", 0), 0, 5));
    }
    RowKey last = new RowKey(new Hour(HOUR.epochHours() + many), "beat", 0);
    store.write(columns(last, 0, 5));
    store.flush();
    change(retention(DAY.multipliedBy(9), Map.of("beat", Duration.ofHours(1))));
    store.disk.failing = "create unfinished"::equals;
    retainAfter(last.hour(), Duration.ofHours(1));
    over(last, NEXT_BEAT);
    store.disk.failing = what -> false;
  }

  @Test
  void newEventsOfARemovedRowAreKept() throws IOException {
    change("beat", Duration.ofHours(3));
    store.write(columns(BEAT, 200, 210)); // only in the log, and filed under the new class
    retainAfter(HOUR, Duration.ofHours(3));
    assertThat(store.rows(HOUR)).hasSize(2);
    assertThat(store.entry(BEAT).columns()).isEqualTo(10);
    store.flush();
    store.retain();
    over(BEAT);
    checkReopened();
  }

  /** The class is that of the events that were removed, and has others that stay. */
  @Test
  void lateEventsOfARemovedTypeGoToo() throws IOException {
    change("beat", DAY.multipliedBy(3));
    retainAfter(HOUR, DAY);
    over(CHECKOUT);
    store.write(columns(CHECKOUT, 200, 210));
    store.flush();
    store.retain();
    over(CHECKOUT);
    assertThat(store.rows(HOUR)).extracting(entry -> entry.row()).containsExactly(BEAT);
    checkReopened();
  }

  @Test
  void theOutlookIsThatOfTheSettingsAsTheyAreNow() {
    store.clock.set(HOUR.end());
    assertThat(next()).containsExactly(HOUR.end().plus(DAY), HOUR.next().end().plus(DAY));
    Duration week = Duration.ofDays(7);
    for (Duration now : List.of(week, Duration.ofHours(5))) {
      change(retention(now, Map.of()));
      assertThat(next()).containsExactly(HOUR.end().plus(now), HOUR.next().end().plus(now));
    }
    change(retention(Duration.ofHours(5), Map.of("audit", Retention.FOREVER)));
    assertThat(next()).containsExactly(HOUR.end().plus(DAY), HOUR.next().end().plus(DAY));
    change(Retention.DEFAULTS);
    assertThat(next()).isEmpty();
  }

  private List<Instant> next() {
    return Expectation.await(store.engine().outlook(9)).next().stream().map(Due::at).toList();
  }
}
