package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.log.LogReplay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was acknowledged comes back after kill -9, once, from wherever it was: the log, pages, or
 * both. What {@link PowerLossTest} does by chance is done here before every operation.
 */
class RecoveryTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey OTHER = new RowKey(HOUR.next(), "search", 3);
  private static final RowKey SHORT_LIVED = new RowKey(HOUR, RandomWrites.SHORT_LIVED, 0);

  private final Random random = Chance.random("RecoveryTest");
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    Map<String, Duration> byType = Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30));
    store =
        new TestStore(
            temp,
            options ->
                options
                    .sealAfter(Duration.ZERO)
                    .retention(Retention.of(Retention.FOREVER, byType)));
  }

  @AfterEach
  void close() {
    store.disk.failing = operation -> false;
    store.close();
  }

  /** Checks all, and that no column counts twice where the directory adds up what it has. */
  private void checkOnce(int columns) {
    store.check();
    assertThat(store.entry(ROW).columns()).as("columns the directory tells").isEqualTo(columns);
  }

  @Test
  void columnsAreRecoveredFromTheLogAlone() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 10));
    store.write(columns(ROW, 100, 150));
    List<RowEntry.Mark> marks = store.entry(ROW).marks();
    store.disk.failing = operation -> operation.equals("force unfinished"); // nothing is flushed
    store.kill();
    assertThat(store.pageFiles()).isEmpty();
    assertThat(store.entry(ROW).marks()).isEqualTo(marks);
    checkOnce(150);
    store.kill();
    assertThat(store.entry(ROW).marks()).as("replayed twice").isEqualTo(marks);
    checkOnce(150);
  }

  @Test
  void columnsAreRecoveredFromSeveralSegments() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    store.disk.failing =
        operation -> {
          if (operation.equals("force unfinished")) {
            Uninterrupted.await(release::await);
          }
          return false;
        };
    for (int n = 0; n < 60; n++) {
      store.write(columns(ROW, n, n + 1, i -> new byte[100 << 10]), columns(OTHER, n, n + 5));
    }
    Path image = store.image();
    assertThat(DirectoryImage.folders(temp)).contains(image);
    release.countDown();
    assertThat(LogReplay.segments(new StoreFiles(image))).hasSizeBetween(5, 8);
    store.goOnFrom(image);
    checkOnce(60);
    store.flush();
    checkOnce(60);
    assertThat(store.openBytes()).isZero();
    assertThat(LogReplay.segments(store.files())).hasSize(1);
  }

  @Test
  void columnsInPagesAndInTheLogAreRecoveredOnce() throws IOException {
    store.write(columns(ROW, 0, 100), columns(SHORT_LIVED, 0, 10), columns(OTHER, 0, 10));
    store.disk.failing =
        operation ->
            operation.equals("delete N.log")
                && Thread.currentThread().getName().equals("hourglass-pages");
    store.flush();
    assertThat(store.pages("keep", HOUR).pages().size()).isEqualTo(1);
    Path image = store.image();
    store.disk.failing = operation -> false;
    store.goOnFrom(image);
    assertThat(LogReplay.segments(store.files())).isNotEmpty();
    checkOnce(100);
    store.write(columns(ROW, 50, 120));
    store.check();
    store.kill();
    store.flush();
    store.check();
    store.clock.set(OTHER.hour().end().plus(Duration.ofDays(1)));
    store.seal();
    checkOnce(120);
  }

  /** A crash between the name of a page file and its record leaves it; the log has its columns. */
  @Test
  void aPageFileThatIsNotListedIsRemoved() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 10));
    store.disk.failing = operation -> operation.equals("write CATALOGUE");
    store.flush();
    assertThat(store.pageFiles()).hasSize(1);
    Path image = store.image();
    store.disk.failing = operation -> false;
    store.goOnFrom(image);
    checkOnce(100);
    store.flush();
    checkOnce(100);
    assertThat(store.pageFiles().keySet()).isEqualTo(listed());
    store.kill();
    checkOnce(100);
  }

  /** The record may be on the disk whole, though its force failed. */
  @Test
  void aPageFileOfAFailedRecordIsListedOrReplaced() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 10));
    store.disk.failing = operation -> operation.equals("force CATALOGUE");
    store.flush();
    Path image = store.image();
    store.disk.failing = operation -> false;
    store.goOnFrom(image);
    checkOnce(100);
    store.disk.failing = operation -> operation.equals("force CATALOGUE");
    store.write(columns(ROW, 100, 110));
    store.flush();
    store.disk.failing = operation -> false;
    store.flush();
    checkOnce(110);
    assertThat(store.pageFiles().keySet()).isEqualTo(listed());
    store.kill();
    checkOnce(110);
  }

  private Set<Long> listed() throws IOException {
    return store.fileUse().stream().map(FileUse::number).collect(Collectors.toSet());
  }

  /** A killed process may have written the last record without forcing it. */
  @Test
  void filesAreRemovedAtOpeningAfterTheCatalogueIsForced() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    Path image = store.image();
    store.close();
    StoreFiles files = new StoreFiles(image);
    Files.copy(files.pages(1), files.pages(9)); // left by a crash
    List<String> operations = new CopyOnWriteArrayList<>();
    store.disk.failing =
        operation -> {
          operations.add(operation);
          return false;
        };
    store.goOnFrom(image);
    assertThat(files.pages(9)).doesNotExist();
    List<String> done = List.copyOf(operations); // the open store goes on
    int removal = done.lastIndexOf("delete N.pages");
    assertThat(done.subList(done.indexOf("append CATALOGUE"), removal)).contains("force CATALOGUE");
    checkOnce(100);
  }

  @Test
  void anUnfinishedPageFileIsRemoved() throws IOException {
    store.write(columns(ROW, 0, 100));
    Path image = store.image();
    Files.writeString(new StoreFiles(image).unfinishedPages(), "the beginning of a page file");
    List<String> operations = new CopyOnWriteArrayList<>();
    store.disk.failing =
        operation -> {
          operations.add(operation);
          return false;
        };
    store.goOnFrom(image);
    assertThat(operations).contains("delete unfinished"); // the flush may write another by now
    checkOnce(100);
  }

  @Test
  void anHourDroppedBeforeTheCrashStaysDropped() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 10));
    Expectation.await(store.engine().drop(HOUR));
    store.expectation.dropAcknowledged(HOUR);
    store.kill();
    assertThat(store.hours()).containsExactly(OTHER.hour());
    store.write(columns(ROW, 200, 210));
    store.kill();
    checkOnce(10);
    assertThat(store.hours()).containsExactly(HOUR, OTHER.hour());
  }

  /** The process is killed before each operation of flushing and sealing, in turn. */
  @Test
  void aKillAtAnyStepOfAFlushOrSealLosesNothing() throws IOException {
    RandomWrites writes = new RandomWrites(random, 1);
    for (int i = 0; i < 6; i++) {
      store.write(writes.next().toArray(Mutation[]::new));
      store.write(columns(ROW, 5 * i, 5 * i + 10));
      if (i < 5) {
        store.flush();
      }
    }
    store.clock.set(RandomWrites.HOUR.end().plus(Duration.ofDays(2)));
    List<Path> images = imagesWhile(store::seal);
    assertThat(images).hasSizeGreaterThan(10);
    for (Path image : some(images)) {
      store.goOnFrom(image);
      store.check();
      store.seal();
      checkOnce(35);
    }
  }

  /** The process is killed before each operation of opening, and the remains are opened. */
  @Test
  void aKillAtAnyStepOfARecoveryLosesNothing() throws IOException {
    RandomWrites writes = new RandomWrites(random, 1);
    for (int i = 0; i < 10; i++) {
      store.write(writes.next().toArray(Mutation[]::new));
      store.write(columns(ROW, 5 * i, 5 * i + 10));
      if (i == 4) {
        store.flush();
      }
    }
    long acknowledged = Files.size(lastSegment(store.files()));
    List<Mutation> torn = List.of(columns(ROW, 500, 600), columns(OTHER, 500, 600));
    Expectation.await(store.engine().write(torn));
    Path killed = store.image();
    store.close();
    cutAfter(lastSegment(new StoreFiles(killed)), acknowledged);
    List<Path> images =
        imagesWhile(
            () -> {
              store.goOnFrom(killed);
              store.flush();
            });
    assertThat(images).hasSizeGreaterThan(10);
    for (Path image : some(images)) {
      store.goOnFrom(image);
      store.check();
    }
    store.clock.set(RandomWrites.HOUR.end().plus(Duration.ofDays(2)));
    store.seal();
    checkOnce(55);
  }

  private Path lastSegment(StoreFiles files) throws IOException {
    List<Long> segments = LogReplay.segments(files);
    return files.segment(segments.get(segments.size() - 1));
  }

  /** Leaves a part of what comes behind an offset, as a write that was cut short. */
  private void cutAfter(Path segment, long offset) throws IOException {
    byte[] log = Files.readAllBytes(segment);
    int part = 1 + random.nextInt((int) (log.length - offset) - 1);
    Files.write(segment, Arrays.copyOf(log, (int) offset + part));
  }

  /** One of four in the first tier; else all. */
  private List<Path> some(List<Path> images) {
    int step = Chance.rounds(4, 1, 1);
    int first = random.nextInt(step);
    return IntStream.range(0, images.size())
        .filter(i -> i % step == first)
        .mapToObj(images::get)
        .toList();
  }

  private interface Work {
    void run() throws IOException;
  }

  /** The directory before each operation of the disk, of which there is one at a time. */
  private List<Path> imagesWhile(Work work) throws IOException {
    List<Path> images = new ArrayList<>();
    store.disk.failing =
        operation -> {
          try {
            images.add(store.image());
            return false;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    work.run();
    store.disk.failing = operation -> false;
    return images;
  }
}
