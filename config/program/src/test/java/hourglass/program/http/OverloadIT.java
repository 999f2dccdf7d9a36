package hourglass.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushedBatches.Batch;
import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Under more load than a small server can handle, it answers some with 429, drops no client, and
 * lives.
 */
@Tag(Tier.IN_FULL)
class OverloadIT {
  private static final int CLIENTS = 16;
  private static final int BATCHES_EACH = Tier.length(2, 2, 20);

  /** They go on until one was refused: clients that are slow themselves may be no overload yet. */
  private static final int BATCHES_MAX = 20;

  private static final int BATCH_EVENTS = 5000; // of about 600 bytes: bodies of 3 MB
  private static final int SLOW_READERS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  // They retry ten times as soon as they should.
  private static final long IMPATIENT_NANOS_PER_SECOND = 100_000_000;

  // A heap of 192 MiB, and the JVM's own memory.
  private static final Map<String, String> SMALL_HEAP = Map.of("_JAVA_OPTIONS", "-Xmx192m");
  private static final long RESIDENT_BYTES_MAX = 600L << 20;
  private static final long READERS_BYTES_MAX = 100L << 20;

  private static final String[] SMALL_LIMITS = {
    "ingest.max-body-bytes=4MiB",
    "ingest.max-in-flight-bytes=24MiB",
    "store.embedded.memory-budget=16MiB",
    "store.embedded.free-space-reserve=16MiB",
    "query.buffer-bytes=1MiB",
    "http.idle-timeout=1h",
  };

  @TempDir Path folder;
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(Seed.random(this).nextLong(), 1000));
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void overloadIsRefusedWithinMemory() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder, SMALL_HEAP, SMALL_LIMITS)) {
      long resident = pushFromAll(server);
      System.out.printf(
          "%d pushes taken, %d refused, at most %d MiB resident%n",
          taken.get(), refused.get(), resident >> 20);
      assertThat(refused).as("refused: no overload").hasPositiveValue();
      assertThat(resident).isLessThan(RESIDENT_BYTES_MAX);
      batches.check(server);
      slowReadersCostNoMemory(server);
      assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    }
  }

  private long pushFromAll(ServerProcess server) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> push(server)));
      }
      long resident = 0;
      for (Future<?> client : clients) {
        client.get();
        resident = Math.max(resident, residentBytes(server));
      }
      return resident;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Pushes batches like a good client: it retries after a 429 until each is accepted. */
  private @Nullable Void push(ServerProcess server) throws IOException, InterruptedException {
    HttpClient client = PushedBatches.newClient();
    long untilNanos = System.nanoTime() + PATIENCE.toNanos();
    for (int i = 0; i < BATCHES_EACH || refused.get() == 0 && i < BATCHES_MAX; i++) {
      Batch batch = batches.take(BATCH_EVENTS, true);
      HttpResponse<String> answer = batches.push(client, server, batch);
      while (answer.statusCode() != 200) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
        long seconds = answer.headers().firstValueAsLong("retry-after").orElse(0);
        assertThat(seconds).as("Retry-After").isPositive();
        refused.incrementAndGet();
        assertThat(System.nanoTime()).as("never taken").isLessThan(untilNanos);
        LockSupport.parkNanos(seconds * IMPATIENT_NANOS_PER_SECOND);
        answer = batches.push(client, server, batch);
      }
      taken.incrementAndGet();
    }
    return null;
  }

  /** They ask for everything and read nothing of it. */
  private void slowReadersCostNoMemory(ServerProcess server) throws Exception {
    long before = residentBytes(server);
    List<Socket> readers = new ArrayList<>();
    try {
      for (int i = 0; i < SLOW_READERS; i++) {
        Socket socket = RawHttp.connect(server.port());
        readers.add(socket);
        RawHttp.write(
            socket,
            "GET /api/v1/events?format=ndjson&limit=all HTTP/1.1\r\nHost: localhost\r\n\r\n");
      }
      await().until(() -> server.metric("hourglass_query_running") == SLOW_READERS);
      batches.check(server);
      assertThat(server.get("/api/v1/events?limit=10").statusCode()).isEqualTo(200);
      assertThat(server.metric("hourglass_query_running")).isEqualTo(SLOW_READERS);
      assertThat(residentBytes(server) - before).as("taken").isLessThan(READERS_BYTES_MAX);
    } finally {
      for (Socket reader : readers) {
        reader.close();
      }
    }
    await().until(() -> server.metric("hourglass_query_running") == 0);
  }

  private static long residentBytes(ServerProcess server) throws IOException, InterruptedException {
    return server.metric("process_resident_memory_bytes");
  }
}
