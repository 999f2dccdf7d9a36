package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.FairExecutor;
import hourglass.access.TypePatterns;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.tail.Progress;
import hourglass.query.tail.Tail;
import hourglass.query.tail.TailOptions;
import hourglass.query.tail.TailQuery;
import hourglass.query.tail.TailService;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TailPaceTest {
  private static final Duration PATIENCE = Patience.LONGEST;

  /** Options of the server, but few and small steps. */
  private static final TailOptions TAILS =
      new TailOptions(4, 5, 4, 64 << 10, 4, 60_000, 500, 16 << 10);

  private static final Pattern NUMBER = Pattern.compile("\"n\":(\\d+)");
  private static final Pattern LINK = Pattern.compile("\"events\":\"([^\"]+)\"");

  private final TestClock clock = new TestClock();
  private final OracleStore oracle = new OracleStore(clock, Duration.ofMillis(50));
  private final SlowStore store = new SlowStore();
  private final QueryOptions options = QueryOptions.builder().build();
  private final QueryServer server = new QueryServer(store, options, clock);
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TailService service =
      new TailService(store, options, TAILS, FairExecutor.over(executor), executor);
  private int written;

  /** Reads of what is before a time may wait. */
  private final class SlowStore extends ForwardingStore {
    private volatile long beforeTicks;
    private volatile CompletableFuture<Void> mayRead = CompletableFuture.completedFuture(null);

    @Override
    protected WideColumnStore delegate() {
      return oracle;
    }

    @Override
    public CompletionStage<Slice> slice(SliceQuery query) {
      return query.range().from().ticks() < beforeTicks
          ? mayRead.thenCompose(any -> oracle.slice(query))
          : oracle.slice(query);
    }
  }

  /** A client without a network. */
  private final class Client implements AutoCloseable {
    private final List<String> messages = new ArrayList<>();
    private final Chunk chunk = new Chunk(16 << 10);
    private final Tail tail;

    Client(Selection selection) throws Exception {
      this(selection, null);
    }

    Client(Selection selection, @Nullable Long sinceTicks) throws Exception {
      tail =
          service
              .begin(new TailQuery(selection, sinceTicks, null), TypePatterns.ALL)
              .toCompletableFuture()
              .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Reads until the given number of messages has arrived. */
    void take(int count) {
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                tail.fill(chunk);
                String text = new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8);
                chunk.clear();
                text.lines().filter(line -> !line.startsWith("id: ")).forEach(this::line);
                return messages.size() >= count;
              });
    }

    private void line(String line) {
      if (line.startsWith("event: ")) {
        messages.add(line.substring(7));
      } else if (line.startsWith("data: ")) {
        boolean isNamed =
            !messages.isEmpty()
                && List.of("late", "missed").contains(messages.get(messages.size() - 1));
        String kind = isNamed ? messages.remove(messages.size() - 1) : "message";
        messages.add(kind + " " + line.substring(6));
      }
    }

    List<Integer> numbers(String kind) {
      return messages.stream()
          .filter(message -> message.startsWith(kind + " "))
          .map(TailPaceTest::number)
          .toList();
    }

    @Override
    public void close() {
      tail.close();
    }
  }

  private static int number(String text) {
    Matcher found = NUMBER.matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return Integer.parseInt(found.group(1));
  }

  @AfterEach
  void close() {
    server.close();
    executor.shutdownNow();
  }

  @Test
  void aTooSlowClientGetsTheRangeItMissed() throws Exception {
    Selection selection =
        new Selection(new TreeSet<>(List.of("a", "b c")), TimeRange.ALL, "yes", "data.n < 1000");
    try (Client slow = new Client(selection);
        Client fast = new Client(selection)) {
      Instant begin = clock.instant();
      for (int i = 0; i < 5; i++) {
        write("a", clock.instant(), "yes"); // 1 to 5, of one tick
      }
      clock.pass(Duration.ofSeconds(1));
      slow.take(5);
      Instant away = clock.instant();
      for (int i = 0; i < 20; i++) {
        write("b c", clock.instant(), "yes"); // 6 to 44
        write(i % 2 == 0 ? "a" : "other", clock.instant(), i % 4 == 0 ? "yes" : "no"); // 7 to 45
        clock.pass(Duration.ofSeconds(10));
        fast.take(5 + i + 1 + i / 4 + 1);
      }
      List<Integer> missed =
          List.of(
              6, 7, 8, 10, 12, 14, 15, 16, 18, 20, 22, 23, 24, 26, 28, 30, 31, 32, 34, 36, 38, 39,
              40, 42, 44);
      fast.take(5 + missed.size());
      write("a", begin.minusSeconds(100), "yes"); // 46
      write("a", away.plusSeconds(50), "yes"); // 47
      fast.take(5 + missed.size() + 2);
      assertThat(fast.numbers("late")).containsExactly(46, 47);

      slow.take(7);
      write("a", clock.instant(), "yes"); // 48
      clock.pass(Duration.ofSeconds(1));
      slow.take(8);
      assertThat(slow.numbers("message")).containsExactly(1, 2, 3, 4, 5, 48);
      assertThat(slow.numbers("late")).containsExactly(46); // 47 is among the missed events
      String told = slow.messages.stream().filter(m -> m.startsWith("missed")).findFirst().get();
      assertThat(told).contains("\"from\":\"2026-11-20T08:30:00.", "\"to\":\"2026-11-20T08:3");
      Matcher link = LINK.matcher(told);
      assertThat(link.find()).as(told).isTrue();
      QueryServer.Reply answer = server.get(link.group(1) + "&format=ndjson");
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      List<Integer> expected = new ArrayList<>(missed);
      expected.add(expected.indexOf(18), 47);
      assertThat(answer.body().lines().map(TailPaceTest::number))
          .containsExactlyElementsOf(expected);
    }
  }

  /** The store, the process or the traffic was slow, but no client. */
  @Test
  void aPauseOfTheWholeServerSkipsNothing() throws Exception {
    try (Client client = new Client(new Selection(new TreeSet<>(), TimeRange.ALL, ""))) {
      write("a", clock.instant(), "x"); // 1
      clock.pass(Duration.ofSeconds(1));
      client.take(1);
      for (int i = 0; i < 15; i++) {
        write("a", clock.instant().plusSeconds(60 * i), "x"); // 2 to 16
      }
      clock.pass(Duration.ofMinutes(16));
      client.take(16);
      assertThat(client.numbers("message"))
          .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }
  }

  @Test
  void aSlowStoreSkipsNothing() throws Exception {
    Selection all = new Selection(new TreeSet<>(), TimeRange.ALL, "");
    long begin = Ticks.of(clock.instant());
    for (int i = 0; i < 8; i++) {
      write("a", clock.instant(), "x"); // 1 to 8: two steps
    }
    clock.pass(Duration.ofSeconds(1));
    try (Client live = new Client(all);
        Client client = new Client(all, begin)) {
      client.take(4);
      store.beforeTicks = begin + 1;
      store.mayRead = new CompletableFuture<>();
      assertThat(client.tail.fill(client.chunk)).isEqualTo(Progress.WAITING);
      write("a", clock.instant().plusSeconds(60), "x"); // 9
      clock.pass(Duration.ofMinutes(16));
      live.take(1);
      store.mayRead.complete(null);
      client.take(9);
      assertThat(client.numbers("message")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    }
  }

  @Test
  void aClientThatReadsNothingIsCutOff() throws IOException {
    Instant begin = clock.instant();
    write("a", begin, "x".repeat(20 << 20)); // more than the sockets' buffers hold
    clock.pass(Duration.ofSeconds(1));
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(16 << 10);
      socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
      String request = "GET /api/v1/tail?since=" + begin + " HTTP/1.1\r\nHost: h\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
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
      assertThat(server.meters.get("hourglass.query.tails").gauge().value()).isZero();
      assertThat(readAll(in)).doesNotEndWith("0\r\n\r\n");
    }
  }

  /** Reads to the end of the connection, however it ends. */
  private static String readAll(InputStream in) throws IOException {
    StringBuilder all = new StringBuilder();
    byte[] part = new byte[1 << 16];
    try {
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        all.append(new String(part, 0, read, StandardCharsets.ISO_8859_1));
      }
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
    return all.toString();
  }

  private void write(String type, Instant time, String text) {
    TimeUuid name = new TimeUuid(Ticks.of(time), 0x9000_0000_0000_0000L | ++written);
    byte[] bytes =
        "{\"n\":%d,\"text\":\"%s\"}".formatted(written, text).getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder column = new ColumnsBuilder(1, bytes.length);
    column.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    store
        .write(List.of(new Mutation(new RowKey(name.hour(), type, 0), column.build())))
        .toCompletableFuture()
        .join();
  }
}
