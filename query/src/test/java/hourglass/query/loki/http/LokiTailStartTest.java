package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How tails of Loki find their first lines, and how they end. */
class LokiTailStartTest {
  private static final Duration SETTLE = Duration.ofMillis(50);

  private final TestClock clock = new TestClock();
  private volatile Consumer<SliceQuery> onSlice = query -> {};

  private final OracleStore oracle = new OracleStore(clock, SETTLE);
  private final WideColumnStore store =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return oracle;
        }

        @Override
        public CompletionStage<Slice> slice(SliceQuery query) {
          onSlice.accept(query);
          return super.slice(query);
        }

        /** Knows of no row what it has not read, so that the tests see the reads. */
        @Override
        public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> rows, FieldFilter filter) {
          return CompletableFuture.completedFuture(rows);
        }
      };

  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build(), clock);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    server.close();
    oracle.close();
  }

  private final class Tail implements WebSocket.Listener {
    final Queue<String> frames = new ConcurrentLinkedQueue<>();
    final AtomicInteger closed = new AtomicInteger();
    volatile String reason = "";

    Tail(Instant start) {
      client.newWebSocketBuilder().buildAsync(URI.create("ws" + path(start)), this).join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      frames.add(data.toString());
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      this.reason = reason;
      closed.set(code);
      return null;
    }
  }

  private String path(Instant start) {
    String query = URLEncoder.encode("{app=\"c\"}", StandardCharsets.UTF_8);
    return "://127.0.0.1:%d/loki/api/v1/tail?start=%s&query=%s"
        .formatted(server.port(), start.getEpochSecond(), query);
  }

  private void write(Instant time, String app) {
    TimeUuid name = TimeUuid.first(Ticks.of(time));
    byte[] bytes =
        ("{\"message\":\"x\",\"labels\":{\"app\":\"" + app + "\"}}")
            .getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder out = new ColumnsBuilder(1, bytes.length);
    out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    RowKey row = new RowKey(name.hour(), "t", 0);
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }

  /** One event in each of the last hours; returns the time of the first. */
  private Instant writeHours(String app) {
    Instant first = clock.instant().minus(Duration.ofHours(10));
    for (int hour = 0; hour < 10; hour++) {
      write(first.plus(Duration.ofHours(hour)), app);
    }
    return first;
  }

  @Test
  void aFailedSearchEndsTheTail() {
    Instant start = writeHours("c");
    onSlice =
        query -> {
          throw new UnavailableException(
              "n\u00f6t now, hg_0123456789abcdef0123456789abcdef\u00f6".repeat(9));
        };
    Tail tail = new Tail(start);
    await().untilAsserted(() -> assertThat(tail.closed).hasValue(1001));
    assertThat(tail.reason).startsWith("n\u00f6t now").doesNotContain("hg_0123", "\ufffd");
    assertThat(tail.reason.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(120, 123);
    assertThat(tail.frames).isEmpty();
  }

  @Test
  void aLongSearchReportsDroppedEntries() {
    Instant start = writeHours("c");
    AtomicInteger reads = new AtomicInteger();
    onSlice =
        query -> {
          if (reads.incrementAndGet() == 5) {
            clock.pass(Duration.ofSeconds(3));
          }
        };
    Tail tail = new Tail(start);
    await().untilAsserted(() -> assertThat(tail.frames).isNotEmpty());
    assertThat(tail.frames.peek()).contains("dropped_entries");
    write(clock.instant(), "c");
    clock.pass(Duration.ofSeconds(1));
    String now = "\"" + (clock.instant().toEpochMilli() - 1000) + "000000\"";
    await().untilAsserted(() -> assertThat(tail.frames).anyMatch(frame -> frame.contains(now)));
    assertThat(tail.frames).hasSizeLessThan(11);
  }

  @Test
  void eventsBeforeTheFirstLineAreReadOnceAsAQuery() {
    Instant start = writeHours("other");
    Map<RowKey, Integer> reads = new ConcurrentHashMap<>();
    onSlice =
        query -> {
          reads.merge(query.row(), 1, Integer::sum);
        };
    Tail tail = new Tail(start);
    await()
        .until(
            () ->
                server.meters.find("hourglass.query").tag("endpoint", "loki_tail").timer() != null);
    write(clock.instant(), "c");
    clock.pass(Duration.ofSeconds(1));
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(1));
    RowKey last = new RowKey(TimeUuid.first(Ticks.of(clock.instant())).hour(), "t", 0);
    reads.remove(last);
    assertThat(reads.values()).hasSize(10).containsOnly(1);
  }

  @Test
  void aClientThatReadsNothingIsCutOff() throws IOException {
    Instant start = clock.instant();
    // A frame that no buffer takes as a whole, so that its write is still on when time passes.
    write(start, "c\",\"x\":\"" + "x".repeat(20 << 20));
    clock.pass(Duration.ofSeconds(1));
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(16 << 10);
      socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
      String path = path(start);
      String request =
          "GET "
              + path.substring(path.indexOf("/loki"))
              + " HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertThat(in.readNBytes(1 << 16)).startsWith('H'); // it has begun with the lines
      await()
          .until(
              () -> {
                clock.pass(Duration.ofMinutes(11)); // again if the write had not yet begun
                return server
                        .meters
                        .find("hourglass.query.tails.ended")
                        .tag("outcome", "stalled")
                        .counter()
                    != null;
              });
      assertThat(read(in)).isLessThan(20 << 20);
    }
  }

  /** Bytes to the end of the connection, in any way. */
  private static long read(InputStream in) throws IOException {
    long all = 0;
    byte[] part = new byte[1 << 16];
    try {
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        all += read;
      }
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
    return all;
  }
}
