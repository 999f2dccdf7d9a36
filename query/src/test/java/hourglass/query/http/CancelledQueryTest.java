package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Tier;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that closes its connection frees the threads of its query. */
class CancelledQueryTest {
  private static final int EVENTS = 24;
  private static final int FIELDS = 64;
  private static final int TYPES = 20_000;
  private static final String LARGE = "&type=large";

  /**
   * CPU time within which a query should stop is 100 ms; the rest is for compilers and for what
   * else the process does. Other work of the machine does not count.
   */
  private static final long STOP_CPU_MILLIS_MAX = 2_000;

  private static final OracleStore STORE = filled();
  private static final QueryServer SERVER = new QueryServer(STORE, QueryOptions.builder().build());

  private static OracleStore filled() {
    OracleStore store =
        new OracleStore(Clock.fixed(Fill.HOUR.start(), ZoneOffset.UTC), Duration.ofSeconds(2));
    String fields =
        IntStream.range(0, FIELDS)
            .mapToObj(i -> "\"f" + i + "\":\"" + "x".repeat(1_000) + "\",")
            .collect(Collectors.joining());
    String name = "n\\u0061me".repeat(10_000);
    String text = "ab".repeat(400_000);
    String large = "{" + fields + "\"" + name + "\":1,\"s\":\"" + text + "\"}";
    List<Mutation> rows = new ArrayList<>();
    rows.add(row("large", EVENTS, large));
    IntStream.range(0, TYPES).forEach(i -> rows.add(row("type-" + i, 1, "{\"n\":1}")));
    store.write(rows).toCompletableFuture().join();
    return store;
  }

  private static Mutation row(String type, int events, String payload) {
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder columns = new ColumnsBuilder(events, events * bytes.length);
    for (int i = 0; i < events; i++) {
      TimeUuid at = TimeUuid.first(Fill.HOUR.startTicks() + i);
      columns.add(at.ticks(), at.lsb(), bytes, 0, bytes.length);
    }
    return new Mutation(new RowKey(Fill.HOUR, type, 0), columns.build());
  }

  @AfterAll
  static void close() {
    SERVER.close();
    STORE.close();
  }

  private static String where(String expression) {
    return "&where=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
  }

  static List<String> expensiveQueries() {
    String regex = where("data.s.matches('(a|b)*(aa|bb)(a|b)*c')");
    String ofPayload = where("data.s.matches('(a|b){30}c' + type)");
    String fields =
        IntStream.range(0, FIELDS).mapToObj(i -> "data.f" + i).collect(Collectors.joining(","));
    String wholeEvents = "data,".repeat(FIELDS - 1) + "data";
    String deepPath = "a.".repeat(120) + "a";
    return List.of(
        "events?limit=all" + LARGE + regex,
        "events?limit=all" + LARGE + ofPayload,
        "events?limit=all" + LARGE + "&contains=" + "a".repeat(500) + regex,
        "events?limit=all&format=csv&fields=" + fields + LARGE,
        "events?limit=all&format=csv&fields=" + wholeEvents + LARGE,
        "hits?hour=2026-11-20T08" + LARGE + regex,
        "types?hour=2026-11-20T08" + LARGE + regex,
        "stats?field=data.f1" + LARGE + regex,
        "stats?field=data." + deepPath + LARGE,
        "top?field=data." + deepPath + LARGE,
        "top?field=data.f1" + LARGE + regex,
        "stats?by=type&field=data.n",
        "types?hour=2026-11-20T08",
        "hits?hour=2026-11-20T08&by=type&step=1m",
        "rows?hour=2026-11-20T08");
  }

  /** The process loads the library of {@code where} before it serves queries. */
  @BeforeAll
  static void loadLibrary() {
    assertThat(SERVER.get("/api/v1/events?limit=1&type=type-1" + where("data.n == 1")).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @MethodSource("expensiveQueries")
  void disconnectFreesTheThreadsOfTheQuery(String query) throws Exception {
    await().until(() -> !SERVER.isAtWork() && SERVER.running() == 0);
    for (int workMillis : Tier.current() == Tier.FIRST ? new int[] {60} : new int[] {5, 60, 200}) {
      long tookMillis = disconnect(query, workMillis);
      System.out.printf(
          "%d ms of CPU until the threads were free, %d ms into %.60s%n",
          tookMillis, workMillis, query);
      assertThat(tookMillis)
          .as("%s after %s ms", query, workMillis)
          .isLessThan(STOP_CPU_MILLIS_MAX);
    }
  }

  /** Milliseconds of CPU from the end of the connection, after this CPU time, to idle threads. */
  private static long disconnect(String query, int workMillis) throws IOException {
    int tasks = SERVER.tasks();
    try (Socket socket = new Socket("127.0.0.1", SERVER.port())) {
      String request = "GET /api/v1/" + query + " HTTP/1.1\r\nHost: h\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().pollInterval(Duration.ofMillis(1)).until(() -> SERVER.tasks() > tasks);
      long cutNanos = cpuNanos() + TimeUnit.MILLISECONDS.toNanos(workMillis);
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> cpuNanos() >= cutNanos || !SERVER.isAtWork());
    }
    long begin = cpuNanos();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> SERVER.running() == 0 && !SERVER.isAtWork());
    return TimeUnit.NANOSECONDS.toMillis(cpuNanos() - begin);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
