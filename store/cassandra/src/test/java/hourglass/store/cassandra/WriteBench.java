package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.sandbox.CassandraCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;
import org.awaitility.Awaitility;

/**
 * CPU seconds of both processes for events of about 170 B on one node: one insert per event with
 * the plain driver, then batches of several sizes with the engine. Each run begins on an idle node,
 * without flushes and compactions of the last one; the first rounds only warm up.
 */
public final class WriteBench {
  private static final int WARM_UP_ROUNDS = 2;
  private static final int ROUNDS = 5;
  private static final int EVENTS = 200_000;
  private static final int INSERTS = 40_000;
  private static final int PER_WRITE = 5_000;
  private static final int PER_ROW = 1_250;
  private static final int WRITES_AT_A_TIME = 4;
  private static final int INSERTS_AT_A_TIME = 256;
  private static final int WAITING_THREADS = 16;

  private WriteBench() {}

  /** The arguments are sizes of batches in bytes. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("hourglass-write-bench");
    try (CassandraCluster cluster =
        CassandraCluster.start(
            CassandraCluster.options(folder).fullCompiler().heapMegabytes(1024))) {
      String contact =
          cluster.contactPoints().get(0).getAddress().getHostAddress()
              + ":"
              + cluster.contactPoints().get(0).getPort();
      long pid = cluster.node(1).pid();
      Map<String, DoubleSupplier> ways = new LinkedHashMap<>();
      ways.put("inserts, 16 wait each for theirs", () -> waitingInserts(contact, pid));
      ways.put("inserts, 256 under way", () -> inserts(contact, pid));
      for (String size : args.length == 0 ? new String[] {"65536"} : args) {
        int bytes = Integer.parseInt(size);
        ways.put("engine, batches of " + size, () -> engine(contact, pid, bytes));
      }
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
        boolean counts = round >= WARM_UP_ROUNDS;
        ways.forEach(
            (name, way) -> {
              awaitRest(pid);
              double rate = way.getAsDouble();
              if (counts) {
                rates.computeIfAbsent(name, any -> new ArrayList<>()).add(rate);
              }
            });
      }
      System.out.println("medians of " + ROUNDS + " rounds after " + WARM_UP_ROUNDS);
      rates.forEach((name, all) -> System.out.printf("%-34s %8.0f/s%n", name, median(all)));
    }
  }

  private static double median(List<Double> rates) {
    return rates.stream().sorted().toList().get(rates.size() / 2);
  }

  /** Returns when the node was almost idle for two seconds. */
  private static void awaitRest(long pid) {
    AtomicLong before = new AtomicLong(Long.MIN_VALUE / 2);
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofSeconds(2))
        .until(
            () -> {
              long now = Stopwatch.theirs(pid);
              return now - before.getAndSet(now) < 200_000_000;
            });
  }

  /** Measures as many concurrent inserts as the node answers best. */
  private static double inserts(String contact, long pid) {
    return inserts(
        contact,
        pid,
        "inserts, 256 under way",
        (session, inserts) -> {
          Semaphore free = new Semaphore(INSERTS_AT_A_TIME);
          for (BoundStatement insert : inserts) {
            free.acquireUninterruptibly();
            session.executeAsync(insert).whenComplete((done, failure) -> free.release());
          }
          free.acquireUninterruptibly(INSERTS_AT_A_TIME);
        });
  }

  /** Threads that wait for each answer. */
  private static double waitingInserts(String contact, long pid) {
    return inserts(
        contact,
        pid,
        "inserts, 16 wait each for theirs",
        (session, inserts) -> {
          ExecutorService threads = Executors.newFixedThreadPool(WAITING_THREADS);
          inserts.forEach(insert -> threads.execute(() -> session.execute(insert)));
          threads.shutdown();
          try {
            threads.awaitTermination(10, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static double inserts(
      String contact, long pid, String name, BiConsumer<CqlSession, List<BoundStatement>> way) {
    CassandraOptions options = options(contact, 4096);
    try (CassandraStore store = open(options);
        CqlSession session =
            SessionFactory.builder(options, new SimpleMeterRegistry().counter("retries")).build()) {
      session.execute(
          "CREATE TABLE IF NOT EXISTS bench.plain_events"
              + " (row text, id timeuuid, payload blob, PRIMARY KEY ((row), id))");
      PreparedStatement insert =
          session.prepare("INSERT INTO bench.plain_events (row, id, payload) VALUES (?, ?, ?)");
      List<Mutation> mutations = mutations(INSERTS).stream().flatMap(List::stream).toList();
      Stopwatch watch = new Stopwatch(pid);
      List<BoundStatement> inserts = new ArrayList<>(INSERTS);
      for (Mutation mutation : mutations) {
        Columns columns = mutation.columns();
        for (int i = 0; i < columns.size(); i++) {
          inserts.add(
              insert.bind(
                  mutation.row().toString(),
                  columns.id(i).toUuid(),
                  ByteBuffer.wrap(columns.payload(i))));
        }
      }
      way.accept(session, inserts);
      return watch.print(name, INSERTS);
    }
  }

  private static double engine(String contact, long pid, int batchBytes) {
    try (CassandraStore store = open(options(contact, batchBytes))) {
      List<List<Mutation>> writes = mutations(EVENTS);
      Stopwatch watch = new Stopwatch(pid);
      Deque<CompletableFuture<Void>> flying = new ArrayDeque<>();
      for (List<Mutation> write : writes) {
        if (flying.size() == WRITES_AT_A_TIME) {
          flying.remove().join();
        }
        flying.add(store.write(write).toCompletableFuture());
      }
      flying.forEach(CompletableFuture::join);
      return watch.print("engine, batches of " + batchBytes, EVENTS);
    }
  }

  private static CassandraOptions options(String contact, int batchBytes) {
    return CassandraOptions.builder()
        .contactPoints(List.of(contact))
        .keyspace("bench")
        .batchBytes(batchBytes)
        .build();
  }

  private static CassandraStore open(CassandraOptions options) {
    CassandraStore store =
        CassandraStore.open(options, Clock.systemUTC(), new SimpleMeterRegistry());
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> store.check().toCompletableFuture().handle((ok, e) -> e == null).join());
    return store;
  }

  /** Requests of a running hour, each with some rows. */
  private static List<List<Mutation>> mutations(int events) {
    Random random = new Random(1);
    TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
    Hour hour = Hour.of(Clock.systemUTC().instant());
    String type = "checkout-" + System.nanoTime(); // rows of its own, of usual width
    List<List<Mutation>> writes = new ArrayList<>();
    for (int written = 0; written < events; written += PER_WRITE) {
      List<Mutation> mutations = new ArrayList<>();
      for (int row = 0; row < PER_WRITE / PER_ROW; row++) {
        ColumnsBuilder columns = new ColumnsBuilder(PER_ROW, PER_ROW * 180);
        for (int i = 0; i < PER_ROW; i++) {
          long ticks = hour.startTicks() + (long) written * 1_000 + i * 4_000L + row;
          byte[] payload = payload(ticks, random);
          columns.add(ticks, generator.nextLsb(), payload, 0, payload.length);
        }
        mutations.add(new Mutation(new RowKey(hour, type, row), columns.build()));
      }
      writes.add(mutations);
    }
    return writes;
  }

  private static byte[] payload(long ticks, Random random) {
    String text =
        "{\"type\":\"checkout\",\"time\":\""
            + Ticks.toInstant(ticks)
            + "\",\"level\":\"info\",\"host\":\"web-"
            + random.nextInt(40)
            + "\",\"path\":\"/api/v1/items/"
            + random.nextInt(200)
            + "\",\"status\":200,\"ms\":"
            + random.nextInt(5000) / 10.0
            + ",\"user\":\""
            + Integer.toHexString(random.nextInt())
            + "\"}";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static final class Stopwatch {
    private final long pid;
    private final long start = System.nanoTime();
    private final long ours = ours();
    private final long theirs;

    Stopwatch(long pid) {
      this.pid = pid;
      this.theirs = theirs(pid);
    }

    double print(String what, int events) {
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%-34s %8.0f/s  CPU s per million: ours %5.1f, Cassandra's %5.1f%n",
          what,
          events / seconds,
          (ours() - ours) / 1e3 / events,
          (theirs(pid) - theirs) / 1e3 / events);
      return events / seconds;
    }

    private static long ours() {
      return ((com.sun.management.OperatingSystemMXBean)
              ManagementFactory.getOperatingSystemMXBean())
          .getProcessCpuTime();
    }

    private static long theirs(long pid) {
      return ProcessHandle.of(pid).orElseThrow().info().totalCpuDuration().orElseThrow().toNanos();
    }
  }
}
