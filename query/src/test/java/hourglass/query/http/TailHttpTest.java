package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.query.QueryOptions;
import hourglass.query.http.TailClient.Message;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.ForwardingStore;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HTTP only; other tests check the order of events. */
class TailHttpTest {
  private static final Duration SETTLE = Duration.ofMillis(50);

  private final OracleStore store = new OracleStore(Clock.systemUTC(), SETTLE);
  private final QueryServer server =
      new QueryServer(store, QueryOptions.builder().build(), Clock.systemUTC());
  private int written;

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  @Test
  void eventsAreInOrderAndLateOnesAreMarked() {
    try (TailClient tail = new TailClient(server.port(), "", "")) {
      assertThat(tail.status()).isEqualTo(200);
      assertThat(tail.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(tail.header("Cache-Control")).isEqualTo("no-store");
      Instant soon = Instant.now().plusSeconds(1);
      write("b", soon.plusMillis(20), "{\"n\":1}");
      write("a", soon.plusMillis(10), "{\"n\":\n2}");
      await().until(() -> tail.messages.size() == 2);
      write("a", Instant.now().minusSeconds(3_600), "{\"n\":3}");
      await().until(() -> tail.messages.size() == 3);
      assertThat(data(tail, 0)).contains("\"type\":\"a\",\"data\":{\"n\": 2}}");
      assertThat(data(tail, 1)).contains("\"type\":\"b\",\"data\":{\"n\":1}}");
      assertThat(data(tail, 2)).contains("\"data\":{\"n\":3}}");
      assertThat(tail.messages.stream().map(Message::kind).toList())
          .containsExactly("message", "message", "late");
    }
  }

  @Test
  void aReconnectedClientMissesAndRepeatsNothing() {
    List<String> got = new ArrayList<>();
    String position = "";
    for (int round = 0; round < 5; round++) {
      try (TailClient tail = new TailClient(server.port(), "", position)) {
        write("a", Instant.now(), "{\"round\":" + round + "}");
        write("a", Instant.now().minusSeconds(60), "{\"round\":" + round + "}");
        int wanted = round == 0 ? 2 : 4;
        await().until(() -> tail.messages.size() >= wanted);
        position = tail.lastEventId();
        tail.messages.forEach(message -> got.add(message.data()));
      }
      write("a", Instant.now(), "{\"away\":" + round + "}");
      write("a", Instant.now().minusSeconds(60), "{\"away\":" + round + "}");
    }
    assertThat(got).doesNotHaveDuplicates().hasSize(2 + 4 * 4);
  }

  /** A tail may be cut off before the first event and the first heartbeat. */
  @Test
  void aTailBeginsWithAPosition() {
    String position;
    try (TailClient tail = new TailClient(server.port(), "?type=none", "")) {
      await().until(() -> !tail.lastEventId().isEmpty());
      assertThat(tail.comments).hasValue(0);
      position = tail.lastEventId();
    }
    write("a", Instant.now(), "{\"n\":1}");
    write("a", Instant.now().minusSeconds(60), "{\"n\":2}");
    try (TailClient tail = new TailClient(server.port(), "", position)) {
      await().until(() -> tail.messages.size() == 2);
    }
  }

  @Test
  void sinceSendsEarlierEventsFirst() {
    Instant begin = Instant.now().minusSeconds(100).truncatedTo(ChronoUnit.MILLIS);
    for (int i = 0; i < 300; i++) {
      write("a", begin.plusMillis(10L * i), "{\"n\":" + i + "}");
    }
    try (TailClient tail = new TailClient(server.port(), "?since=" + begin.plusMillis(1_000), "")) {
      await().until(() -> tail.messages.size() == 200);
      write("a", Instant.now().plusSeconds(1), "{\"n\":300}"); // else it may be late
      await().until(() -> tail.messages.size() == 201);
      int n = 100;
      for (Message message : tail.messages) {
        assertThat(message.kind()).isEqualTo("message");
        assertThat(message.data()).contains("{\"n\":" + n++ + "}");
      }
    }
  }

  @Test
  void onlySelectedEventsAreSent() {
    try (TailClient tail =
        new TailClient(server.port(), "?type=a&type=b&where=data.n%20%3E%2010&contains=yes", "")) {
      Instant now = Instant.now();
      write("a", now, "{\"n\":11,\"x\":\"yes\"}");
      write("b", now, "{\"n\":12,\"x\":\"yes\"}");
      write("c", now, "{\"n\":13,\"x\":\"yes\"}");
      write("a", now, "{\"n\":1,\"x\":\"yes\"}");
      write("a", now, "{\"n\":14,\"x\":\"no\"}");
      write("b", now.minusSeconds(100), "{\"n\":15,\"x\":\"yes\"}");
      write("b", now.minusSeconds(100), "{\"n\":2,\"x\":\"yes\"}");
      write("a", now.plusMillis(10), "{\"n\":16,\"x\":\"yes\"}");
      await().until(() -> tail.messages.stream().anyMatch(m -> m.data().contains("\"n\":16")));
      await().until(() -> tail.messages.stream().anyMatch(m -> m.data().contains("\"n\":15")));
      assertThat(tail.messages).hasSize(4);
    }
  }

  /** The tail must not end either: a client that reconnects would meet the event again. */
  @Test
  void eventTooCostlyForFilterIsReportedAndSkipped() {
    String numbers = "1" + ",1".repeat(199);
    String where = "data.l.all(a, data.l.all(b, a == b))";
    String query = "?where=" + URLEncoder.encode(where, StandardCharsets.UTF_8);
    String position;
    try (TailClient tail = new TailClient(server.port(), query, "")) {
      Instant begin = Instant.now().plusSeconds(1);
      write("a", begin, "{\"n\":1,\"l\":[]}");
      write("a b", begin.plusMillis(10), "{\"n\":2,\"l\":[" + numbers + "]}");
      write("a", begin.plusMillis(20), "{\"n\":3,\"l\":[0]}");
      await().until(() -> tail.messages.size() == 3);
      assertThat(tail.messages.stream().map(Message::kind).toList())
          .containsExactly("message", "failed", "message");
      assertThat(data(tail, 1))
          .startsWith(
              "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"detail\":")
          .contains("where: \\\"" + where, "10000 steps", "?type=a+b\"}");
      String address = data(tail, 1).replaceAll(".*\"event\":\"([^\"]+)\"}", "$1");
      assertThat(server.get(address).body()).contains("\"n\":2");
      position = new ArrayList<>(tail.messages).get(1).id();
    }
    try (TailClient tail = new TailClient(server.port(), query, position)) {
      await().until(() -> tail.messages.size() == 1);
      assertThat(data(tail, 0)).contains("\"n\":3");
    }
  }

  /** A selective filter must not make its client read all events again. */
  @Test
  void heartbeatMovesPositionOfIdleClient() {
    try (TailClient tail = new TailClient(server.port(), "?type=none", "")) {
      await().until(() -> tail.comments.get() > 0 && !tail.lastEventId().isEmpty());
      String first = tail.lastEventId();
      await().until(() -> !tail.lastEventId().equals(first));
      assertThat(tail.messages).isEmpty();
    }
  }

  @Test
  void concurrentTailsAreLimited() {
    List<TailClient> tails = new ArrayList<>();
    for (int i = 0; i < QueryServer.TAILS.concurrentMax(); i++) {
      tails.add(new TailClient(server.port(), "", ""));
    }
    QueryServer.Reply refused = server.get("/api/v1/tail");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers()).containsKey("Retry-After");
    tails.forEach(TailClient::close);
    await().until(() -> server.meters.get("hourglass.query.tails").gauge().value() == 0);
    try (TailClient tail = new TailClient(server.port(), "", "")) {
      assertThat(tail.status()).isEqualTo(200);
    }
  }

  @Test
  void anotherClientReplacesATailOfTheLargest() {
    List<TailClient> tails = new ArrayList<>();
    for (int i = 0; i < QueryServer.TAILS.concurrentMax(); i++) {
      tails.add(new TailClient(server.port(), "", ""));
    }
    try (TailClient other = TailClient.of("another", server.port())) {
      assertThat(other.status()).isEqualTo(200);
      await().until(() -> tails.stream().filter(TailClient::hasEnded).count() == 1);
      TailClient ended = tails.stream().filter(TailClient::hasEnded).findFirst().orElseThrow();
      assertThat(ended.messages)
          .singleElement()
          .satisfies(
              message -> {
                assertThat(message.kind()).isEqualTo("crowded_out");
                assertThat(message.id()).isNotEmpty();
                assertThat(message.data()).contains("\"status\":429");
              });
      assertThat(other.hasEnded()).isFalse();
    }
    tails.forEach(TailClient::close);
  }

  @Test
  void badParametersAreRefused() {
    assertThat(server.get("/api/v1/tail?since=ever").body()).contains("since: \"ever\"");
    assertThat(server.get("/api/v1/tail?where=)").status()).isEqualTo(400);
    assertThat(server.get("/api/v1/tail?hour=2026-11-20T08").body()).contains("hour");
    QueryServer.Reply odd = server.get("/api/v1/tail", "Last-Event-ID", "AQAAAAAAAA");
    assertThat(odd.status()).isEqualTo(400);
    assertThat(odd.body()).contains("Last-Event-ID: \"AQAAAAAAAA\"");
    assertThat(server.head("/api/v1/tail").headers())
        .containsEntry("Content-Type", "text/event-stream");
  }

  @Test
  void aPositionOfAnotherStoreReportsAGap() {
    String position;
    try (OracleStore other = new OracleStore(Clock.systemUTC(), SETTLE);
        QueryServer there = new QueryServer(other, QueryOptions.builder().build());
        TailClient tail = new TailClient(there.port(), "", "")) {
      write(other, "a", Instant.now().minusSeconds(60), "{}");
      await().until(() -> tail.messages.size() == 1);
      position = tail.lastEventId();
    }
    isTold(position);
  }

  private void isTold(String position) {
    try (TailClient tail = new TailClient(server.port(), "", position)) {
      await().until(() -> tail.messages.size() == 1);
      assertThat(tail.messages.element().kind()).isEqualTo("gap");
      write("a", Instant.now(), "{\"n\":1}");
      await().until(() -> tail.messages.size() == 2);
    }
  }

  @Test
  void aPositionOfAClockFarAheadReportsAGap() {
    String position;
    Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(3));
    try (OracleStore other = new OracleStore(ahead, SETTLE);
        QueryServer there = new QueryServer(other, QueryOptions.builder().build());
        TailClient tail = new TailClient(there.port(), "", "")) {
      await().until(() -> !tail.lastEventId().isEmpty());
      position = tail.lastEventId();
    }
    isTold(position);
  }

  /** Otherwise the client would wait for ever. */
  @Test
  void aPermanentFailureEndsATail() {
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    WideColumnStore failing =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return store;
          }

          @Override
          public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
            RuntimeException thrown = failure.get();
            return thrown == null
                ? super.lateArrivals(after, namesMax)
                : CompletableFuture.failedFuture(thrown);
          }
        };
    try (QueryServer there = new QueryServer(failing, QueryOptions.builder().build());
        TailClient tail = new TailClient(there.port(), "", "")) {
      failure.set(new UnavailableException("away"));
      int before = tail.comments.get();
      await().until(() -> tail.comments.get() > before + 1);
      assertThat(tail.hasEnded()).isFalse();
      failure.set(new CorruptException("torn"));
      await().until(tail::hasEnded);
      failure.set(null);
      try (TailClient again = new TailClient(there.port(), "", tail.lastEventId())) {
        write("a", Instant.now(), "{\"n\":1}");
        await().until(() -> again.messages.size() == 1);
      }
    }
  }

  /** One hour contains late events only, another contains events in order. */
  @Test
  void missingPartsAreNamedOnceBeforeEvents() {
    Instant now = Instant.now();
    Hour passed = Hour.of(now.minus(Duration.ofHours(3)));
    Hour late = Hour.of(now.minus(Duration.ofHours(30)));
    WideColumnStore lacking =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return store;
          }

          @Override
          public List<String> missing(Hour from, Hour to, Predicate<String> types) {
            return Stream.of(passed, late)
                .filter(hour -> hour.compareTo(from) >= 0 && hour.compareTo(to) <= 0)
                .map(hour -> "hours/keep/" + hour)
                .toList();
          }
        };
    try (QueryServer there = new QueryServer(lacking, QueryOptions.builder().build())) {
      String away;
      try (TailClient tail = new TailClient(there.port(), "", "")) {
        write("a", now.minus(Duration.ofHours(4)), "{\"n\":1}");
        await().until(() -> tail.messages.size() == 1);
        assertThat(kinds(tail)).containsExactly("late");
        away = tail.lastEventId();
      }
      write("a", late.start(), "{\"n\":2}");
      write("a", late.start().plusSeconds(1), "{\"n\":3}");
      String again;
      try (TailClient tail = new TailClient(there.port(), "", away)) {
        await().until(() -> tail.messages.size() == 3);
        again = tail.messages.element().id();
        write("a", late.start().plusSeconds(2), "{\"n\":4}");
        await().until(() -> tail.messages.size() == 4);
        assertThat(kinds(tail)).containsExactly("gap", "late", "late", "late");
        assertThat(data(tail, 0)).contains("\"missing\":[\"hours/keep/" + late + "\"]");
      }
      try (TailClient tail = new TailClient(there.port(), "", again)) {
        await().until(() -> tail.messages.size() == 4);
        assertThat(kinds(tail)).containsExactly("gap", "late", "late", "late");
      }
      String since = "?since=" + passed.next() + "&type=none";
      try (TailClient tail = new TailClient(there.port(), since, "")) {
        await().until(() -> tail.comments.get() > 0);
        assertThat(tail.messages).isEmpty();
      }
      since = "?since=" + passed.start().minusSeconds(1) + "&type=none";
      try (TailClient tail = new TailClient(there.port(), since, "")) {
        await().until(() -> tail.messages.size() == 1);
        assertThat(data(tail, 0)).contains("\"missing\":[\"hours/keep/" + passed + "\"]");
        assertThat(kinds(tail)).containsExactly("gap");
      }
    }
  }

  /** One hour had late events only, whose records remain; the other one events in order. */
  @Test
  void droppedHoursAreNamedOnceBeforeEvents() {
    Instant now = Instant.now();
    Hour passed = Hour.of(now.minus(Duration.ofHours(3)));
    String away;
    try (TailClient tail = new TailClient(server.port(), "", "")) {
      write("a", now.minus(Duration.ofHours(4)), "{\"n\":1}");
      await().until(() -> tail.messages.size() == 1);
      away = tail.lastEventId();
    }
    write("a", passed.start(), "{\"n\":2}");
    write("b", passed.start(), "{\"n\":3}");
    store.drop(new TypeHour(passed, "a")).toCompletableFuture().join();
    String name = passed + "|a";
    try (TailClient tail = new TailClient(server.port(), "", away)) {
      await().until(() -> tail.messages.size() == 2);
      assertThat(kinds(tail)).containsExactly("gap", "late");
      assertThat(data(tail, 0)).contains("{\"dropped\":[\"" + name + "\"],\"detail\":");
    }
    String since = "?since=" + passed.start().minusSeconds(1);
    try (TailClient tail = new TailClient(server.port(), since, "")) {
      await().until(() -> tail.messages.size() == 2);
      assertThat(data(tail, 0)).contains(name);
      assertThat(data(tail, 1)).contains("\"n\":3");
    }
    try (TailClient tail = new TailClient(server.port(), since + "&type=b", "")) {
      await().until(() -> tail.messages.size() == 1);
      assertThat(data(tail, 0)).contains("\"n\":3");
    }
  }

  private static List<String> kinds(TailClient tail) {
    return tail.messages.stream().map(Message::kind).toList();
  }

  @Test
  void aServerThatStopsEndsItsTails() {
    try (TailClient tail = new TailClient(server.port(), "", "")) {
      server.endTails();
      await().until(tail::hasEnded);
    }
    assertThat(server.get("/api/v1/tail").status()).isEqualTo(503);
  }

  private static String data(TailClient tail, int n) {
    return new ArrayList<>(tail.messages).get(n).data();
  }

  private void write(String type, Instant time, String payload) {
    write(store, type, time, payload);
  }

  private void write(OracleStore into, String type, Instant time, String payload) {
    TimeUuid name = new TimeUuid(Ticks.of(time), 0x9000_0000_0000_0000L | ++written);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder column = new ColumnsBuilder(1, bytes.length);
    column.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    into.write(List.of(new Mutation(new RowKey(name.hour(), type, 0), column.build())))
        .toCompletableFuture()
        .join();
  }
}
