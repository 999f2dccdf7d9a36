package hourglass.store.embedded;

import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.frames.FrameHeader;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A small data directory with something of everything: hours, types and both retention classes;
 * rows that were rewritten, sealed, and written again; several page files, of which one is listed
 * nowhere; two files of notes; and three log segments whose groups are in no page.
 */
final class SampleStore {
  private static final Hour HOUR = RandomWrites.HOUR;
  private static final int OVER_A_FRAME = FrameHeader.BODY_BYTES_MAX + 100_000;

  /** A group of the log that is in no page: one write. */
  record Group(String segment, long from, long to, Mutation mutation) {}

  /** Everything as it was left by a process that died. */
  final DirectoryImage image;

  /** The groups of the log, in order. */
  final List<Group> groups = new ArrayList<>();

  private final Map<RowKey, TreeMap<TimeUuid, byte[]>> inPages = new TreeMap<>();
  private final Random random;

  // The part of the hour in which columns lie: those of the log are later than those of pages.
  private int minutesFrom = 0;
  private int minutesTo = 50;

  SampleStore(Random random, Path dir) throws IOException {
    this.random = random;
    FaultyDisk disk = new FaultyDisk();
    try (EmbeddedStore store = open(dir, disk)) {
      fillPages(store);
    }
    try (EmbeddedStore store = open(dir, disk)) { // begins another file of notes
      write(store, row(0, "late", 0), 5, 60);
      Expectation.await(store.maintenance().flushAll());
      write(store, row(2, "late", 0), 5, 60);
    }
    try (EmbeddedStore store = open(dir, disk)) {
      this.image = fillLog(store, disk, dir);
    }
  }

  static EmbeddedStore open(Path dir, Disk disk) {
    return open(dir, disk, List.of());
  }

  static EmbeddedStore open(Path dir, Disk disk, List<String> missing) {
    TestClock clock = new TestClock();
    clock.set(HOUR.end().plus(Duration.ofDays(2)));
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir)
            .reserveBytes(0L)
            .flushIdle(Duration.ofDays(1)) // or a slow machine begins a segment of its own accord
            .sealAfter(Duration.ZERO)
            .missing(missing)
            .retention(
                Retention.of(
                    Retention.FOREVER, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30))))
            .build();
    return EmbeddedStore.open(options, clock, clock::millis, new SimpleMeterRegistry(), disk);
  }

  private void fillPages(EmbeddedStore store) {
    for (int round = 0; round < 3; round++) {
      for (int hour = 0; hour < 2; hour++) {
        write(store, row(hour, "click", 0), 40, 60);
        write(store, row(hour, "click", 1), 20, 60);
        write(store, row(hour, RandomWrites.SHORT_LIVED, 0), 10, 60);
      }
      Expectation.await(store.maintenance().flushAll());
    }
    Expectation.await(store.maintenance().seal());
    write(store, row(0, "click", 0), 30, 200);
    write(store, row(1, "click", 0), 30, 200);
    Expectation.await(store.maintenance().flushAll());
    write(store, row(0, "late", 0), 5, 60);
    Expectation.await(store.maintenance().flushAll());
    Expectation.await(store.maintenance().seal());
    write(store, row(0, "late", 0), 5, 60);
    Expectation.await(store.maintenance().flushAll());
  }

  /** Keeps a page file from being listed until the image is taken. */
  private DirectoryImage fillLog(EmbeddedStore store, FaultyDisk disk, Path dir)
      throws IOException {
    minutesFrom = 50;
    minutesTo = 60;
    Expectation.await(store.maintenance().flushAll()); // deletes the segment of the store before
    CountDownLatch taken = new CountDownLatch(1);
    disk.failing = asked -> asked.equals("write CATALOGUE") && awaitQuietly(taken);
    try {
      for (int segment = 0; segment < 3; segment++) {
        append(store, dir, mutation(row(0, "click", 0), 3, 60));
        append(store, dir, mutation(row(2, "new", 0), 8, 100));
        append(store, dir, mutation(row(1, "click", 2), 1, segment == 2 ? OVER_A_FRAME : 10));
        append(store, dir, mutation(row(1, RandomWrites.SHORT_LIVED, 0), 30, 60));
        append(store, dir, mutation(row(segment, "click", 0), 2, 20));
        if (segment < 2) {
          Path full = newestSegment(dir);
          var unused = store.maintenance().flushAll(); // begins the next segment, then waits
          await().until(() -> !newestSegment(dir).equals(full));
        }
      }
      return DirectoryImage.of(dir);
    } finally {
      taken.countDown();
    }
  }

  /** Waits, and lets the operation be. */
  private static boolean awaitQuietly(CountDownLatch latch) {
    Uninterrupted.await(latch::await);
    return false;
  }

  private static RowKey row(int hour, String type, int shard) {
    return new RowKey(new Hour(HOUR.epochHours() + hour), type, shard);
  }

  private void write(EmbeddedStore store, RowKey row, int columns, int bytes) {
    Mutation mutation = mutation(row, columns, bytes);
    Expectation.await(store.write(List.of(mutation)));
    add(inPages, mutation);
  }

  private void append(EmbeddedStore store, Path dir, Mutation mutation) throws IOException {
    Path segment = newestSegment(dir);
    long from = Files.size(segment);
    Expectation.await(store.write(List.of(mutation)));
    String name = dir.relativize(segment).toString();
    groups.add(new Group(name, from, Files.size(segment), mutation));
  }

  private static Path newestSegment(Path dir) throws IOException {
    StoreFiles files = new StoreFiles(dir);
    List<Long> segments = LogReplay.segments(files);
    return files.segment(segments.get(segments.size() - 1));
  }

  private Mutation mutation(RowKey row, int count, int bytes) {
    ColumnsBuilder columns = new ColumnsBuilder(count, count * bytes);
    for (int i = 0; i < count; i++) {
      double share = (minutesFrom + random.nextDouble() * (minutesTo - minutesFrom)) / 60;
      long ticks = row.hour().startTicks() + (long) (share * Ticks.PER_HOUR);
      byte[] payload = payload(bytes);
      columns.add(ticks, Long.MIN_VALUE | random.nextLong() >>> 2, payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }

  /** Text, as events are: no byte of it is zero. */
  private byte[] payload(int bytes) {
    StringBuilder text = new StringBuilder("{\"n\":" + random.nextInt(1000) + ",\"text\":\"");
    while (text.length() < bytes) {
      text.append(Long.toString(random.nextLong(), Character.MAX_RADIX));
    }
    return text.append("\"}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the columns that the store must contain: its pages, and the log up to a group. */
  Map<RowKey, TreeMap<TimeUuid, byte[]>> columns(int groupsThere) {
    Map<RowKey, TreeMap<TimeUuid, byte[]>> all = new TreeMap<>();
    inPages.forEach((row, columns) -> all.put(row, new TreeMap<>(columns)));
    groups.subList(0, groupsThere).forEach(group -> add(all, group.mutation()));
    return all;
  }

  private static void add(Map<RowKey, TreeMap<TimeUuid, byte[]>> to, Mutation mutation) {
    TreeMap<TimeUuid, byte[]> row = to.computeIfAbsent(mutation.row(), any -> new TreeMap<>());
    for (int i = 0; i < mutation.columns().size(); i++) {
      row.put(mutation.columns().id(i), mutation.columns().payload(i));
    }
  }

  /** The first of the groups that a place of a file belongs to; null if it is none. */
  @Nullable Group groupAt(String file, long offset) {
    return groups.stream()
        .filter(g -> g.segment().equals(file) && g.from() <= offset && offset < g.to())
        .findFirst()
        .orElse(null);
  }
}
