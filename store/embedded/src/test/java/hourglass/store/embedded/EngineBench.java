package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.ColumnRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * What the engine alone costs: three hours of a million events each, written in batches of 5,000
 * two at a time, then read. Prints CPU seconds by thread; the first hour warms up. Not a test.
 */
public final class EngineBench {
  private static final int EVENTS = 1_000_000;
  private static final int BATCH = 5_000;
  private static final String[] TYPES = {"checkout", "search", "view", "login", "error", "ship"};

  private EngineBench() {}

  /** Takes a directory, or makes one. */
  public static void main(String[] args) throws Exception {
    Path dir = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("engine-bench");
    Hour hour = Hour.parse("2026-11-20T08");
    EmbeddedOptions options = EmbeddedOptions.builder(dir).build();
    try (EmbeddedStore store = open(options)) {
      for (int i = 0; i < 4; i++) {
        write(store, hour);
        printThreads();
        read(store, hour);
        hour = hour.next();
      }
      System.out.println("disk " + store.use().storeBytes() + " in " + dir);
    }
    long start = System.nanoTime();
    try (EmbeddedStore store = open(options)) {
      System.out.printf("reopen %d ms%n", (System.nanoTime() - start) / 1_000_000);
      System.out.println(store.hours(Hour.FIRST, Hour.LAST).toCompletableFuture().join());
    }
  }

  private static EmbeddedStore open(EmbeddedOptions options) {
    return EmbeddedStore.open(options, Clock.systemUTC(), new SimpleMeterRegistry());
  }

  private static void write(EmbeddedStore store, Hour hour) {
    List<List<Mutation>> batches = batches(hour);
    long start = System.nanoTime();
    long cpu = processCpu();
    Deque<CompletableFuture<Void>> flying = new ArrayDeque<>();
    for (List<Mutation> batch : batches) {
      if (flying.size() == 2) {
        flying.remove().join();
      }
      flying.add(store.write(batch).toCompletableFuture());
    }
    flying.forEach(CompletableFuture::join);
    long written = System.nanoTime();
    store.maintenance().flushAll().toCompletableFuture().join();
    System.out.printf(
        "%s: written in %d ms, flushed after %d ms, CPU %d ms%n",
        hour,
        (written - start) / 1_000_000,
        (System.nanoTime() - start) / 1_000_000,
        (processCpu() - cpu) / 1_000_000);
  }

  private static void read(EmbeddedStore store, Hour hour) {
    long start = System.nanoTime();
    long columns = 0;
    for (String type : TYPES) {
      RowKey row = new RowKey(hour, type, 0);
      SliceQuery query =
          new SliceQuery(
              row, ColumnRange.of(hour), Order.ASCENDING, 8192, SliceQuery.Projection.COLUMNS);
      Slice slice = store.slice(query).toCompletableFuture().join();
      columns += slice.columns().size();
      while (slice.more()) {
        query = query.after(slice);
        slice = store.slice(query).toCompletableFuture().join();
        columns += slice.columns().size();
      }
    }
    long scanned = System.nanoTime();
    long counted = 0;
    for (String type : TYPES) {
      RowKey row = new RowKey(hour, type, 0);
      counted +=
          store
              .count(new CountQuery(row, ColumnRange.of(hour), hour.startTicks(), 600_000_000L))
              .toCompletableFuture()
              .join()
              .columns();
    }
    System.out.printf(
        "%s: scanned %d in %d ms; counted %d by minute in %d ms%n",
        hour,
        columns,
        (scanned - start) / 1_000_000,
        counted,
        (System.nanoTime() - scanned) / 1_000_000);
  }

  private static List<List<Mutation>> batches(Hour hour) {
    Random random = new Random(1);
    TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
    List<List<Mutation>> batches = new ArrayList<>();
    for (int batch = 0; batch < EVENTS / BATCH; batch++) {
      ColumnsBuilder[] builders = new ColumnsBuilder[TYPES.length];
      for (int i = 0; i < TYPES.length; i++) {
        builders[i] = new ColumnsBuilder(BATCH / TYPES.length + 50, BATCH / TYPES.length * 180);
      }
      for (int i = 0; i < BATCH; i++) {
        long n = (long) batch * BATCH + i;
        long ticks = hour.startTicks() + n * 36_000 + random.nextInt(3600) * 10L;
        int type = random.nextInt(TYPES.length);
        byte[] payload = payload(ticks, TYPES[type], random);
        builders[type].add(ticks, generator.nextLsb(), payload, 0, payload.length);
      }
      List<Mutation> mutations = new ArrayList<>();
      for (int i = 0; i < TYPES.length; i++) {
        mutations.add(new Mutation(new RowKey(hour, TYPES[i], 0), builders[i].build()));
      }
      batches.add(mutations);
    }
    return batches;
  }

  private static byte[] payload(long ticks, String type, Random random) {
    String text =
        "{\"type\":\""
            + type
            + "\",\"time\":\""
            + hourglass.bucketing.Ticks.toInstant(ticks)
            + "\",\"level\":\"info\",\"host\":\"web-"
            + random.nextInt(40)
            + "\",\"path\":\"/api/v1/items/"
            + random.nextInt(200)
            + "\",\"status\":"
            + (random.nextInt(50) == 0 ? 500 : 200)
            + ",\"ms\":"
            + random.nextInt(5000) / 10.0
            + ",\"user\":\""
            + Integer.toHexString(random.nextInt())
            + "\"}";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static final Map<String, Long> cpuSoFar = new HashMap<>();

  private static void printThreads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null) {
        long cpu = threads.getThreadCpuTime(info.getThreadId());
        Long before = cpuSoFar.put(info.getThreadName(), cpu);
        long used = (cpu - (before == null ? 0 : before)) / 1_000_000;
        if (used > 20) {
          System.out.printf("  %-30s %6d ms%n", info.getThreadName(), used);
        }
      }
    }
  }
}
