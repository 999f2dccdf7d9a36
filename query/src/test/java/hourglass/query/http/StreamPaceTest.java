package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.QueryOptionsBuilder;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.CorruptException;
import hourglass.store.ForwardingStore;
import hourglass.store.OverloadedException;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slow and disconnected clients and failing stores, over plain sockets to see every byte. */
class StreamPaceTest {
  /** 40 MB: far more than the sockets between server and client hold. */
  private static final int COLUMNS = 10_000;

  private static final String LARGE = "x".repeat(4000);
  private static final int SLICE_COLUMNS = 64;
  private static final String ALL = "/api/v1/events?limit=all&format=ndjson";
  private static final Duration PATIENCE = Patience.LONGEST;

  /** A store with the large row, which no test changes. */
  private static final OracleStore FILLED = new OracleStore();

  private LatentStore store = new LatentStore(Fill.shared(FILLED));
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH.plusSeconds(1));
  private final InstantSource source = now::get;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private QueryServer server;

  @BeforeAll
  static void fill() {
    Fill.row(FILLED, "large", COLUMNS, LARGE);
  }

  @AfterAll
  static void empty() {
    FILLED.close();
  }

  @BeforeEach
  void serve() {
    server = new QueryServer(store, options().build(), clock);
  }

  private static QueryOptionsBuilder options() {
    return QueryOptions.builder().sliceColumns(SLICE_COLUMNS);
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private Socket ask(String path, String version) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(16 << 10);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    String request = "GET " + path + " HTTP/" + version + "\r\nHost: h\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Reads to the end of the connection, however it ends. */
  private static String readAll(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  private static boolean endsCleanly(String body) {
    return body.endsWith("0\r\n\r\n") || body.contains("Hourglass-Complete: true");
  }

  @Test
  void aClientThatReadsNothingCostsLittleAndIsCutOff() throws IOException {
    try (Socket socket = ask(ALL, "1.1")) {
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      server.awaitStandstill(store::slices);
      int slicesInAll = COLUMNS / SLICE_COLUMNS;
      assertThat(store.slices()).as("of %s and more", slicesInAll).isLessThan(slicesInAll / 2);
      assertThat(server.running()).isEqualTo(1);

      now.set(now.get().plus(Duration.ofMinutes(11)));
      server.awaitOutcome("stalled");
      assertThat(endsCleanly(readAll(socket.getInputStream()))).isFalse();
    }
  }

  @Test
  void aClientThatResumesReadingGetsTheWholeStream() throws IOException {
    try (Socket socket = ask(ALL, "1.1")) {
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      server.awaitStandstill(store::slices);
      // Long enough for slices fetched ahead to be dropped, and fetched again.
      now.set(now.get().plus(Duration.ofSeconds(5)));
      int dropped = store.slices();
      assertThat(countEvents(in)).isEqualTo(COLUMNS);
      assertThat(store.slices()).isGreaterThan(dropped);
    }
  }

  private static int countEvents(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    int events = 0;
    String line = lines.readLine();
    while (line != null && !line.equals("Hourglass-Complete: true")) {
      events += line.contains("\"data\":") ? 1 : 0;
      line = lines.readLine();
    }
    assertThat(line).as("the last trailer").isNotNull();
    return events;
  }

  @Test
  void aDisconnectedClientEndsItsQuery() throws IOException {
    try (Socket socket = ask(ALL, "1.1")) {
      assertThat(socket.getInputStream().read()).isEqualTo('H');
    }
    server.awaitOutcome("cancelled");
    assertThat(store.slices()).isLessThan(COLUMNS / SLICE_COLUMNS);
  }

  @Test
  void matchesAreSentBeforeTheEnd() throws IOException {
    CountDownLatch seen = new CountDownLatch(1);
    store.setFault(
        query -> {
          now.updateAndGet(instant -> instant.plusSeconds(1));
          if (store.slices() > 60) {
            awaitOpen(seen);
          }
          return null;
        });
    // With a regular expression, the store leaves no event out.
    String where = "&where=data.n+in+%5B5,9000%5D+%7C%7C+type.matches(%22none%22)";
    try (Socket socket = ask(ALL + where, "1.1")) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String line = in.readLine();
      while (!line.contains("{\"n\":5,")) {
        line = in.readLine();
      }
      seen.countDown();
      while (!line.contains("{\"n\":9000,")) {
        line = in.readLine();
      }
      while (!line.startsWith("Hourglass-Complete: true")) {
        line = in.readLine();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "5"})
  void theProgressOfASearchIsSentBeforeItsEnd(String limit) throws IOException {
    CountDownLatch seen = new CountDownLatch(1);
    store.setFault(
        query -> {
          now.updateAndGet(instant -> instant.plusSeconds(1));
          if (store.slices() > 60) {
            awaitOpen(seen);
          }
          return null;
        });
    String path = "/api/v1/events?format=ndjson&progress=true&limit=" + limit;
    String where = "&where=type.matches(%22none%22)";
    try (Socket socket = ask(path + where, "1.1")) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String line = in.readLine();
      while (!line.equals("{\"progress\":{\"rows_asked\":1,\"rows_answered\":0}}")) {
        line = in.readLine();
      }
      seen.countDown();
      while (!line.equals("{\"progress\":{\"rows_asked\":1,\"rows_answered\":1}}")) {
        line = in.readLine();
      }
      while (!line.startsWith("Hourglass-Complete: true")) {
        assertThat(line).isNotNull();
        line = in.readLine();
      }
    }
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aStoreThatFailsMidwayBreaksTheBody() throws IOException {
    for (String format : new String[] {"ndjson", "json", "csv", "raw"}) {
      int slices = store.slices();
      failAfter(slices + 40, new UnavailableException("the disk is gone"));
      try (Socket socket = ask("/api/v1/events?limit=all&format=" + format, "1.1")) {
        String body = readAll(socket.getInputStream());
        assertThat(body).as(format).startsWith("HTTP/1.1 200").contains("chunked\r\n");
        assertThat(endsCleanly(body)).as(format).isFalse();
      }
    }
    server.awaitOutcome("unavailable");
  }

  private void failAfter(int slices, RuntimeException failure) {
    store.setFault(
        query -> {
          if (store.slices() > slices) {
            throw failure;
          }
          return null;
        });
  }

  @Test
  void aStoreThatFailsAtOnceIsAnError() {
    failAfter(0, new UnavailableException("the disk is gone"));
    Reply unavailable = server.get(ALL);
    assertThat(unavailable.status()).isEqualTo(503);
    assertThat(unavailable.headers())
        .containsEntry("Retry-After", "5")
        .doesNotContainKey("Trailer");
    assertThat(unavailable.body()).isEqualTo("the disk is gone");

    failAfter(0, new OverloadedException("busy", Duration.ofSeconds(7)));
    Reply overloaded = server.get("/api/v1/events?limit=5");
    assertThat(overloaded.status()).isEqualTo(429);
    assertThat(overloaded.headers()).containsEntry("Retry-After", "7");

    failAfter(0, new CorruptException("page 7 is damaged"));
    assertThat(server.get(ALL).status()).isEqualTo(500);
    assertThat(server.get(ALL).body()).isEqualTo("page 7 is damaged");

    failAfter(0, new IllegalStateException("secret"));
    assertThat(server.get(ALL).body()).isEqualTo("the query failed; the server's log says why");
  }

  /** An executor drops an Error, and then the client would wait for ever. */
  @Test
  void errorInTheStoreIsAnswered() {
    store.setFault(
        query -> {
          throw new LinkageError("a class is missing");
        });
    assertThat(server.get("/api/v1/events?limit=5").status()).isEqualTo(500);
    String id = "/api/v1/events/" + TimeUuid.first(Fill.HOUR.startTicks());
    assertThat(server.get(id).status()).isEqualTo(500);
  }

  @Test
  void aStoreThatNeverAnswersIsGivenUp() {
    WideColumnStore silent =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return store;
          }

          @Override
          public CompletionStage<Slice> slice(SliceQuery query) {
            return new CompletableFuture<>();
          }
        };
    try (QueryServer slow =
        new QueryServer(silent, options().storeTimeoutMillis(50).build(), clock)) {
      Reply reply = slow.get(ALL);
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.body()).isEqualTo("the store did not answer in time");
    }
  }

  @Test
  void aClientThatReadsNothingHoldsNoPlace() throws IOException {
    server.close();
    server = new QueryServer(store, options().concurrentQueries(1).build(), clock);
    try (Socket first = ask(ALL, "1.1")) {
      assertThat(first.getInputStream().read()).isEqualTo('H');
      await().until(() -> server.resting() == 1);
      try (Socket second = ask(ALL, "1.1")) {
        assertThat(second.getInputStream().read()).isEqualTo('H');
        await().until(() -> server.resting() == 2);
        for (String path :
            new String[] {"events?limit=1", "types", "rows", "hits?hour=2026-11-20T08"}) {
          assertThat(server.get("/api/v1/" + path).status()).as(path).isEqualTo(200);
        }
        assertThat(countEvents(first.getInputStream())).isEqualTo(COLUMNS);
        assertThat(countEvents(second.getInputStream())).isEqualTo(COLUMNS);
      }
    }
  }

  /** No query is queued, so only answers look for a query without its place. */
  @Test
  void restedAnswerGetsItsPlaceBackFromAnother() throws IOException {
    server.close();
    store.close();
    store = new LatentStore(new OracleStore());
    Fill.row(store, "large", COLUMNS, LARGE);
    Fill.row(store, "stuck", 10);
    WideColumnStore slow =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return store;
          }

          @Override
          public CompletionStage<Slice> slice(SliceQuery query) {
            return query.row().type().equals("stuck")
                ? new CompletableFuture<>()
                : store.slice(query);
          }
        };
    QueryOptions options = options().concurrentQueries(1).storeTimeoutMillis(120_000).build();
    server = new QueryServer(slow, options, clock);
    try (Socket first = ask(ALL + "&type=large", "1.1")) {
      assertThat(first.getInputStream().read()).isEqualTo('H');
      // If the next query had to wait for a place, it would be found small, and would never yield.
      await().during(Duration.ofMillis(500)).until(() -> server.resting() == 1);
      try (Socket second = ask(ALL + "&type=stuck", "1.1")) {
        await().until(() -> server.running() == 2);
        int moreThanSocketsHold = 12 << 20;
        assertThat(first.getInputStream().readNBytes(moreThanSocketsHold))
            .hasSize(moreThanSocketsHold);
        assertThat(second.isConnected()).isTrue();
      }
    }
  }

  @Test
  void queryWithoutPlaceWaitsAndIsRefused() throws Exception {
    server.close();
    server = new QueryServer(store, options().concurrentQueries(1).build(), clock);
    CountDownLatch open = new CountDownLatch(1);
    store.setFault(
        query -> {
          awaitOpen(open);
          return null;
        });
    try (Socket socket = ask("/api/v1/events?limit=5", "1.1")) {
      await().until(() -> server.running() == 1);
      Reply refused = server.get("/api/v1/events?limit=1");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.headers()).containsEntry("Retry-After", "1");
      assertThat(refused.body()).startsWith("no place for this query: 1 queries are at work");
      try (Socket waiting = ask("/api/v1/events?limit=1", "1.1")) {
        await().until(() -> server.waiting() == 1);
        open.countDown();
        assertThat(waiting.getInputStream().read()).isEqualTo('H');
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
    }
  }

  @Test
  void anOldClientGetsPagesButNoStream() throws IOException {
    try (Socket socket = ask(ALL, "1.0")) {
      assertThat(readAll(socket.getInputStream())).startsWith("HTTP/1.0 505");
    }
    try (Socket socket = ask("/api/v1/events?limit=3&format=raw", "1.0")) {
      assertThat(readAll(socket.getInputStream()))
          .startsWith("HTTP/1.0 200")
          .contains("Content-Length: ", "Hourglass-Complete: true", "{\"n\":2,");
    }
  }
}
