package hourglass.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Expressions and payloads that were made to take all memory, or all threads. */
@Tag(Tier.IN_FULL)
class CostlyWhereIT {
  private static final int WORKERS = 8;
  private static final int CLIENTS = 16;
  private static final String HOUR = "2026-11-20T08";

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> manyCores =
        Map.of("JAVA_TOOL_OPTIONS", "-XX:ActiveProcessorCount=" + WORKERS);
    server = ServerProcess.start(folder, manyCores);
    push(event("classes", "\\\\pL".repeat(66_000)));
    push(event("folds", "(?i)\\\\x{1c80}"));
    push(event("long", "a".repeat(100_000)).repeat(8));
    push(event("small", "a"));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    assertThat(server.terminate()).isZero();
    assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
  }

  private static String event(String type, String text) {
    return "{\"type\":\"%s\",\"time\":\"%s:00:00Z\",\"s\":\"%s\"}\n".formatted(type, HOUR, text);
  }

  private static void push(String lines) throws Exception {
    assertThat(server.post("/api/v1/events", "application/x-ndjson", lines).statusCode())
        .isBetween(200, 299);
  }

  private static String query(String type, String where) {
    return "/api/v1/events?hour="
        + HOUR
        + "&type="
        + type
        + "&where="
        + URLEncoder.encode(where, StandardCharsets.UTF_8);
  }

  @Test
  void regexFromAPayloadIsBounded() throws Exception {
    for (String type : List.of("classes", "folds")) {
      for (HttpResponse<String> answer : sideBySide(query(type, "'x'.matches(data.s)"))) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).startsWith("{\"events\":[]");
      }
    }
    for (HttpResponse<String> answer :
        sideBySide(query("small", "data.s.matches('" + "(\\\\pL{30}){30}".repeat(9) + "')"))) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("want at most");
    }
    assertThat(server.get(query("small", "'a'.matches(data.s)")).body())
        .contains("\"type\":\"small\"");
  }

  private static List<HttpResponse<String>> sideBySide(String path) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Callable<HttpResponse<String>>> calls = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        calls.add(() -> server.get(path));
      }
      List<HttpResponse<String>> answers = new ArrayList<>();
      for (Future<HttpResponse<String>> call : clients.invokeAll(calls)) {
        answers.add(call.get());
      }
      return answers;
    } finally {
      clients.shutdownNow();
    }
  }

  /** Processor time is compared, which other processes on the machine hardly change. */
  @Test
  void cancelledQueriesReleaseTheirThreads() throws Exception {
    String slow = query("long", "data.s.matches('(a?){70}b')");
    for (int compile = 0; compile < 2; compile++) {
      assertThat(server.get(slow).body()).contains("\"complete\":true");
    }
    double begin = cpuSeconds();
    assertThat(server.get(slow).body()).contains("\"complete\":true");
    double alone = cpuSeconds() - begin;
    for (int round = 0; round < 3; round++) {
      List<Socket> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS - 1; i++) {
        Socket client = RawHttp.connect(server.port());
        RawHttp.write(client, "GET " + slow + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n");
        clients.add(client);
      }
      await().until(() -> server.metric("hourglass_query_running") > 0);
      for (Socket client : clients) {
        client.close();
      }
      await().until(() -> server.metric("hourglass_query_running") == 0);
    }
    double cancelled = cpuSeconds() - begin - alone;
    assertThat(cancelled).isLessThan(3 * (CLIENTS - 1) * alone / 4);
    assertThat(server.get(query("small", "data.s.matches('a')")).body())
        .contains("\"complete\":true");
  }

  private static double cpuSeconds() throws Exception {
    String name = "process_cpu_seconds_total ";
    return server
        .metrics()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private static String host() {
    return server.address().substring("http://".length());
  }
}
