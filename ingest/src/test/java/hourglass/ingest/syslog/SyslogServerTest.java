package hourglass.ingest.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.access.TypePatterns;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.store.CorruptException;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import hourglass.testing.Seed;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real sockets in front of a store that is slow, refuses or is unavailable. */
class SyslogServerTest {
  private static final int CONNECTIONS_MAX = 4;

  private final Random random = Seed.random(this);
  private final FakeStore store = new FakeStore();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Vertx vertx = Vertx.vertx();

  /** Taken from the sockets of servers so far. */
  private final AtomicInteger datagrams = new AtomicInteger();

  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private volatile @Nullable Client sender = Client.open("test");
  private @Nullable SyslogServer server;

  private final IngestService ingest =
      new IngestService(
          store,
          new FixedShards(1, Map.of()),
          PlannerOptions.DEFAULTS,
          new TimeUuidGenerator(Clock.fixed(StoredMessages.NOW, ZoneOffset.UTC)),
          IngestOptions.DEFAULTS,
          FairExecutor.over(workers),
          meters);

  private UnaryOperator<String> network = UnaryOperator.identity();

  private SyslogServer start(String... listen) throws IOException {
    SyslogOptions options =
        new SyslogOptions(
            List.of(listen).stream().map(SyslogAddress::parse).toList(),
            ZoneOffset.UTC,
            CONNECTIONS_MAX,
            Duration.ofDays(1));
    SyslogSenders senders =
        new SyslogSenders() {
          @Override
          public @Nullable Client of(NetSocket connection) {
            return sender;
          }

          @Override
          public String address(NetSocket connection) {
            return network.apply(connection.remoteAddress().hostAddress());
          }

          @Override
          public @Nullable Client of(String address) {
            datagrams.incrementAndGet();
            return sender;
          }
        };
    server =
        SyslogServer.start(
            vertx,
            options,
            ingest,
            workers,
            Clock.fixed(StoredMessages.NOW, ZoneOffset.UTC),
            senders,
            null,
            meters);
    return server;
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
        .join();
    workers.shutdownNow();
  }

  private static Socket connect(SyslogServer to) throws IOException {
    return new Socket("127.0.0.1", to.addresses().get(0).port());
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  private static byte[] lines(String app, int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      lines.append("<13>1 2026-11-23T11:57:37Z host ").append(app).append(" n").append(i);
      lines.append('\n');
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private List<JsonObject> stored() {
    return StoredMessages.of(store, StoredMessages.NOW);
  }

  private List<String> messages() {
    return stored().stream()
        .map(event -> event.getJsonObject("data").getString("message"))
        .toList();
  }

  private static Set<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).collect(Collectors.toSet());
  }

  private double count(String meter, String... tags) {
    return meters.find(meter).tags(tags).counters().stream().mapToDouble(Counter::count).sum();
  }

  private static DatagramPacket packet(SyslogServer to, byte[] bytes) {
    int port = to.addresses().get(0).port();
    return new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port);
  }

  /** Each row of the table of senders has its own socket; none waits for the next message. */
  @ParameterizedTest
  @MethodSource("hourglass.ingest.syslog.RecordedStreams#all")
  void storesTheMessagesOfAllSenders(RecordedStreams stream) throws IOException {
    SyslogServer to = start((stream.isDatagram() ? "udp" : "tcp") + "://127.0.0.1:0");
    if (stream.isDatagram()) {
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.send(packet(to, stream.bytes()));
        await().untilAsserted(() -> assertThat(stored()).isEqualTo(stream.events()));
      }
    } else {
      try (Socket socket = connect(to)) {
        send(socket, stream.bytes());
        await().untilAsserted(() -> assertThat(stored()).isEqualTo(stream.events()));
      }
    }
    await() // a message is counted after its write
        .untilAsserted(
            () -> assertThat(count("hourglass.syslog.messages")).isEqualTo(stream.events().size()));
  }

  @Test
  void manyMessagesOfManyConnectionsAreStoredOnce() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    int each = 5_000;
    byte[] all = lines("app - - -", 0, each);
    try (Socket one = connect(to);
        Socket other = connect(to)) {
      int at = 0;
      while (at < all.length) {
        int length = Math.min(all.length - at, 1 + random.nextInt(100_000));
        one.getOutputStream().write(all, at, length);
        other.getOutputStream().write(all, at, length);
        at += length;
      }
    }
    await().untilAsserted(() -> assertThat(count("hourglass.syslog.messages")).isEqualTo(2 * each));
    assertThat(messages()).hasSize(2 * each);
    assertThat(Set.copyOf(messages())).isEqualTo(numbers(each));
    await().untilAsserted(() -> assertThat(held()).isZero());
    assertThat(ingest.inFlight().used()).isZero();
  }

  private double dropped() {
    return count("hourglass.syslog.dropped");
  }

  private double held() {
    return meters.get("hourglass.syslog.held.bytes").gauge().value();
  }

  /** Sends more than the process can hold, so the socket must be paused. */
  @Test
  void nothingIsLostWhileTheStoreIsAway() throws Exception {
    SyslogServer to = start("tcp://127.0.0.1:0");
    AtomicInteger refused = new AtomicInteger();
    store.refuse(
        payloads -> {
          refused.incrementAndGet();
          return random.nextBoolean()
              ? new UnavailableException("away", new IOException("away"))
              : new OverloadedException("busy", Duration.ofSeconds(1));
        });
    int count = 20_000;
    byte[] all = lines("app - - [a b=\"" + "x".repeat(2_000) + "\"]", 0, count);
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(
            () -> {
              try (Socket socket = connect(to)) {
                send(socket, all);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    await().untilAsserted(() -> assertThat(refused.get()).isGreaterThan(5));
    assertThat(sent).isNotDone();
    assertThat(held()).isLessThan(20 << 20);
    store.refuse(payloads -> null);
    sent.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    await().untilAsserted(() -> assertThat(count("hourglass.syslog.messages")).isEqualTo(count));
    assertThat(messages()).hasSize(count);
    assertThat(Set.copyOf(messages())).isEqualTo(numbers(count));
    assertThat(count("hourglass.syslog.retries")).isPositive();
  }

  static List<RuntimeException> finalRefusals() {
    return List.of(
        new TooLargeException("too large"),
        new CorruptException("damaged"),
        new IllegalStateException("a bug"));
  }

  /** Meanwhile the store is unavailable now and then. */
  @ParameterizedTest
  @MethodSource("finalRefusals")
  void onlyPermanentlyRefusedMessagesAreRejected(RuntimeException why) throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    store.refuse(
        payloads -> {
          if (random.nextInt(20) == 0) {
            return new UnavailableException("away");
          }
          return payloads.contains("\"n7\"") || payloads.contains("\"n90\"") ? why : null;
        });
    try (Socket socket = connect(to)) {
      send(socket, lines("app - - -", 0, 100));
      await().untilAsserted(() -> assertThat(count("hourglass.syslog.messages")).isEqualTo(100));
    }
    assertThat(messages()).hasSize(98).doesNotHaveDuplicates().doesNotContain("n7", "n90");
    assertThat(ingest.rejects())
        .singleElement()
        .satisfies(
            rejects -> {
              assertThat(rejects.reason()).isEqualTo(Reason.NOT_STORABLE);
              assertThat(rejects.count()).isEqualTo(2);
              assertThat(rejects.samples())
                  .allMatch(sample -> sample.problem().equals("not stored: " + why))
                  .anyMatch(sample -> sample.event().contains("n7"));
            });
    await().untilAsserted(() -> assertThat(ingest.inFlight().used()).isZero());
  }

  /** The retries of its batch must not count. */
  @Test
  void aRejectedMessageIsCountedOnce() throws IOException {
    TypePatterns types = TypePatterns.of(List.of("app"));
    sender = new Client("test", "test", types, Limits.NONE, () -> true);
    AtomicInteger tries = new AtomicInteger();
    store.refuse(payloads -> tries.incrementAndGet() < 3 ? new UnavailableException("away") : null);
    SyslogServer to = start("tcp://127.0.0.1:0");
    try (Socket socket = connect(to)) {
      byte[] foreign = lines("foreign - - -", 1, 2);
      send(socket, (text(lines("app - - -", 0, 1)) + text(foreign)).getBytes(UTF_8));
      await().untilAsserted(() -> assertThat(count("hourglass.syslog.messages")).isEqualTo(2));
    }
    assertThat(messages()).containsExactly("n0");
    assertThat(ingest.rejects()).singleElement().matches(rejects -> rejects.count() == 1);
  }

  /** The process ends anyway, and reports the number of lost messages. */
  @Test
  void messagesUnstoredAtShutdownAreCounted() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    store.refuse(payloads -> new UnavailableException("full"));
    try (Socket socket = connect(to)) {
      send(socket, lines("app - - -", 0, 50));
      await().untilAsserted(() -> assertThat(to.pending().messages()).isEqualTo(50));
      to.close();
    }
    assertThat(to.pending()).isEqualTo(new MessageStore.Pending(50, 0));
  }

  /** A write may be stored although its answer is lost. */
  @Test
  void aRepeatedWriteIsStoredOnce() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    CompletableFuture<Void> answer = new CompletableFuture<>();
    store.answer(answer);
    try (Socket socket = connect(to)) {
      send(socket, "<13>app: without a time\n<13>app: nor this\n".getBytes(StandardCharsets.UTF_8));
      await().untilAsserted(() -> assertThat(stored()).hasSize(2));
      store.answer(CompletableFuture.completedFuture(null));
      answer.completeExceptionally(new UnavailableException("lost", new IOException("lost")));
      await().untilAsserted(() -> assertThat(count("hourglass.syslog.messages")).isEqualTo(2));
    }
    assertThat(store.writes()).isGreaterThan(1);
    assertThat(stored()).hasSize(2);
  }

  @Test
  void messagesReadAreStoredBeforeShutdown() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0", "udp://127.0.0.1:0");
    CompletableFuture<Void> answer = new CompletableFuture<>();
    store.keep(false);
    store.answer(answer);
    try (Socket socket = connect(to);
        DatagramSocket datagrams = new DatagramSocket()) {
      send(socket, "<13>app: first\n".getBytes(StandardCharsets.UTF_8));
      await().untilAsserted(() -> assertThat(store.writes()).isEqualTo(1));
      byte[] more = "<13>app: second\n<13>app: without an end".getBytes(StandardCharsets.UTF_8);
      send(socket, more);
      byte[] datagram = "<13>app: datagram".getBytes(StandardCharsets.UTF_8);
      int port = to.addresses().get(1).port();
      datagrams.send(
          new DatagramPacket(datagram, datagram.length, InetAddress.getLoopbackAddress(), port));
      await().untilAsserted(() -> assertThat(store.writes()).isEqualTo(2));
      await().untilAsserted(() -> assertThat(to.pending().bytes()).isEqualTo(more.length));
      to.stop();
      store.keep(true);
      store.answer(CompletableFuture.completedFuture(null));
      answer.completeExceptionally(new UnavailableException("away", new IOException("away")));
      to.close();
    }
    assertThat(messages())
        .containsExactlyInAnyOrder("first", "second", "without an end", "datagram");
    assertThatThrownBy(() -> connect(to).close()).isInstanceOf(IOException.class);
  }

  static List<Limits> limits() {
    return List.of(new Limits(1, 0, 0, 0, 0, 0), new Limits(0, 1, 0, 0, 0, 0));
  }

  /** The second batch would have to wait longer than the process lives. */
  @ParameterizedTest
  @MethodSource("limits")
  void quotasLoseNoMessagesAtShutdown(Limits limits) throws IOException {
    AtomicInteger refused = new AtomicInteger();
    Quotas quotas = new Quotas(limits, System::nanoTime, limit -> refused.incrementAndGet());
    TypePatterns types = TypePatterns.of(List.of("app"));
    sender = new Client("test", "test", types, Limits.NONE, () -> true).within(quotas);
    SyslogServer to = start("tcp://127.0.0.1:0");
    try (Socket socket = connect(to)) {
      send(socket, lines("app - - -", 0, 20));
      await().untilAsserted(() -> assertThat(messages()).hasSize(20));
      String more = text(lines("app - - -", 20, 30)) + text(lines("foreign - - -", 30, 31));
      send(socket, more.getBytes(StandardCharsets.UTF_8));
      await().untilAsserted(() -> assertThat(refused.get()).isPositive());
      assertThat(messages()).hasSize(20);
      to.close();
    }
    assertThat(messages()).hasSize(30);
    assertThat(Set.copyOf(messages())).isEqualTo(numbers(30));
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  @Test
  void droppedDatagramsAreCounted() throws IOException {
    SyslogServer to = start("udp://127.0.0.1:0");
    CompletableFuture<Void> answer = new CompletableFuture<>();
    store.answer(answer);
    byte[] large = ("<13>app: " + "x".repeat(8_000)).getBytes(StandardCharsets.UTF_8);
    int sent = 0;
    try (DatagramSocket socket = new DatagramSocket()) {
      while (dropped() < 3) {
        socket.send(packet(to, large));
        sent++;
        // One by one: what the buffer of the socket has no room for is lost uncounted.
        int all = sent;
        await().until(() -> datagrams.get() == all);
      }
      assertThat(count("hourglass.syslog.dropped", "source", "127.0.0.1", "reason", "full"))
          .isEqualTo(count("hourglass.syslog.dropped"));
      answer.complete(null);
      int all = sent;
      await() // the last one may be taken, and neither kept nor dropped yet
          .until(() -> count("hourglass.syslog.messages") + dropped() == all);
      assertThat(count("hourglass.syslog.messages")).isPositive();
      assertThat(stored()).hasSize((int) count("hourglass.syslog.messages"));
    }
  }

  @Test
  void sourcesOfDroppedMessagesAreBounded() {
    SyslogMeters ofDrops = new SyslogMeters(meters, () -> 0);
    for (int i = 0; i < 300; i++) {
      ofDrops.dropped("10.0.0." + i, SyslogMeters.Refusal.FULL);
    }
    assertThat(meters.find("hourglass.syslog.dropped").counters()).hasSize(101);
    assertThat(count("hourglass.syslog.dropped", "source", "others")).isEqualTo(200);
  }

  /** A quarter of the places is for other addresses; a closed connection frees its own. */
  @Test
  void connectionsAreBounded() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    try (Socket first = connect(to);
        Socket second = connect(to);
        Socket third = connect(to)) {
      assertThat(second.isConnected()).isTrue();
      assertThat(third.isConnected()).isTrue();
      await().untilAsserted(() -> assertThat(open()).isEqualTo(3));
      try (Socket fourth = connect(to)) {
        assertThat(fourth.getInputStream().read()).isEqualTo(-1);
      }
      InetAddress here = InetAddress.getByName("127.0.0.1");
      InetAddress elsewhere = InetAddress.getByName("127.0.0.2");
      try (Socket other = new Socket(here, to.addresses().get(0).port(), elsewhere, 0)) {
        send(other, lines("other - - -", 1, 2));
        await().untilAsserted(() -> assertThat(open()).isEqualTo(4));
      }
      first.close();
      await().untilAsserted(() -> assertThat(open()).isEqualTo(2));
      await()
          .untilAsserted(
              () -> {
                try (Socket again = connect(to)) {
                  send(again, lines("again - - -", 0, 1));
                }
                assertThat(messages()).contains("n0");
              });
    }
    assertThat(count("hourglass.syslog.connections.refused", "reason", "full")).isPositive();
  }

  @Test
  void connectionsOfANetworkShareItsPlaces() throws IOException {
    network = address -> "127.0.0.0/8";
    SyslogServer to = start("tcp://127.0.0.1:0");
    InetAddress here = InetAddress.getByName("127.0.0.1");
    try (Socket first = connect(to);
        Socket second = connect(to);
        Socket third = connect(to)) {
      assertThat(List.of(first, second, third)).allMatch(Socket::isConnected);
      await().untilAsserted(() -> assertThat(open()).isEqualTo(3));
      InetAddress neighbour = InetAddress.getByName("127.0.0.2");
      try (Socket fourth = new Socket(here, to.addresses().get(0).port(), neighbour, 0)) {
        assertThat(fourth.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  /** No sender writes into a connection that nobody could read. */
  @Test
  void connectionsAreRefusedWithoutMemory() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    List<InFlightBudget.Reservation> others = new ArrayList<>();
    do { // small ones, for which there is room to the last
      others.add(ingest.inFlight().reservation("others"));
    } while (others.get(others.size() - 1).add(10 << 10));
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      try (Socket refused = connect(to)) {
        assertThat(refused.getInputStream().read()).isEqualTo(-1);
      }
    }
    assertThat(count("hourglass.syslog.connections.refused", "reason", "full"))
        .isEqualTo(CONNECTIONS_MAX);
    others.forEach(InFlightBudget.Reservation::release);
    try (Socket socket = connect(to)) {
      send(socket, lines("app - - -", 0, 1));
      await().untilAsserted(() -> assertThat(messages()).hasSize(1));
    }
  }

  private double open() {
    return meters.get("hourglass.syslog.connections").tag("transport", "tcp").gauge().value();
  }

  @Test
  void sendersWithoutAKeyAreRefused() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    try (Socket socket = connect(to)) {
      send(socket, lines("app - - -", 0, 1));
      await().untilAsserted(() -> assertThat(messages()).hasSize(1));
      sender = null; // from now on
      try (Socket refused = connect(to)) {
        assertThat(refused.getInputStream().read()).isEqualTo(-1);
      }
      send(socket, lines("app - - -", 1, 2)); // its key is still the one that it came with
      await().untilAsserted(() -> assertThat(messages()).hasSize(2));
    }
    assertThat(count("hourglass.syslog.connections.refused", "reason", "key")).isEqualTo(1);
  }

  @Test
  void aPortInUseIsNamedInTheError() throws IOException {
    SyslogServer to = start("tcp://127.0.0.1:0");
    SyslogAddress taken = to.addresses().get(0);
    SyslogServer first = server;
    assertThatThrownBy(() -> start(taken.toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(taken.toString());
    server = first;
  }

  @Test
  void addressesAreParsed() {
    assertThat(SyslogAddress.parse("udp://[::1]:514"))
        .isEqualTo(new SyslogAddress(SyslogAddress.Transport.UDP, "::1", 514))
        .hasToString("udp://[::1]:514");
    assertThat(SyslogAddress.parse("tls://logs.example:6514").host()).isEqualTo("logs.example");
    for (String wrong : List.of("", "5514", "tcp://:1", "http://h:1", "tcp://h", "tcp://h:65536")) {
      assertThatThrownBy(() -> SyslogAddress.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
