package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.FirstTimes;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random finds, flushes that fail, passing time and restarts, against a map that forgets nothing.
 */
class FirstTimeModelTest {
  private static final Duration WINDOW = Duration.ofMinutes(60);
  private static final int OPERATIONS = 4_000;
  private static final int EVENTS = 60;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private final Random random = Chance.random("FirstTimeModelTest");
  private final ByteBuffer staging = FrameWriter.staging();
  private final FaultyDisk disk = new FaultyDisk();

  /** The last time returned for each event. */
  private final Map<Long, Long> last = new HashMap<>();

  /** The time of the clock when an event was found, by the time of the event. */
  private final Map<Long, Long> foundMillis = new HashMap<>();

  private final List<Logged> log = new ArrayList<>();
  private long nowMillis = 1_000;
  private long nextTicks = 1;
  private long segment = 1;
  private int forgotten;
  private FirstTimeIndex index;

  private record Logged(FirstTimes times, long segment) {}

  private FirstTimeIndex open() throws IOException {
    StoreFiles files = new StoreFiles(temp);
    FirstTimeIndex opened =
        new FirstTimeIndex(disk, files, staging, WINDOW, 1_000_000, () -> nowMillis);
    log.forEach(each -> opened.replayed(each.times, each.segment));
    return opened;
  }

  @Test
  void randomOperationsForgetNoFirstTimeEarly() throws IOException {
    index = open();
    for (int i = 0; i < Chance.rounds(OPERATIONS, OPERATIONS, 50 * OPERATIONS); i++) {
      switch (random.nextInt(12)) {
        case 0, 1 -> flush();
        case 2, 3 -> nowMillis += random.nextInt(20 * 60_000);
        case 4 -> forget();
        case 5 -> index = open(); // as after kill -9
        default -> find();
      }
    }
    assertThat(forgotten).as("events that were found anew").isPositive();
    nowMillis += 2 * WINDOW.toMillis();
    index.flush(segment);
    for (int i = 0; i < 2; i++) {
      index.forget();
      nowMillis += WINDOW.toMillis();
    }
    index.forget();
    assertThat(index.room().total()).isZero();
    assertThat(index.room().largest(10)).isEmpty();
    assertThat(StoreFiles.numbers(temp.resolve("first-times"), ".times")).isEmpty();
  }

  private void find() {
    long event = random.nextInt(EVENTS);
    FirstTimes found =
        index.find(
            new FirstTimes(new long[] {event}, new long[1], new long[] {nextTicks++}),
            random.nextInt(3));
    long ticks = found.ticks(0);
    long before = last.getOrDefault(event, ticks);
    if (ticks == nextTicks - 1) {
      foundMillis.put(ticks, nowMillis);
      forgotten += before == ticks ? 0 : 1;
    }
    if (nowMillis - foundMillis.get(before) < WINDOW.toMillis()) {
      assertThat(ticks).as("first time of event %s", event).isEqualTo(before);
    }
    last.put(event, ticks);
    index.logged(found, segment);
    log.add(new Logged(found, segment));
  }

  private void flush() {
    boolean fails = random.nextInt(3) == 0;
    List<String> operations =
        List.of("create N.times", "write N.times", "force N.times", "append N.times");
    String failing = operations.get(random.nextInt(operations.size()));
    disk.failing = operation -> fails && operation.equals(failing);
    long ended = segment++;
    try {
      index.flush(ended);
      log.removeIf(each -> each.segment <= ended); // the segment is deleted
    } catch (IOException e) {
      assertThat(fails).isTrue();
    }
    disk.failing = operation -> false;
  }

  private void forget() {
    boolean fails = random.nextInt(3) == 0;
    disk.failing = operation -> fails && operation.equals("delete N.times");
    try {
      index.forget();
    } catch (IOException e) {
      assertThat(fails).isTrue();
    }
    disk.failing = operation -> false;
  }
}
