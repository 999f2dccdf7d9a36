package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.erasure.ErasureStatus.State;
import hourglass.store.pages.PageCodec;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power is cut at each operation of the disk in turn, while a store erases. Afterwards an
 * erasure has not begun, or it finishes by itself; nothing else is lost.
 */
class ErasurePowerCutTest {
  private static final Hour HOUR = TestStore.HOUR;
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey OTHER = new RowKey(HOUR, "search", 0);
  private static final RowKey NEXT = new RowKey(HOUR.next(), "checkout", 1);

  /** A row of two pages, of which the second vanishes. */
  private static final RowKey LARGE = new RowKey(HOUR, "large", 0);

  private static final String MARKER = "grace.hopper@example";

  /** The first tiers cut at one operation of so many. */
  private static final int STEP = Chance.rounds(12, 2, 1);

  /** A power cut keeps or loses names by chance. */
  private static final int REPEATS = 8;

  private final Random random = Chance.random("ErasurePowerCutTest");
  private final TestClock clock = new TestClock();
  private final Set<String> places = new TreeSet<>();

  /** Those of the images in which an erasure had begun, and not. */
  private int begun;

  private int notBegun;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  @Timeout(1200)
  void anErasureHasNotBegunOrFinishesByItself() throws IOException {
    int at = random.nextInt(STEP);
    while (cutAt(at)) {
      at += STEP;
    }
    assertThat(at).as("operations").isGreaterThan(200);
    assertThat(begun).isPositive();
    assertThat(notBegun).isPositive();
  }

  /**
   * The version and the folder of the first erasure are names in the data folder, which outlive a
   * process but not a power cut, unless the folder is forced.
   */
  @ParameterizedTest
  @CsvSource({"false, 1", "false, 2", "true, 1"})
  void anErasureIsDurableThoughAForceOfTheDataFolderFailedBefore(boolean hasFolder, int failedForce)
      throws IOException {
    for (int cut = 0; cut < REPEATS; cut++) {
      PowerCutDisk disk = disk("c" + cut);
      try (EmbeddedStore store = open(temp.resolve("c" + cut), disk)) {
        Expectation.await(store.write(List.of(columns(ROW, 0, 50))));
        if (hasFolder) {
          disk.createDirectories(temp.resolve("c" + cut).resolve("erasures")); // as of a restore
        }
        AtomicInteger forces = new AtomicInteger();
        disk.failing =
            what -> what.equals("forceDirectory cN") && forces.incrementAndGet() == failedForce;
        refuseErasure(store);
        disk.failing = what -> false;
        Expectation.await(store.erasures().begin(small()));
        disk.cutNow();
      }
      requireErasure("c" + cut);
    }
  }

  /** The file stays, so the next start finds it, and a repeat has nothing to write. */
  @Test
  void anErasureWhoseFileWasNotForcedIsDurableAfterTheNextStart() throws IOException {
    for (int cut = 0; cut < REPEATS; cut++) {
      PowerCutDisk disk = disk("c" + cut);
      try (EmbeddedStore store = open(temp.resolve("c" + cut), disk)) {
        Expectation.await(store.write(List.of(columns(ROW, 0, 50))));
        disk.createDirectories(temp.resolve("c" + cut).resolve("erasures"));
        disk.failing = what -> Set.of("forceDirectory erasures", "delete N.erasure").contains(what);
        refuseErasure(store);
        disk.failing = what -> what.equals("forceDirectory pages"); // or it would be done soon
      }
      try (EmbeddedStore store = open(temp.resolve("c" + cut), disk)) {
        Expectation.await(store.erasures().begin(small()));
        disk.cutNow();
      }
      requireErasure("c" + cut);
    }
  }

  private PowerCutDisk disk(String name) throws IOException {
    PowerCutDisk disk =
        new PowerCutDisk(temp.resolve(name), temp.resolve("graves-" + name), random);
    disk.cutAfter(Integer.MAX_VALUE, temp.resolve("image-" + name), () -> {});
    clock.set(HOUR.end().plus(Duration.ofDays(2)));
    return disk;
  }

  private static Erasure small() {
    return new Erasure(id(1), List.of(erased(ROW, 0, 40, 4)), List.of());
  }

  private static void refuseErasure(EmbeddedStore store) {
    assertThatThrownBy(() -> Expectation.await(store.erasures().begin(small())))
        .isInstanceOf(UnavailableException.class);
  }

  private void requireErasure(String name) throws IOException {
    Path image = temp.resolve("image-" + name);
    requireRaisedVersion(image);
    assertThat(StoreFiles.numbers(new StoreFiles(image).erasures(), StoreFiles.ERASURE_SUFFIX))
        .hasSize(1);
  }

  /** Runs the history on a disk that is cut at an operation; false if it has fewer. */
  private boolean cutAt(int operation) throws IOException {
    Path dir = temp.resolve("data" + operation);
    Path image = temp.resolve("image" + operation);
    PowerCutDisk disk = new PowerCutDisk(dir, temp.resolve("graves" + operation), random);
    Expectation expectation = new Expectation();
    List<Erasure> acknowledged = new CopyOnWriteArrayList<>();
    List<Erasure> whenCut = new ArrayList<>();
    disk.cutAfter(
        operation,
        image,
        () -> {
          expectation.freeze();
          whenCut.addAll(acknowledged);
        });
    clock.set(HOUR.end().plus(Duration.ofDays(2)));
    try (EmbeddedStore store = open(dir, disk)) {
      run(store, expectation, acknowledged);
    }
    boolean wasCut = disk.cutAt() != null;
    disk.cutNow();
    places.add(String.valueOf(disk.cutAt()));
    checkImage(image, expectation, whenCut);
    TestStore.delete(dir);
    TestStore.delete(image);
    TestStore.delete(temp.resolve("graves" + operation));
    return wasCut;
  }

  private void checkImage(Path image, Expectation expectation, List<Erasure> acknowledged)
      throws IOException {
    requireRaisedVersion(image);
    List<TimeUuid> found;
    try (EmbeddedStore store = open(image, new SystemDisk())) {
      ErasingStore hiding = ErasingStore.over(store);
      expectation.checkOpened(hiding);
      expectation.check(hiding);
      found = Expectation.await(store.erasures().all()).stream().map(ErasureStatus::id).toList();
      assertThat(found).containsAll(acknowledged.stream().map(Erasure::id).toList());
      found.forEach(erasure -> awaitDone(store, erasure));
      expectation.check(store);
    }
    for (TimeUuid each : found) {
      ErasedTraces traces =
          each.equals(id(1))
              ? ErasedTraces.of(MARKER + 1, first())
              : ErasedTraces.of(MARKER + 2, second());
      assertThat(traces.in(image)).as("traces of %s", each).isEmpty();
    }
    try (EmbeddedStore store = open(image, new SystemDisk())) {
      assertThat(Expectation.await(store.erasures().all())).hasSameSizeAs(found);
      Expectation.await(store.maintenance().seal());
      Expectation.await(store.maintenance().retain());
      expectation.check(store);
      if (found.contains(id(1))) {
        Expectation.await(ErasingStore.over(store).write(List.of(columns(ROW, 0, 1)))); // a repeat
        expectation.check(store);
      }
    }
    begun += found.size();
    notBegun += found.isEmpty() ? 1 : 0;
  }

  /** Older programs would show erased events. */
  static void requireRaisedVersion(Path image) throws IOException {
    StoreFiles files = new StoreFiles(image);
    if (!StoreFiles.numbers(files.erasures(), StoreFiles.ERASURE_SUFFIX).isEmpty()) {
      assertThat(image.resolve("VERSION")).hasContent("hourglass embedded store 5");
    }
  }

  private static void awaitDone(EmbeddedStore store, TimeUuid id) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(
            () ->
                Expectation.await(store.erasures().all()).stream()
                    .anyMatch(each -> each.id().equals(id) && each.state() == State.DONE));
  }

  private static TimeUuid id(int number) {
    return new TimeUuid(HOUR.endTicks() + number, Long.MIN_VALUE);
  }

  private static List<ErasedRow> first() {
    int last = PageCodec.PAGE_COLUMNS;
    return List.of(erased(ROW, 0, 40, 4), erased(NEXT, 0, 40, 4), erased(LARGE, last, last + 1, 1));
  }

  private static List<ErasedRow> second() {
    return List.of(erased(OTHER, 1, 60, 1));
  }

  private void run(EmbeddedStore store, Expectation expectation, List<Erasure> acknowledged) {
    write(store, expectation, large());
    for (int i = 0; i < 3; i++) {
      write(store, expectation, columns(ROW, 10 * i, 10 * i + 15));
      write(store, expectation, columns(OTHER, 10 * i, 10 * i + 25), columns(NEXT, 0, 12));
      Expectation.await(store.maintenance().flushAll());
    }
    Expectation.await(store.maintenance().seal());
    write(store, expectation, columns(ROW, 30, 45), columns(OTHER, 40, 70));
    erase(store, expectation, new Erasure(id(1), first(), List.of()), acknowledged);
    write(store, expectation, columns(ROW, 50, 55), columns(OTHER, 70, 75));
    erase(store, expectation, new Erasure(id(2), second(), List.of()), acknowledged);
    Expectation.await(store.maintenance().seal());
  }

  private static void write(EmbeddedStore store, Expectation expectation, Mutation... mutations) {
    List<Mutation> list = List.of(mutations);
    expectation.sent(list);
    long lsb = list.get(0).columns().lsb(0);
    FirstTimes untimed =
        new FirstTimes(new long[] {lsb}, new long[1], new long[] {list.get(0).columns().ticks(0)});
    FirstTimes times = Expectation.await(store.firstTimes(untimed, SharedRoom.NOBODY));
    Expectation.await(
        store.write(list, times, SharedRoom.NOBODY).thenRun(() -> expectation.acknowledged(list)));
  }

  private static void erase(
      EmbeddedStore store, Expectation expectation, Erasure erasure, List<Erasure> acknowledged) {
    expectation.eraseSent(erasure.rows());
    Expectation.await(
        ErasingStore.over(store)
            .erase(erasure)
            .thenRun(
                () -> {
                  acknowledged.add(erasure);
                  expectation.eraseAcknowledged(erasure.rows());
                }));
    awaitDone(store, erasure.id());
  }

  private static TimeUuid name(RowKey row, int n) {
    long step = row.equals(LARGE) ? Ticks.PER_MILLI : Ticks.PER_SECOND;
    long ticks = row.hour().startTicks() + n * step + row.type().length();
    long lsb = Long.MIN_VALUE | (0x0123_4567_89ab_cdefL * (n + 1) + row.type().hashCode()) >>> 2;
    return new TimeUuid(ticks, lsb);
  }

  private static Mutation columns(RowKey row, int from, int to) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 60 * (to - from));
    for (int n = from; n < to; n++) {
      String marker =
          row.equals(OTHER)
              ? n >= 1 && n < 60 ? MARKER + 2 : ""
              : n < 40 && n % 4 == 0 ? MARKER + 1 : "";
      byte[] payload =
          "{\"user\":\"%s\",\"n\":%s}".formatted(marker, n).getBytes(StandardCharsets.UTF_8);
      TimeUuid name = name(row, n);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }

  private static Mutation large() {
    int size = PageCodec.PAGE_COLUMNS + 1;
    ColumnsBuilder columns = new ColumnsBuilder(size, 40 * size);
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    byte[] marked = ("{\"user\":\"" + MARKER + "1\"}").getBytes(StandardCharsets.UTF_8);
    for (int n = 0; n < size; n++) {
      byte[] of = n == size - 1 ? marked : payload;
      TimeUuid name = name(LARGE, n);
      columns.add(name.ticks(), name.lsb(), of, 0, of.length);
    }
    return new Mutation(LARGE, columns.build());
  }

  private static ErasedRow erased(RowKey row, int from, int to, int step) {
    ColumnsBuilder names = new ColumnsBuilder(to - from, 0);
    IntStream.iterate(from, n -> n < to, n -> n + step)
        .mapToObj(n -> name(row, n))
        .forEach(name -> names.add(name.ticks(), name.lsb(), new byte[0], 0, 0));
    return new ErasedRow(row, names.build());
  }

  private EmbeddedStore open(Path dir, Disk disk) {
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir)
            .reserveBytes(0L)
            .segmentBytes(1 << 20)
            .flushIdle(Duration.ofDays(1))
            .sealAfter(Duration.ZERO)
            .build();
    return EmbeddedStore.open(options, clock, clock::millis, new SimpleMeterRegistry(), disk);
  }
}
