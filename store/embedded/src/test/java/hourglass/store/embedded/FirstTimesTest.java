package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.access.SharedRoom;
import hourglass.bucketing.RowKey;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** First times are kept for the window, through flushes, kills, torn files and full disks. */
class FirstTimesTest {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int EVENTS_MAX = 100;
  private static final RowKey ROW = new RowKey(TestStore.HOUR, "a", 0);

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private TestStore store;
  private int eventsMax = EVENTS_MAX;
  private long writes;

  @BeforeEach
  void open() {
    store =
        new TestStore(temp, options -> options.untimedWindow(WINDOW).untimedEventsMax(eventsMax));
    store.clock.set(TestStore.HOUR.end().plus(Duration.ofDays(2)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static FirstTimes events(int from, int to, long ticks) {
    long[] lsb = LongStream.range(from, to).toArray();
    return new FirstTimes(
        lsb, new long[lsb.length], LongStream.generate(() -> ticks).limit(lsb.length).toArray());
  }

  private FirstTimes find(int from, int to, long ticks) {
    return find(from, to, ticks, SharedRoom.NOBODY);
  }

  private FirstTimes find(int from, int to, long ticks, Object client) {
    return Expectation.await(store.engine().firstTimes(events(from, to, ticks), client));
  }

  private void keep(int from, int to, long ticks) {
    keep(from, to, ticks, SharedRoom.NOBODY);
  }

  private void keep(int from, int to, long ticks, Object client) {
    ColumnsBuilder columns = new ColumnsBuilder(1, 1);
    columns.add(TestStore.HOUR.startTicks() + ++writes, Long.MIN_VALUE, new byte[] {'x'}, 0, 1);
    List<Mutation> mutations = List.of(new Mutation(ROW, columns.build()));
    Expectation.await(store.engine().write(mutations, find(from, to, ticks, client), client));
  }

  private List<Path> files() throws IOException {
    Path folder = store.files().firstTimes();
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found.sorted().toList();
    }
  }

  private void pass(Duration time) {
    store.clock.set(store.clock.instant().plus(time));
    store.retain();
  }

  @Test
  void firstTimesAreRecoveredFromTheLog() throws IOException {
    keep(0, 10, 7);
    assertThat(files()).isEmpty();
    store.kill();
    assertThat(find(0, 10, 8)).isEqualTo(events(0, 10, 7));
  }

  @Test
  void firstTimesAreInAFileAfterTheirSegmentIsDeleted() throws IOException {
    for (int i = 0; i < 3; i++) {
      keep(0, 10, 7);
      keep(i * 10, i * 10 + 10, 7);
      store.flush();
      store.kill();
    }
    assertThat(files()).hasSize(1);
    assertThat(Files.size(files().get(0)))
        .as("each is written once")
        .isLessThan(30 * FirstTimes.EVENT_BYTES + 300);
    assertThat(find(0, 40, 8))
        .isEqualTo(events(0, 40, 8).at(LongStream.range(0, 40).map(i -> i < 30 ? 7 : 8).toArray()));
  }

  @Test
  void aRetryOfAFailedWriteFindsItsFirstTime() throws IOException {
    store.disk.failing = operation -> operation.equals("force N.log");
    assertThatThrownBy(() -> keep(0, 1, 7)).hasRootCauseInstanceOf(IOException.class);
    store.disk.failing = operation -> false;
    keep(0, 1, 8);
    store.kill();
    assertThat(find(0, 1, 9)).isEqualTo(events(0, 1, 7));
  }

  @Test
  void firstTimesAreKeptForTheWindow() throws IOException {
    keep(0, 10, 7);
    store.flush();
    pass(WINDOW.dividedBy(2));
    keep(10, 20, 7);
    store.flush();
    assertThat(files()).hasSize(2);
    pass(WINDOW.dividedBy(2));
    assertThat(find(0, 20, 8)).isEqualTo(events(0, 20, 7));
    pass(WINDOW.dividedBy(2));
    assertThat(find(0, 10, 8)).isEqualTo(events(0, 10, 8));
    assertThat(find(10, 20, 8)).isEqualTo(events(10, 20, 7));
    assertThat(files()).hasSize(1);
    pass(WINDOW.multipliedBy(3));
    pass(WINDOW);
    assertThat(find(0, 20, 9)).isEqualTo(events(0, 20, 9));
    assertThat(files()).isEmpty();
  }

  @Test
  void aReopenKeepsFirstTimesForTheWindow() {
    keep(0, 10, 7);
    store.flush();
    pass(WINDOW.minusMinutes(5));
    store.reopen();
    store.retain();
    assertThat(find(0, 10, 8)).isEqualTo(events(0, 10, 7));
  }

  @Test
  void aFullWindowRefusesOnlyNewEvents() {
    keep(0, EVENTS_MAX - 1, 7);
    assertThatThrownBy(() -> find(EVENTS_MAX - 2, EVENTS_MAX + 1, 8))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("untimed.events-max");
    assertThat(find(EVENTS_MAX - 1, EVENTS_MAX, 8).ticks(0)).isEqualTo(8);
    assertThat(find(0, EVENTS_MAX - 1, 9)).isEqualTo(events(0, EVENTS_MAX - 1, 7));
    pass(WINDOW);
    pass(WINDOW);
    pass(WINDOW);
    assertThat(find(EVENTS_MAX, EVENTS_MAX + 1, 9).ticks(0)).isEqualTo(9);
  }

  /** A client has at most 75 of 100 events, and another one 18 of the 25 that it leaves. */
  @Test
  void aClientThatFillsItsShareLeavesRoomForOthers() {
    keep(0, 75, 7, "a");
    assertThatThrownBy(() -> find(75, 76, 7, "a"))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContainingAll("untimed.events-max = 100", "75 of this client", "0 of others");
    assertThat(find(0, 75, 8, "a")).isEqualTo(events(0, 75, 7));
    keep(100, 118, 7, "b");
    assertThatThrownBy(() -> find(118, 119, 7, "b"))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContainingAll("18 of this client", "75 of others");
    assertThat(find(200, 201, 7, "c")).isEqualTo(events(200, 201, 7));
  }

  @Test
  void aRepeatedEventUsesNoShare() {
    keep(0, 75, 7, "a");
    assertThat(find(0, 75, 8, "b")).isEqualTo(events(0, 75, 7));
    keep(100, 118, 7, "b");
  }

  @Test
  void aRequestLargerThanAShareIsTooLarge() {
    assertThatThrownBy(() -> find(0, 76, 7, "a"))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContainingAll("75", "untimed.events-max", "fewer at a time");
  }

  @Test
  void aShareIsFreeAgainAfterTheWindow() {
    keep(0, 75, 7, "a");
    store.flush();
    for (int i = 0; i < 3; i++) {
      pass(WINDOW);
    }
    keep(100, 175, 7, "a");
  }

  /** Nobody knows who sent them, and what they leave is shared anew. */
  @Test
  void recoveredFirstTimesCountForNoClient() throws IOException {
    keep(0, 30, 7, "a");
    store.flush();
    keep(30, 60, 7, "a");
    store.kill();
    assertThat(find(0, 60, 8, "b")).isEqualTo(events(0, 60, 7));
    keep(100, 130, 7, "a");
    assertThatThrownBy(() -> find(130, 131, 7, "a")).isInstanceOf(OverloadedException.class);
    keep(200, 207, 7, "b");
  }

  @Test
  void retryAfterIsWhenEnoughIsForgotten() {
    passMinutes(1);
    keep(0, 40, 7, "a");
    passMinutes(40);
    keep(40, 75, 7, "a");
    Duration wait = retryAfter(75, 76);
    passMinutes(wait.toMinutes() - 3);
    assertThat(retryAfter(75, 76)).isLessThanOrEqualTo(Duration.ofMinutes(4));
    passMinutes(4);
    keep(75, 76, 7, "a");
  }

  @Test
  void retryAfterIsAtMostAnHour() {
    passMinutes(1);
    keep(0, 75, 7, "a");
    assertThat(retryAfter(75, 76)).isEqualTo(Duration.ofHours(1));
  }

  private Duration retryAfter(int from, int to) {
    return catchThrowableOfType(OverloadedException.class, () -> find(from, to, 8, "a"))
        .retryAfter();
  }

  private void passMinutes(long minutes) {
    for (long i = 0; i < minutes; i++) {
      pass(Duration.ofMinutes(1));
    }
  }

  /** The log is not deleted until its first times are in a file. */
  @Test
  void aFailedFlushIsRepeated() throws IOException {
    keep(0, 10, 7);
    for (String operation :
        List.of(
            "create N.times",
            "write N.times",
            "force N.times",
            "forceDirectory first-times",
            "append N.times")) {
      store.disk.failing = operation::equals;
      store.flush();
      store.disk.failing = any -> false;
      store.kill();
      assertThat(find(0, 10, 8)).as("after %s", operation).isEqualTo(events(0, 10, 7));
    }
    store.flush();
    store.kill();
    assertThat(find(0, 10, 8)).isEqualTo(events(0, 10, 7));
    assertThat(files()).hasSize(1);
  }

  /** A crash during a flush leaves a torn file; the log still contains the torn part. */
  @Test
  void aTornFileLosesNoFirstTime() throws IOException {
    keep(0, 10, 7);
    store.flush();
    keep(10, 20, 7);
    Path before = store.image();
    store.flush();
    Path torn = new StoreFiles(before).firstTimes(1);
    Files.copy(files().get(0), torn, StandardCopyOption.REPLACE_EXISTING);
    cut(torn, Files.size(torn) - 1);
    store.goOnFrom(before);
    assertThat(find(0, 20, 8)).isEqualTo(events(0, 20, 7));
    keep(20, 30, 7);
    store.flush();
    store.kill();
    assertThat(find(0, 30, 8)).isEqualTo(events(0, 30, 7));
  }

  @Test
  void aFlushThatThrowsAnErrorIsRepeated() throws IOException {
    keep(0, 10, 7);
    AtomicBoolean isShort = new AtomicBoolean(true);
    store.disk.failing =
        operation -> {
          if (operation.equals("create N.times") && isShort.get()) {
            throw new OutOfMemoryError("as if");
          }
          return operation.equals("force N.times") && isShort.get();
        };
    store.flush();
    isShort.set(false);
    store.flush();
    assertThat(files()).hasSize(1);
    store.kill();
    assertThat(find(0, 10, 8)).isEqualTo(events(0, 10, 7));
  }

  /** Only time counts in which a store runs. */
  @Test
  void aClockSetForwardBetweenRunsForgetsNothing() {
    keep(0, 10, 7);
    store.flush();
    pass(WINDOW.dividedBy(2));
    keep(10, 20, 7);
    store.flush();
    store.clock.set(store.clock.instant().plus(Duration.ofDays(30)));
    store.reopen();
    store.retain();
    assertThat(find(0, 20, 8)).isEqualTo(events(0, 20, 7));
  }

  @Test
  void aClockSetBackBetweenRunsForgetsNothing() {
    keep(0, 10, 7);
    store.flush();
    pass(WINDOW.dividedBy(2));
    keep(10, 20, 7);
    store.flush();
    store.clock.set(store.clock.instant().minus(Duration.ofDays(30)));
    store.reopen();
    store.retain();
    assertThat(find(0, 20, 8)).isEqualTo(events(0, 20, 7));
  }

  @Test
  void equalEventsCountOnce() {
    keep(0, EVENTS_MAX - 1, 7);
    FirstTimes twice = new FirstTimes(new long[] {200, 200}, new long[2], new long[] {8, 9});
    FirstTimes found = Expectation.await(store.engine().firstTimes(twice, SharedRoom.NOBODY));
    assertThat(found.ticks(0)).isEqualTo(8).isEqualTo(found.ticks(1));
  }

  @Test
  void aRequestLargerThanTheWindowIsTooLarge() {
    assertThatThrownBy(() -> find(0, EVENTS_MAX + 1, 7)).isInstanceOf(TooLargeException.class);
  }

  /** The window contains more than it may contain now. */
  @Test
  void firstTimesBeyondALoweredLimitAreKept() {
    keep(0, 90, 7);
    eventsMax = 50;
    store.reopen();
    assertThat(find(0, 90, 8)).isEqualTo(events(0, 90, 7));
    assertThatThrownBy(() -> find(90, 91, 8)).isInstanceOf(OverloadedException.class);
  }

  @Test
  void aRefusedWriteUsesNoSpace() {
    store.disk.usableBytes = 0;
    assertThatThrownBy(() -> find(0, EVENTS_MAX, 7)).isInstanceOf(UnavailableException.class);
    store.disk.usableBytes = Long.MAX_VALUE;
    assertThat(find(EVENTS_MAX, 2 * EVENTS_MAX, 8))
        .isEqualTo(events(EVENTS_MAX, 2 * EVENTS_MAX, 8));
  }

  private static void cut(Path file, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    keep(0, 10, 7);
    store.flush();
    keep(10, 20, 7);
    store.flush();
    Path image = store.image();
    Path file = new StoreFiles(image).firstTimes(1);
    Damage.flip("first-times/" + file.getFileName(), 70, 3).in(image);
    assertThatThrownBy(() -> store.goOnFrom(image))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("restore");
  }

  @Test
  void aFileInPlaceOfTheFolderIsRefusedByName() throws IOException {
    Path image = store.image();
    Files.writeString(new StoreFiles(image).firstTimes(), "");
    assertThatThrownBy(() -> store.goOnFrom(image))
        .isInstanceOfAny(CorruptException.class, UnavailableException.class)
        .hasMessageContaining("first-times");
  }
}
