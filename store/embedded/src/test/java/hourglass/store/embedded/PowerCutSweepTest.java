package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power is cut at each operation of the disk in turn, while a store flushes, merges, seals,
 * drops and deletes. What {@link PowerLossTest} does by chance is done here for one history.
 */
class PowerCutSweepTest {
  private static final Hour HOUR = TestStore.HOUR;
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final RowKey SHORT_LIVED = new RowKey(HOUR, RandomWrites.SHORT_LIVED, 0);
  private static final RowKey OTHER = new RowKey(HOUR, "search", 0);
  private static final RowKey NEXT = new RowKey(HOUR.next(), "checkout", 1);

  /** The first tier cuts at one operation of so many. */
  private static final int STEP = Chance.rounds(5, 1, 1);

  private final Random random = Chance.random("PowerCutSweepTest");
  private final TestClock clock = new TestClock();
  private final Set<String> places = new TreeSet<>();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  @Timeout(1200)
  void nothingAcknowledgedIsLostOrDoubled() throws IOException {
    int at = random.nextInt(STEP);
    while (cutAt(at)) {
      at += STEP;
    }
    assertThat(at).as("operations").isGreaterThan(100);
    assertThat(places)
        .contains("after write CATALOGUE", "before delete N.pages", "after force unfinished");
  }

  /** Runs the history on a disk that is cut at an operation; false if it has fewer. */
  private boolean cutAt(int operation) throws IOException {
    Path dir = temp.resolve("data" + operation);
    Path image = temp.resolve("image" + operation);
    PowerCutDisk disk = new PowerCutDisk(dir, temp.resolve("graves" + operation), random);
    Expectation expectation = new Expectation();
    disk.cutAfter(operation, image, expectation::freeze);
    clock.set(HOUR.end().plus(Duration.ofDays(2)));
    try (EmbeddedStore store = open(dir, disk)) {
      run(store, expectation);
    }
    boolean wasCut = disk.cutAt() != null;
    disk.cutNow();
    places.add(String.valueOf(disk.cutAt()));
    for (int opened = 0; opened < 2; opened++) {
      try (EmbeddedStore store = open(image, new SystemDisk())) {
        expectation.checkOpened(store);
        expectation.check(store);
        Expectation.await(store.maintenance().seal());
        Expectation.await(store.maintenance().retain());
        expectation.check(store);
      }
    }
    TestStore.delete(dir);
    TestStore.delete(image);
    return wasCut;
  }

  private void run(EmbeddedStore store, Expectation expectation) {
    for (int i = 0; i < 18; i++) { // as many sections as are merged early
      write(store, expectation, columns(ROW, 5 * i, 5 * i + 7));
      if (i % 6 == 0) {
        write(store, expectation, columns(SHORT_LIVED, i, i + 9), columns(NEXT, i, i + 3));
        write(store, expectation, columns(OTHER, i, i + 9));
      }
      Expectation.await(store.maintenance().flushAll());
    }
    Expectation.await(store.maintenance().seal());
    write(store, expectation, columns(ROW, 50, 150), columns(NEXT, 100, 110));
    Expectation.await(store.maintenance().seal());
    expectation.dropSent(NEXT.hour());
    Expectation.await(
        store.drop(NEXT.hour()).thenRun(() -> expectation.dropAcknowledged(NEXT.hour())));
    Expectation.await(store.maintenance().retain());
    write(store, expectation, columns(ROW, 300, 310), columns(OTHER, 300, 310));
    expectation.dropSent(OTHER.typeHour());
    Expectation.await(
        store.drop(OTHER.typeHour()).thenRun(() -> expectation.dropAcknowledged(OTHER.typeHour())));
    write(store, expectation, columns(ROW, 400, 410), columns(OTHER, 400, 410));
  }

  private static void write(EmbeddedStore store, Expectation expectation, Mutation... mutations) {
    List<Mutation> list = List.of(mutations);
    expectation.sent(list);
    Expectation.await(store.write(list).thenRun(() -> expectation.acknowledged(list)));
  }

  private EmbeddedStore open(Path dir, Disk disk) {
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir)
            .reserveBytes(0L)
            .segmentBytes(1 << 20)
            .flushIdle(Duration.ofDays(1))
            .sealAfter(Duration.ZERO)
            .retention(
                Retention.of(
                    Retention.FOREVER, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30))))
            .build();
    return EmbeddedStore.open(options, clock, clock::millis, new SimpleMeterRegistry(), disk);
  }
}
