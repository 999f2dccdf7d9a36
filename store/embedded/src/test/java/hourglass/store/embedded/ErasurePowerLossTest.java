package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.erasure.ErasureStatus.State;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power is cut at random operations of a store that writes, flushes, seals and erases in any
 * order. Each erasure that was acknowledged finishes by itself, and nothing else is lost. {@link
 * ErasurePowerCutTest} cuts one history at each operation.
 */
class ErasurePowerLossTest {
  private static final Hour HOUR = TestStore.HOUR;

  private static final List<RowKey> ROWS =
      Stream.of(HOUR, HOUR.next())
          .flatMap(
              hour ->
                  Stream.of(
                      new RowKey(hour, "checkout", 0),
                      new RowKey(hour, "checkout", 1),
                      new RowKey(hour, "search", 0)))
          .toList();

  private final Random random = Chance.random("ErasurePowerLossTest");
  private final TestClock clock = new TestClock();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  /** The names that an erasure with a number erases, by row. No name is written twice. */
  private final List<Map<RowKey, List<TimeUuid>>> erased = new ArrayList<>();

  /** The rows that have a column; the first of each stays, as a row is listed while it has any. */
  private final Set<RowKey> rows = new HashSet<>();

  private int names;

  @Test
  @Timeout(1200)
  void acknowledgedErasuresFinishAndNothingElseIsLost() throws IOException {
    int cuts = Chance.rounds(12, 200, 1_000);
    int found = 0;
    for (int cut = 0; cut < cuts; cut++) {
      found += cutOnce(cut);
    }
    assertThat(found).as("erasures").isGreaterThan(cuts / 4);
  }

  private int cutOnce(int number) throws IOException {
    erased.clear();
    rows.clear();
    erased.add(new HashMap<>());
    Path dir = temp.resolve("data" + number);
    Path image = temp.resolve("image" + number);
    Path graves = temp.resolve("graves" + number);
    PowerCutDisk disk = new PowerCutDisk(dir, graves, random);
    Expectation expectation = new Expectation();
    List<TimeUuid> acknowledged = new CopyOnWriteArrayList<>();
    List<TimeUuid> whenCut = new CopyOnWriteArrayList<>();
    disk.cutAfter(
        random.nextInt(500),
        image,
        () -> {
          expectation.freeze();
          whenCut.addAll(acknowledged);
        });
    clock.set(HOUR.next().end().plus(Duration.ofDays(2)));
    try (EmbeddedStore store = open(dir, disk)) {
      for (int i = 0; i < 60 && disk.cutAt() == null; i++) {
        operate(store, expectation, acknowledged);
      }
    }
    disk.cutNow(); // after closing, if it took fewer operations
    int found = checkImage(image, expectation, whenCut);
    for (Path each : List.of(dir, image, graves)) {
      TestStore.delete(each);
    }
    return found;
  }

  private void operate(EmbeddedStore store, Expectation expectation, List<TimeUuid> acknowledged) {
    int dice = random.nextInt(20);
    if (dice < 12) {
      write(store, expectation);
    } else if (dice < 16) {
      Expectation.await(store.maintenance().flushAll());
    } else if (dice < 17) {
      Expectation.await(store.maintenance().seal());
    } else if (!erased.get(erased.size() - 1).isEmpty()) {
      erase(store, expectation, acknowledged);
    }
  }

  private void write(EmbeddedStore store, Expectation expectation) {
    List<Mutation> mutations =
        IntStream.range(0, 1 + random.nextInt(2))
            .mapToObj(i -> columns(ROWS.get(random.nextInt(ROWS.size())), 1 + random.nextInt(20)))
            .toList();
    expectation.sent(mutations);
    Columns first = mutations.get(0).columns();
    FirstTimes untimed =
        new FirstTimes(new long[] {first.lsb(0)}, new long[1], new long[] {first.ticks(0)});
    FirstTimes times = Expectation.await(store.firstTimes(untimed, SharedRoom.NOBODY));
    Expectation.await(
        store
            .write(mutations, times, SharedRoom.NOBODY)
            .thenRun(() -> expectation.acknowledged(mutations)));
  }

  private static String marker(int erasure) {
    return "erasure-" + erasure + "-erases-me";
  }

  private Mutation columns(RowKey row, int count) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 60 * count);
    for (int i = 0; i < count; i++) {
      int n = names++;
      boolean isErased = !rows.add(row) && random.nextInt(4) == 0;
      TimeUuid name =
          new TimeUuid(
              row.hour().startTicks() + n * Ticks.PER_MILLI + random.nextInt(10_000),
              Long.MIN_VALUE | random.nextLong() >>> 2);
      int erasure = erased.size() - 1;
      if (isErased) {
        erased.get(erasure).computeIfAbsent(row, any -> new ArrayList<>()).add(name);
      }
      byte[] payload =
          "{\"user\":\"%s\",\"n\":%s}"
              .formatted(isErased ? marker(erasure) : "ada", n)
              .getBytes(StandardCharsets.UTF_8);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }

  private static TimeUuid id(int erasure) {
    return new TimeUuid(HOUR.endTicks() + erasure, Long.MIN_VALUE);
  }

  private List<ErasedRow> rows(int erasure) {
    List<ErasedRow> rows = new ArrayList<>();
    erased.get(erasure).forEach((row, all) -> rows.add(new ErasedRow(row, packed(all))));
    return rows;
  }

  private static Columns packed(List<TimeUuid> all) {
    ColumnsBuilder columns = new ColumnsBuilder(all.size(), 0);
    all.stream().sorted().forEach(name -> columns.add(name.ticks(), name.lsb(), new byte[0], 0, 0));
    return columns.build();
  }

  private void erase(EmbeddedStore store, Expectation expectation, List<TimeUuid> acknowledged) {
    int number = erased.size() - 1;
    Erasure erasure = new Erasure(id(number), rows(number), List.of());
    erased.add(new HashMap<>());
    expectation.eraseSent(erasure.rows());
    Expectation.await(
        ErasingStore.over(store)
            .erase(erasure)
            .thenRun(
                () -> {
                  acknowledged.add(erasure.id());
                  expectation.eraseAcknowledged(erasure.rows());
                }));
    if (random.nextBoolean()) {
      awaitDone(store);
    }
  }

  private static void awaitDone(EmbeddedStore store) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> all(store).stream().allMatch(each -> each.state() == State.DONE));
  }

  private static List<ErasureStatus> all(EmbeddedStore store) {
    return Expectation.await(store.erasures().all());
  }

  /** Returns the number of erasures that had begun. */
  private int checkImage(Path image, Expectation expectation, List<TimeUuid> acknowledged)
      throws IOException {
    ErasurePowerCutTest.requireRaisedVersion(image);
    List<TimeUuid> found;
    try (EmbeddedStore store = open(image, new SystemDisk())) {
      expectation.checkOpened(ErasingStore.over(store));
      found = all(store).stream().map(ErasureStatus::id).toList();
      assertThat(found).containsAll(acknowledged);
      awaitDone(store);
      expectation.check(store);
    }
    for (int erasure = 0; erasure < erased.size(); erasure++) {
      if (found.contains(id(erasure))) {
        assertThat(ErasedTraces.of(marker(erasure), rows(erasure)).in(image))
            .as("traces of erasure %s", erasure)
            .isEmpty();
      }
    }
    try (EmbeddedStore store = open(image, new SystemDisk())) {
      Expectation.await(store.maintenance().seal());
      expectation.check(store);
    }
    return found.size();
  }

  private EmbeddedStore open(Path dir, Disk disk) {
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir)
            .reserveBytes(0L)
            .segmentBytes(1 << 20)
            .sealAfter(Duration.ZERO)
            .build();
    return EmbeddedStore.open(options, clock, clock::millis, new SimpleMeterRegistry(), disk);
  }
}
