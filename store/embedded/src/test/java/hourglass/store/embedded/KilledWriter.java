package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that writes to a store with several threads until it is killed. It prints a line {@code
 * thread batch} for each batch that was acknowledged, before it sends the thread's next one.
 */
final class KilledWriter {
  static final int THREADS = 4;

  private KilledWriter() {}

  /**
   * @param args the directory, a seed, and for each thread the number of its first batch
   */
  public static void main(String[] args) throws Exception {
    long seed = Long.parseLong(args[1]);
    try (EmbeddedStore store = open(Path.of(args[0]))) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        int first = Integer.parseInt(args[2 + i]);
        threads.add(new Thread(() -> write(store, seed, number, first)));
      }
      threads.forEach(Thread::start);
      while (threads.get(0).isAlive()) {
        Expectation.await(store.maintenance().seal());
      }
    }
  }

  /** Opens a store whose hours are all over, with small log segments. */
  static EmbeddedStore open(Path dir) {
    TestClock clock = new TestClock();
    clock.set(TestStore.HOUR.end().plus(Duration.ofDays(2)));
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir)
            .reserveBytes(0L)
            .segmentBytes(1 << 20)
            .sealAfter(Duration.ZERO)
            .build();
    return EmbeddedStore.open(options, clock, new SimpleMeterRegistry());
  }

  private static void write(EmbeddedStore store, long seed, int thread, int first) {
    // Not buffered: a line is out, whole, or the next batch is not sent.
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      for (int batch = first; true; batch++) {
        Expectation.await(store.write(batch(seed, thread, batch)));
        out.write((thread + " " + batch + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new AssertionError("nobody reads on", e);
    }
  }

  /** Returns the n-th batch of a thread, which is the same each time. */
  static List<Mutation> batch(long seed, int thread, int number) {
    Random random = new Random(seed * 31 * 31 + thread * 31L + number);
    List<Mutation> mutations = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      Hour hour = new Hour(TestStore.HOUR.epochHours() + random.nextInt(2));
      RowKey row = new RowKey(hour, "type " + random.nextInt(2), i);
      // A batch has numbers of its own, and now and then columns of the one before.
      int from = (number * THREADS + thread) * 8 - (random.nextInt(4) == 0 ? 3 : 0);
      int bytes = random.nextInt(8) == 0 ? 60_000 : 200;
      mutations.add(
          NumberedColumns.columns(
              row,
              Math.max(0, from),
              Math.max(0, from) + 1 + random.nextInt(8),
              n -> Chance.bytes(random, random.nextInt(bytes))));
    }
    return mutations;
  }
}
