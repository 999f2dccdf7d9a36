package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.BudgetDrop;
import hourglass.store.DiskBudget;
import hourglass.store.Retention;
import hourglass.store.RetentionOutlook;
import hourglass.store.RetentionOutlook.Due;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The oldest hours go while a store exceeds its budget, and no others. */
class DiskBudgetTest {
  private static final Duration KEEP = Duration.ofHours(2);
  private static final Duration PAUSE = Duration.ofMinutes(5);
  private static final Duration SEAL_AFTER = Duration.ofMinutes(10);

  /** Some bytes of each hour, which do not compress. */
  private static final int EVENTS = 100;

  private static final int EVENT_BYTES = 4_000;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private TestStore store;

  @AfterEach
  void close() {
    store.close();
  }

  private void open(long bytesMax, int percent) {
    DiskBudget budget = new DiskBudget(bytesMax, percent, KEEP, PAUSE);
    store = new TestStore(temp, options -> options.budget(budget).sealAfter(SEAL_AFTER));
  }

  private void open(long bytesMax, Map<String, Duration> retention) {
    DiskBudget budget = new DiskBudget(bytesMax, DiskBudget.WHOLE_DISK, KEEP, PAUSE);
    store =
        new TestStore(
            temp,
            options ->
                options
                    .budget(budget)
                    .sealAfter(SEAL_AFTER)
                    .retention(Retention.of(Retention.FOREVER, retention)));
  }

  private static Hour hour(int number) {
    return new Hour(HOUR.epochHours() + number);
  }

  private static RowKey row(int number) {
    return new RowKey(hour(number), "checkout", 0);
  }

  private void write(int number) {
    write(row(number), EVENTS);
  }

  private void write(RowKey row, int events) {
    store.write(columns(row, 0, events, n -> Chance.bytes(new Random(n), EVENT_BYTES)));
  }

  /** Writes hours one after the other, while the clock goes on, and seals them. */
  private void writeHours(int from, int to) {
    for (int number = from; number < to; number++) {
      store.clock.set(hour(number).start().plusSeconds(60));
      write(number);
      store.flush();
    }
    passTime(hour(to - 1), KEEP);
    store.seal();
  }

  private void passTime(Hour after, Duration time) {
    store.clock.set(after.end().plus(time));
  }

  /** Lets a pass drop what it may, and expects that to be gone. */
  private int pass() {
    int before = store.drops.size();
    store.clock.pass(PAUSE);
    store.retain();
    List<BudgetDrop> dropped = store.drops.subList(before, store.drops.size());
    dropped.forEach(drop -> store.expectation.dropAcknowledged(drop.hour()));
    store.check();
    return dropped.size();
  }

  private List<String> named() {
    return Expectation.await(store.engine().dropped(Hour.FIRST, Hour.LAST)).names();
  }

  @Test
  void aStoreKeepsToItsBudgetWhileHoursStreamIn() throws IOException {
    long bytesMax = 12L * EVENTS * EVENT_BYTES;
    open(bytesMax, DiskBudget.WHOLE_DISK);
    for (int number = 0; number < 60; number++) {
      writeHours(number, number + 1);
      pass();
      assertThat(store.engine().use().storeBytes())
          .as("after %s hours", number + 1)
          .isLessThan(bytesMax);
    }
    List<Hour> left = store.hours();
    assertThat(left).hasSizeBetween(8, 12).endsWith(hour(59));
    assertThat(store.drops)
        .extracting(BudgetDrop::hour)
        .containsExactlyElementsOf(
            IntStream.range(0, 60 - left.size()).mapToObj(DiskBudgetTest::hour).toList());
    String range = hour(0) + ".." + left.get(0).previous();
    assertThat(named()).containsExactly(range);
    store.kill();
    assertThat(named()).containsExactly(range);
    store.check();
  }

  @Test
  void aPassDropsATenthAndPauses() {
    open(1, DiskBudget.WHOLE_DISK);
    writeHours(0, 40);
    assertThat(pass()).isEqualTo(4);
    store.clock.pass(PAUSE.minusMillis(1));
    store.retain();
    assertThat(store.drops).hasSize(4);
    store.clock.pass(Duration.ofMillis(1));
    assertThat(pass()).isEqualTo(3);
    assertThat(store.hours()).hasSize(33).startsWith(hour(7));
  }

  @Test
  void aRestartBringsNoPassForward() {
    open(1, DiskBudget.WHOLE_DISK);
    writeHours(0, 10);
    store.clock.pass(PAUSE);
    for (int i = 0; i < 5; i++) {
      store.reopen();
      store.retain();
      store.clock.pass(PAUSE.minusMillis(1));
      store.retain();
    }
    assertThat(store.drops).isEmpty();
    assertThat(pass()).isEqualTo(1);
  }

  @Test
  void hoursThatMustBeKeptStayWhateverTheBudget() {
    open(1, DiskBudget.WHOLE_DISK);
    writeHours(0, 3);
    passTime(hour(0), KEEP.minus(PAUSE).minusMillis(1));
    assertThat(pass()).isZero();
    store.clock.pass(Duration.ofMillis(1).minus(PAUSE));
    assertThat(pass()).isEqualTo(1);
    assertThat(pass()).isZero();
    assertThat(store.hours()).containsExactly(hour(1), hour(2));
  }

  @Test
  void anHourThatIsWrittenToStays() {
    open(1, DiskBudget.WHOLE_DISK);
    writeHours(0, 2);
    store.clock.pass(Duration.ofHours(5));
    store.write(columns(row(0), 500, 510)); // only in the log
    assertThat(pass()).isEqualTo(1);
    assertThat(store.hours()).containsExactly(hour(0));
    assertThat(pass()).isZero();
    store.clock.pass(PAUSE);
    store.write(columns(row(0), 510, 520));
    store.flush();
    store.clock.pass(PAUSE.minusMillis(1));
    store.retain();
    store.check(); // it was written to a moment ago
    store.clock.pass(Duration.ofMillis(1).minus(PAUSE));
    assertThat(pass()).isEqualTo(1);
    assertThat(store.hours()).isEmpty();
  }

  /** The clock alone is years ahead, and is set right some minutes later. */
  @Test
  void aWrongClockMakesNoHourOld() {
    open(1, DiskBudget.WHOLE_DISK);
    writeHours(0, 20);
    passTime(hour(0), KEEP.minusMinutes(40));
    store.reopen();
    for (int minutes = 0; minutes < 9; minutes += 3) {
      store.clock.pass(Duration.ofMinutes(3));
      store.retain();
    }
    long years = Duration.ofDays(1_000).toMillis();
    store.clockAheadMillis = years;
    store.clock.pass(Duration.ofMillis(years));
    for (int minutes = 0; minutes < 9; minutes += 3) {
      store.clock.pass(Duration.ofMinutes(3));
      store.retain();
    }
    assertThat(store.drops).isEmpty();
    store.clockAheadMillis = 0;
    store.clock.pass(Duration.ofMillis(-years));
    store.check();
  }

  @Test
  void theDiskMayBeFullOfOtherThings() {
    open(DiskBudget.NO_BYTES_MAX, 90);
    writeHours(0, 20);
    long total = store.disk.totalBytes(temp);
    store.disk.usableBytes = total / 10;
    assertThat(pass()).isZero();
    store.disk.usableBytes = total / 10 - 1;
    assertThat(pass()).isEqualTo(1);
    assertThat(store.drops.get(0).why()).isEqualTo(BudgetDrop.Why.MAX_DISK_PERCENT);
    store.disk.usableBytes = total / 20;
    assertThat(pass()).isEqualTo(1);
    assertThat(pass()).isEqualTo(1);
    store.disk.usableBytes = total / 5;
    assertThat(pass()).isZero();
  }

  /** No write has room until the spare file is gone, and no page file at all. */
  @ParameterizedTest
  @ValueSource(strings = {"append CATALOGUE", "write CATALOGUE", "force CATALOGUE"})
  void anHourIsDroppedOnAFullDisk(String operation) throws IOException {
    open(DiskBudget.NO_BYTES_MAX, 90);
    writeHours(0, 20);
    store.retain();
    assertThat(store.files().spare()).isNotEmptyFile();
    AtomicBoolean hasRoom = new AtomicBoolean();
    store.disk.usableBytes = 0;
    store.disk.failing =
        what -> {
          hasRoom.compareAndSet(false, what.equals("delete spare"));
          return what.equals(operation) && !hasRoom.get()
              || what.equals("create spare")
              || what.equals("create unfinished");
        };
    assertThat(pass()).isEqualTo(2);
    assertThat(hasRoom).isTrue();
    assertThat(named()).containsExactly(hour(0) + ".." + hour(1));
    assertThat(store.files().spare()).doesNotExist();
    store.disk.failing = what -> false;
    store.disk.usableBytes = Long.MAX_VALUE;
    store.retain();
    assertThat(Files.size(store.files().spare())).isPositive();
    store.kill();
    assertThat(named()).containsExactly(hour(0) + ".." + hour(1));
    store.check();
  }

  /** The record is durable, so whoever watches drops must learn of it. */
  @Test
  void dropsAreReportedThoughTheirFilesCannotBeDeletedYet() throws IOException {
    open(1, DiskBudget.WHOLE_DISK);
    writeHours(0, 20);
    store.disk.failing = "delete N.pages"::equals;
    assertThat(pass()).isEqualTo(2);
    assertThat(named()).containsExactly(hour(0) + ".." + hour(1));
    store.disk.failing = what -> false;
    store.kill();
    store.check();
  }

  /** What shares a file with hours that stay cannot be freed without room to rewrite it. */
  @Test
  void onAFullDiskHoursGoUntilTheirFileIsFree() throws IOException {
    open(DiskBudget.NO_BYTES_MAX, 90);
    for (int number = 0; number < 12; number++) {
      write(number); // all in one flush
    }
    store.flush();
    passTime(hour(20), KEEP);
    store.disk.usableBytes = 0;
    store.disk.failing = what -> what.equals("create unfinished");
    int files = store.pageFiles().size();
    int passes = 0;
    while (store.pageFiles().size() == files && passes++ < 20) {
      assertThat(pass()).isEqualTo(1);
    }
    assertThat(store.pageFiles().size()).isLessThan(files);
    assertThat(store.drops.size()).isLessThanOrEqualTo(12);
  }

  /** They count as free, so no hour is dropped for them, and they have to leave the disk. */
  @Test
  void bytesOfDeletedHoursLeaveTheDiskOnceTheyExceedTheBudget() throws IOException {
    open(3L * EVENTS * EVENT_BYTES, Map.of(RandomWrites.SHORT_LIVED, Duration.ofHours(2)));
    RowKey expiring = new RowKey(hour(0), RandomWrites.SHORT_LIVED, 0);
    write(expiring, EVENTS);
    write(0);
    write(1); // all in one flush
    store.flush();
    passTime(hour(5), KEEP);
    store.expectation.over(expiring);
    assertThat(pass()).isZero();
    assertThat(store.fileUse()).isNotEmpty().allMatch(file -> file.goneBytes() == 0);
    store.check();
  }

  /** Copies of a part of a file take room, and the file counts whole until the rest is copied. */
  @Test
  void noHourIsDroppedWhileBytesOfOthersAreBeingFreed() throws IOException {
    int events = 20;
    open(11L * events * EVENT_BYTES / 2, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(100)));
    write(row(0), events);
    write(row(1), 2 * events);
    write(new RowKey(hour(1), RandomWrites.SHORT_LIVED, 0), 2 * events); // all in one flush
    store.flush();
    passTime(hour(5), KEEP);
    CompletableFuture<Void> isQueued = new CompletableFuture<>();
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> {
          if (operation.equals("create unfinished") && files.getAndIncrement() == 0) {
            isQueued.join();
            long beganNanos = System.nanoTime();
            await().until(() -> System.nanoTime() - beganNanos > Duration.ofSeconds(1).toNanos());
          }
          return false;
        };
    CompletableFuture<Void> drop = store.engine().drop(hour(0)).toCompletableFuture();
    CompletableFuture<Void> pass = store.engine().maintenance().retain();
    isQueued.complete(null);
    CompletableFuture.allOf(drop, pass).join();
    store.expectation.dropAcknowledged(hour(0));
    await().until(() -> store.fileUse().stream().noneMatch(file -> file.number() == 1));
    assertThat(pass()).isZero();
    assertThat(store.drops).isEmpty();
  }

  /** A replay of that log would bring the hour back, although answers name it as dropped. */
  @Test
  void anHourInALogThatCannotBeCutStaysDropped() throws IOException {
    open(1, DiskBudget.WHOLE_DISK);
    store.clock.set(hour(0).start().plusSeconds(60));
    write(0);
    store.disk.failing = operation -> operation.equals("delete N.log");
    store.flush();
    passTime(hour(0), KEEP);
    assertThat(pass()).isEqualTo(1);
    store.kill();
    store.kill();
    assertThat(store.hours()).isEmpty();
    assertThat(store.hours()).isEmpty();
    assertThat(named()).containsExactly(hour(0).toString());
    assertThat(named()).containsExactly(hour(0).toString());
  }

  /** As those that a backup reads, or that cannot be deleted yet. */
  @Test
  void filesThatWaitToBeDeletedCountAsFree() {
    open(DiskBudget.NO_BYTES_MAX, 90);
    writeHours(0, 20);
    store.disk.usableBytes = store.disk.totalBytes(temp) / 10 - 1;
    store.disk.failing = "delete N.pages"::equals;
    assertThat(pass()).isEqualTo(1);
    assertThat(pass()).isZero();
    store.disk.failing = what -> false;
    assertThat(pass()).as("the files are gone, and the disk is as full as before").isEqualTo(1);
  }

  /** 24 hours of a day, and then room for six more. */
  @Test
  void whatGoesNextIsForeseenAtTheRateOfTheLastDay() {
    long perHour = EVENTS * (long) EVENT_BYTES;
    open(30 * perHour, DiskBudget.WHOLE_DISK);
    writeHours(0, 24);
    store.clock.set(hour(24).start());
    RetentionOutlook outlook = Expectation.await(store.engine().outlook(5));
    assertThat(outlook.usedBytes()).isEqualTo(store.engine().use().storeBytes());
    assertThat(outlook.bytesPerDay()).isBetween(23 * perHour, 26 * perHour);
    assertThat(outlook.next())
        .extracting(Due::hour)
        .containsExactly(hour(0), hour(1), hour(2), hour(3), hour(4));
    assertThat(outlook.next()).extracting(Due::why).containsOnly("max-bytes");
    Instant first = outlook.next().get(0).at();
    assertThat(first)
        .isBetween(
            store.clock.instant().plus(Duration.ofHours(3)),
            store.clock.instant().plus(Duration.ofHours(6)));
    assertThat(Duration.between(first, outlook.next().get(4).at()))
        .isBetween(Duration.ofHours(3), Duration.ofHours(5));
  }

  @Test
  void withoutABudgetNothingIsDropped() {
    store = new TestStore(temp, options -> options);
    writeHours(0, 10);
    store.disk.usableBytes = 1 << 20;
    store.clock.pass(Duration.ofDays(100));
    assertThat(pass()).isZero();
  }
}
