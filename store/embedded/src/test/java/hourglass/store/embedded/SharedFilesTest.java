package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.maintenance.SectionMerger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Page files that hours and classes share are merged, and free the bytes of hours that are over.
 */
class SharedFilesTest {
  private static final Hour NEXT = HOUR.next();
  private static final Hour FAR = new Hour(HOUR.epochHours() + 5_000);
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey OTHER = new RowKey(NEXT, "checkout", 0);
  private static final RowKey LONE = new RowKey(FAR, "checkout", 0);
  private static final RowKey SHORT_LIVED = new RowKey(HOUR, RandomWrites.SHORT_LIVED, 0);
  private static final String SECRET = "a secret of nobody else";
  private static final long RESERVE = 1_000_000_000;

  private Map<String, Duration> retention = Map.of(RandomWrites.SHORT_LIVED, Duration.ofHours(2));
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store =
        new TestStore(
            temp,
            options ->
                options
                    .reserveBytes(RESERVE)
                    .retention(Retention.of(Retention.FOREVER, retention)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** A single event, which no page compresses. */
  private static Mutation secret(RowKey row) {
    return secret(row, 0);
  }

  private static Mutation secret(RowKey row, int n) {
    return columns(row, n, n + 1, any -> SECRET.getBytes(StandardCharsets.UTF_8));
  }

  /** Events that take many bytes, as no page compresses them. */
  private static Mutation large(RowKey row, int count) {
    return columns(row, 0, count, n -> Chance.bytes(new Random(n), 100));
  }

  /** Rows that need many bytes together, and are sealed in several batches. */
  private static Mutation[] manyRows(Hour hour, int rows) {
    return IntStream.range(0, rows)
        .mapToObj(
            shard ->
                columns(
                    new RowKey(hour, "checkout", shard),
                    0,
                    1,
                    n -> Chance.bytes(new Random(shard), 300)))
        .toArray(Mutation[]::new);
  }

  /** Seals the first hour. Rows of the next one are not due. */
  private void sealFirst() {
    store.clock.set(HOUR.end().plus(Duration.ofMinutes(11)));
    store.seal();
  }

  private List<Long> filesWithSecrets() throws IOException {
    List<Long> found = new ArrayList<>();
    for (long number : store.pageFiles().keySet()) {
      Path file = store.files().pages(number);
      if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(SECRET)) {
        found.add(number);
      }
    }
    return found;
  }

  private void drop(Hour hour) {
    Expectation.await(store.engine().drop(hour));
    store.expectation.dropAcknowledged(hour);
  }

  /** The seal copied the hour, and the next one keeps the file of the flush. */
  @Test
  void aDroppedHourLeavesTheFileFromWhichItWasMerged() throws IOException {
    store.write(secret(ROW), large(OTHER, 500));
    store.flush();
    sealFirst();
    assertThat(filesWithSecrets()).as("the original and the copy").hasSize(2);
    store.reopen();
    drop(HOUR);
    assertThat(filesWithSecrets()).isEmpty();
    store.check();
    store.reopen();
    store.check();
  }

  @Test
  void anExpiredHourLeavesTheFileFromWhichItWasMergedAfterADay() throws IOException {
    store.write(secret(SHORT_LIVED), large(OTHER, 500));
    store.flush();
    sealFirst();
    store.clock.set(HOUR.end().plus(Duration.ofHours(2)));
    store.retain();
    store.expectation.over(SHORT_LIVED);
    assertThat(filesWithSecrets()).as("the file of the flush").containsExactly(1L);
    store.clock.set(HOUR.end().plus(Duration.ofHours(26)));
    store.retain();
    assertThat(filesWithSecrets()).isEmpty();
    store.check();
  }

  @Test
  void aLoneEventOfADistantHourKeepsNoFileOfOthers() throws IOException {
    store.write(large(ROW, 500), columns(LONE, 0, 1));
    store.flush();
    long flushed = store.pageFiles().keySet().iterator().next();
    sealFirst();
    store.retain();
    assertThat(store.pageFiles()).doesNotContainKey(flushed);
    store.check();
    store.reopen();
    store.check();
  }

  /** The hour cannot be sealed until somebody restores its page. */
  @Test
  void anHourWithADamagedPageIsMerged() throws IOException {
    store.write(columns(ROW, 0, 500), columns(SHORT_LIVED, 0, 500));
    store.flush();
    HourPages pages = store.pages(StoreFiles.KEEP, HOUR);
    PageMeta page = pages.pages().iterator().next();
    Path file = store.files().pages(1);
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) page.position() + page.storedBytes() - 1] ^= 1;
    Files.write(file, bytes);
    sealFirst();
    assertThat(store.pageFiles()).doesNotContainKey(1L);
    assertThat(store.entry(ROW).sealed()).isFalse();
    assertThat(store.fileUse()).allMatch(use -> use.inUse().size() == 1);
    store.reopen();
    assertThat(store.entry(ROW).columns()).isEqualTo(500);
  }

  /** More hours are due than a pass seals. A failure is for the next turn, and not at once. */
  @Test
  void aFailedMergeIsTriedAgainByTheNextSeal() throws IOException {
    List<Mutation> all = new ArrayList<>();
    for (int hour = 0; hour < 1_030; hour++) {
      all.add(columns(new RowKey(new Hour(HOUR.epochHours() - hour), "checkout", 0), 0, 1));
    }
    store.write(all.toArray(new Mutation[0]));
    store.flush();
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> {
          int count = operation.equals("create unfinished") ? files.incrementAndGet() : 0;
          return count > 1 && count < 100; // the first one has the manifests
        };
    sealFirst();
    assertThat(files).hasValueLessThan(10);
    store.disk.failing = operation -> false;
    store.seal();
    assertThat(store.pageFiles()).doesNotContainKey(1L);
    store.check();
  }

  @Test
  void aCloseDoesNotWaitForAllMerges() throws IOException {
    for (int file = 0; file < 4; file++) {
      store.write(
          columns(ROW, 10 * file, 10 * file + 10),
          columns(new RowKey(new Hour(NEXT.epochHours() + file), "checkout", 0), 0, 10));
      store.flush();
    }
    Thread closing = new Thread(store.engine()::close);
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> {
          if (operation.equals("create unfinished") && files.getAndIncrement() == 0) {
            closing.start();
            await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
          }
          return false;
        };
    CompletableFuture<Void> drop = store.engine().drop(HOUR).toCompletableFuture();
    try {
      drop.join();
    } catch (CompletionException e) {
      assertThat(e).hasStackTraceContaining("closed");
    }
    await().until(() -> closing.getState() == Thread.State.TERMINATED);
    assertThat(files).as("files that were begun").hasValue(1);
    store.disk.failing = operation -> false;
    store.reopen();
    drop(HOUR);
    store.check();
    assertThat(store.fileUse()).allMatch(file -> file.goneBytes() == 0);
  }

  /** Flushes wait for the same thread, and writes for flushes. */
  @Test
  void otherTasksRunBetweenTheRewritesOfADrop() throws IOException {
    for (int file = 0; file < 4; file++) {
      RowKey lone = new RowKey(new Hour(NEXT.epochHours() + file), "checkout", 0);
      store.write(columns(ROW, 10 * file, 10 * file + 10), columns(lone, 0, 10));
      store.flush();
    }
    CompletableFuture<Void> isQueued = new CompletableFuture<>();
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> {
          if (operation.equals("create unfinished") && files.getAndIncrement() == 0) {
            isQueued.join();
            outlastATurn();
          }
          return false;
        };
    CompletableFuture<Void> drop = store.engine().drop(HOUR).toCompletableFuture();
    List<Long> goneBytes = new ArrayList<>();
    CompletableFuture<Void> other =
        store.engine().maintenance().run(() -> goneBytes.add(goneBytes()));
    isQueued.complete(null);
    CompletableFuture.allOf(drop, other).join();
    store.expectation.dropAcknowledged(HOUR);
    assertThat(goneBytes).singleElement().asInstanceOf(LONG).isPositive();
    await().until(() -> goneBytes() == 0);
    store.check();
    store.reopen();
    store.check();
  }

  private static void outlastATurn() {
    long beganNanos = System.nanoTime();
    await().until(() -> System.nanoTime() - beganNanos > Duration.ofSeconds(1).toNanos());
  }

  @Test
  void filesAreRewrittenAfterOneThatFailedUnexpectedly() throws IOException {
    for (int file = 0; file < 4; file++) {
      RowKey lone = new RowKey(new Hour(NEXT.epochHours() + file), "checkout", 0);
      store.write(columns(ROW, 10 * file, 10 * file + 10), large(lone, 500));
      store.flush();
    }
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> {
          int file = operation.equals("create unfinished") ? files.incrementAndGet() : 0;
          if (file == 1) {
            outlastATurn();
          } else if (file == 2) {
            throw new OutOfMemoryError("simulated");
          }
          return false;
        };
    drop(HOUR);
    await().until(() -> filesWithGoneBytes() == 1);
    store.disk.failing = operation -> false;
    drop(HOUR);
    assertThat(goneBytes()).isZero();
    store.check();
  }

  @Test
  void bytesOfADropThatACrashInterruptedLeaveAfterTheNextStart() throws IOException {
    for (int file = 0; file < 4; file++) {
      RowKey lone = new RowKey(new Hour(NEXT.epochHours() + file), "checkout", 0);
      store.write(secret(ROW, file), large(lone, 500));
      store.flush();
    }
    CompletableFuture<Void> isCopied = new CompletableFuture<>();
    AtomicInteger files = new AtomicInteger();
    store.disk.failing =
        operation -> {
          if (operation.equals("create unfinished")) {
            if (files.getAndIncrement() == 0) {
              outlastATurn();
            } else {
              isCopied.join();
            }
          }
          return false;
        };
    drop(HOUR);
    Path image = store.image();
    store.disk.failing = operation -> false;
    isCopied.complete(null);
    store.goOnFrom(image);
    await().until(() -> goneBytes() == 0);
    store.flush(); // after the turn, which deletes files
    assertThat(filesWithSecrets()).isEmpty();
    store.check();
  }

  @Test
  void aStartLeavesTheBytesOfExpiredHoursToTheirTime() throws IOException {
    store.write(columns(ROW, 0, 10));
    store.flush();
    drop(HOUR);
    RowKey expiring = new RowKey(NEXT, RandomWrites.SHORT_LIVED, 0);
    store.write(columns(expiring, 0, 10), large(LONE, 500));
    store.flush();
    store.clock.set(NEXT.end().plus(Duration.ofHours(3)));
    store.retain();
    store.expectation.over(expiring);
    store.reopen();
    store.flush(); // after the tasks of the start
    assertThat(goneBytes()).isPositive();
    store.check();
  }

  @Test
  void aMergeWithoutRoomDoesNotHoldUpSmallerOnes() throws IOException {
    store.write(manyRows(HOUR, 6_000));
    store.flush();
    store.write(columns(new RowKey(HOUR, "search", 0), 0, 10), columns(OTHER, 0, 10));
    store.flush();
    sealWithoutRoomToMerge(kept());
    assertThat(inUseWith(next())).isEqualTo(Set.of(next()));
    store.disk.usableBytes = Long.MAX_VALUE;
    store.seal();
    assertThat(filesOf(kept())).isEqualTo(1);
    store.check();
  }

  /** The newest hours are sealed first, as many at a time as may be in memory together. */
  @Test
  void aMergeWithoutRoomDoesNotHoldUpHoursThatAreSealedAfterIt() throws IOException {
    store.write(manyRows(NEXT, 50_000));
    store.write(columns(new RowKey(NEXT, "search", 0), 0, 10), columns(ROW, 0, 10));
    store.flush();
    sealWithoutRoomToMerge(next());
    assertThat(inUseWith(kept())).isEqualTo(Set.of(kept()));
  }

  /** Otherwise it would take the time of each turn anew, and no older hour would be reached. */
  @Test
  void aMergeWithoutRoomThatTakesATurnDoesNotHoldUpHoursThatAreSealedAfterIt() throws IOException {
    store.write(manyRows(NEXT, 3 * 2_048 - 1)); // with the next row, they fill three batches
    store.flush();
    store.write(columns(new RowKey(NEXT, "search", 0), 0, 10), columns(ROW, 0, 10));
    store.flush();
    store.disk.failing =
        operation -> {
          if (operation.equals("create unfinished")) {
            outlastATurn();
          }
          return false;
        };
    sealWithoutRoomToMerge(next());
    assertThat(store.entry(ROW).sealed()).isTrue();
  }

  @Test
  void aMergeWithoutRoomIsTriedAgainOnceThereIsSome() throws IOException {
    store.write(manyRows(HOUR, 6_000));
    store.flush();
    store.write(columns(new RowKey(HOUR, "search", 0), 0, 10));
    store.flush();
    List<ILoggingEvent> logged =
        warningsOfMerges(
            () -> {
              sealWithoutRoomToMerge(kept());
              store.seal();
            });
    assertThat(logged).hasSize(1);
    long files = filesOf(kept());
    store.write(columns(new RowKey(HOUR, "search", 0), 10, 20));
    store.flush();
    store.clock.set(store.clock.instant().plus(Duration.ofMinutes(11)));
    store.seal();
    assertThat(store.manifest(new RowKey(HOUR, "search", 0)).columns()).isEqualTo(20);
    assertThat(filesOf(kept())).isGreaterThanOrEqualTo(files);
    store.disk.usableBytes = RESERVE + 10_000_000;
    store.seal();
    assertThat(filesOf(kept())).isEqualTo(1);
    store.check();
  }

  private void sealWithoutRoomToMerge(ClassHour large) throws IOException {
    long files = filesOf(large);
    assertThat(files).isGreaterThan(1);
    store.disk.usableBytes = RESERVE + 1_000_000; // enough to seal some thousand rows at a time
    store.clock.set(NEXT.end().plus(Duration.ofMinutes(11)));
    store.seal();
    assertThat(filesOf(large)).isGreaterThanOrEqualTo(files);
  }

  private long filesOf(ClassHour of) throws IOException {
    return store.fileUse().stream().filter(file -> file.inUse().contains(of)).count();
  }

  /** The hours that share a file with an hour. */
  private Set<ClassHour> inUseWith(ClassHour of) throws IOException {
    return store.fileUse().stream()
        .filter(file -> file.inUse().contains(of))
        .flatMap(file -> file.inUse().stream())
        .collect(Collectors.toSet());
  }

  private static ClassHour next() {
    return new ClassHour(StoreFiles.KEEP, NEXT);
  }

  /** The reserve is for pages of accepted events. */
  @Test
  void sealsLeaveTheReserveAndRewritesItsLowerHalf() throws IOException {
    store.write(columns(ROW, 0, 500), columns(OTHER, 0, 500));
    store.flush();
    store.disk.usableBytes = RESERVE - 1;
    sealFirst();
    assertThat(store.entry(ROW).sealed()).isFalse();
    assertThat(store.fileUse().get(0).inUse())
        .containsExactly(kept(), new ClassHour(StoreFiles.KEEP, NEXT));
    store.disk.usableBytes = RESERVE / 2 - 1;
    drop(HOUR);
    assertThat(goneBytes()).isPositive();
    store.disk.usableBytes = RESERVE - 1;
    store.clock.set(store.clock.instant().plus(Duration.ofDays(1)));
    store.retain();
    assertThat(goneBytes()).isZero();
    store.check();
  }

  /** Copies of the small hours would take room, and free nothing before the large one moved. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aFileIsNotRewrittenWithoutRoomForAllItsHours(int days) throws IOException {
    store.write(secret(ROW), columns(OTHER, 0, 10), large(LONE, 5_000));
    store.flush();
    Map<Long, Long> before = store.pageFiles();
    store.disk.usableBytes = RESERVE / 2 + 100_000;
    drop(HOUR);
    store.clock.set(store.clock.instant().plus(Duration.ofDays(days)));
    store.retain();
    assertThat(store.pageFiles()).isEqualTo(before);
    store.disk.usableBytes = Long.MAX_VALUE;
    drop(HOUR);
    assertThat(filesWithSecrets()).isEmpty();
    store.check();
  }

  @Test
  void aSectionThatCannotBeReadIsTriedOnce() throws IOException {
    store.write(secret(ROW), columns(OTHER, 0, 500), columns(LONE, 0, 500));
    store.flush();
    damageDirectory(new ClassHour(StoreFiles.KEEP, NEXT));
    drop(HOUR);
    assertThat(inUse(1)).containsExactly(new ClassHour(StoreFiles.KEEP, NEXT));
    List<ILoggingEvent> logged =
        warningsOfMerges(
            () -> {
              store.clock.set(store.clock.instant().plus(Duration.ofDays(2)));
              store.retain();
            });
    assertThat(logged).isEmpty();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static List<ILoggingEvent> warningsOfMerges(Step step) throws IOException {
    Logger logger = (Logger) LoggerFactory.getLogger(SectionMerger.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.setLevel(Level.WARN);
    logger.addAppender(logged);
    try {
      step.run();
    } finally {
      logger.detachAppender(logged);
      logger.setLevel(null);
    }
    return logged.list;
  }

  private void damageDirectory(ClassHour of) throws IOException {
    SectionInFile section =
        StoreCatalogue.load(store.disk, store.files()).sections(of).iterator().next();
    Path file = store.files().pages(section.file());
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) section.section().at()] ^= 1;
    Files.write(file, bytes);
  }

  private List<ClassHour> inUse(long file) throws IOException {
    return store.fileUse().stream()
        .filter(use -> use.number() == file)
        .flatMap(use -> use.inUse().stream())
        .toList();
  }

  private long filesWithGoneBytes() throws IOException {
    return store.fileUse().stream().filter(file -> file.goneBytes() > 0).count();
  }

  private long goneBytes() throws IOException {
    return store.fileUse().stream().mapToLong(FileUse::goneBytes).sum();
  }

  /** The rows moved to another class, and their manifests with them. */
  @Test
  void aClassWithoutRowsKeepsNoSection() throws IOException {
    store.write(columns(SHORT_LIVED, 0, 500));
    store.flush();
    sealFirst();
    retention = Map.of();
    store.reopen();
    store.write(columns(SHORT_LIVED, 400, 600));
    store.flush();
    store.clock.set(store.clock.instant().plus(Duration.ofMinutes(11)));
    store.seal();
    assertThat(store.fileUse()).flatExtracting(FileUse::inUse).containsExactly(kept());
    assertThat(store.manifest(SHORT_LIVED).columns()).isEqualTo(600);
    store.reopen();
    assertThat(store.manifest(SHORT_LIVED).columns()).isEqualTo(600);
    store.check();
  }

  private static ClassHour kept() {
    return new ClassHour(StoreFiles.KEEP, HOUR);
  }
}
