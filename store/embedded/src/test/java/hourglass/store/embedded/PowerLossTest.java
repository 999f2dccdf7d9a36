package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power is cut at random operations, in opening and recovery too; the next store is opened on
 * what the disk kept, checked, written to, and cut again.
 */
class PowerLossTest {
  private static final int UNTIMED_EVENTS = 200;

  /** A fresh directory after so many: rows grow, and so does the time to check them. */
  private static final int GENERATIONS = 12;

  private final Random random = Chance.random("PowerLossTest");
  private final TestClock clock = new TestClock();
  private final Set<String> places = new HashSet<>();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  @Timeout(1200)
  void acknowledgedColumnsSurvive() throws IOException {
    int cuts = Chance.rounds(16, 48, 600);
    Expectation expectation = new Expectation();
    RandomWrites writes = new RandomWrites(random, 3);
    clock.set(RandomWrites.HOUR.end().plus(Duration.ofDays(2)));
    Path dir = temp.resolve("0");
    for (int cut = 1; cut <= cuts; cut++) {
      Path next = temp.resolve(Integer.toString(cut));
      places.add(generation(dir, next, expectation, writes));
      delete(dir);
      delete(temp.resolve("graves"));
      dir = next;
      if (cut % GENERATIONS == 0) {
        try (EmbeddedStore store = open(dir, new SystemDisk())) {
          expectation.check(store);
        }
        delete(dir);
        expectation = new Expectation();
        writes = new RandomWrites(random, 3);
      }
    }
    assertThat(places).as("places of cuts").hasSizeGreaterThan(6);
  }

  /** Opens a store, checks it and writes to it, until the power is cut. */
  private String generation(Path dir, Path next, Expectation expectation, RandomWrites writes)
      throws IOException {
    PowerCutDisk disk = new PowerCutDisk(dir, temp.resolve("graves"), random);
    expectation.thaw();
    long operations = random.nextInt(random.nextInt(4) == 0 ? 30 : 400);
    disk.cutAfter(operations, next, expectation::freeze);
    try (EmbeddedStore store = open(dir, disk)) {
      expectation.checkOpened(store);
      expectation.checkFirstTimes(store);
      checkNotes(store);
      List<CompletableFuture<Void>> flight = new ArrayList<>();
      // Now and then it is closing that is cut.
      int last = random.nextInt(5) == 0 ? random.nextInt(40) : Integer.MAX_VALUE;
      for (int i = 0; i < last && disk.cutAt() == null; i++) {
        operate(store, expectation, writes, flight);
      }
      flight.forEach(Expectation::await);
    }
    disk.cutNow(); // after closing, if it took fewer operations
    return Objects.requireNonNull(disk.cutAt());
  }

  /** All of it came late: no column is there without its note. */
  private void checkNotes(EmbeddedStore store) {
    Set<LateArrivalReader> noted =
        new TreeSet<>(LateArrivalReader.behind(store, LateArrivalPlace.START, random));
    Set<LateArrivalReader> without = LateArrivalReader.columnsOf(store);
    without.removeAll(noted); // AssertJ would compare each with each
    assertThat(without).as("columns without a note").isEmpty();
  }

  private void operate(
      EmbeddedStore store,
      Expectation expectation,
      RandomWrites writes,
      List<CompletableFuture<Void>> flight) {
    int dice = random.nextInt(100);
    if (dice < 80) {
      flight.add(write(store, expectation, writes.next()));
    } else if (dice < 88) {
      flight.add(store.maintenance().flushAll().toCompletableFuture());
    } else if (dice < 94) {
      flight.add(store.maintenance().seal().toCompletableFuture());
    } else if (dice < 98) {
      expectation.check(settled(store, flight));
    } else {
      drop(settled(store, flight), expectation, writes.hour());
    }
    if (flight.size() > 8) {
      settled(store, flight);
    }
  }

  private static EmbeddedStore settled(EmbeddedStore store, List<CompletableFuture<Void>> flight) {
    flight.forEach(Expectation::await);
    flight.clear();
    return store;
  }

  private CompletableFuture<Void> write(
      EmbeddedStore store, Expectation expectation, List<Mutation> mutations) {
    expectation.sent(mutations);
    FirstTimes times = Expectation.await(store.firstTimes(untimedEvents(), SharedRoom.NOBODY));
    return store
        .write(mutations, times, SharedRoom.NOBODY)
        .thenRun(
            () -> {
              expectation.acknowledged(mutations);
              expectation.acknowledged(times);
            })
        .toCompletableFuture();
  }

  /** None, or few that were mostly found before. */
  private FirstTimes untimedEvents() {
    int events = Math.max(0, random.nextInt(6) - 2);
    long[] lsb = random.longs(events, 1, UNTIMED_EVENTS).toArray();
    return new FirstTimes(lsb, new long[events], random.longs(events, 1, 1L << 60).toArray());
  }

  private static void drop(EmbeddedStore store, Expectation expectation, Hour hour) {
    expectation.dropSent(hour);
    Expectation.await(store.drop(hour).thenRun(() -> expectation.dropAcknowledged(hour)));
  }

  private EmbeddedStore open(Path dir, Disk disk) {
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir)
            .reserveBytes(0L)
            .segmentBytes(1 << 20)
            .sealAfter(Duration.ZERO)
            .retention(
                Retention.of(
                    Retention.FOREVER, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30))))
            .build();
    return EmbeddedStore.open(options, clock, clock::millis, new SimpleMeterRegistry(), disk);
  }

  private static void delete(Path dir) throws IOException {
    if (Files.exists(dir)) {
      try (Stream<Path> paths = Files.walk(dir)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
