package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An hour of very many types in a small heap, and many who ask about all of them at once: each
 * answer would be a tenth of the heap if it were made whole.
 */
@Tag(Tier.IN_FULL)
class WideHourIT {
  private static final int TYPES = Tier.length(8_000, 8_000, 100_000);
  private static final int TYPES_A_PUSH = 2_000;
  private static final int CLIENTS = 16;
  private static final Map<String, String> SMALL_HEAP = Map.of("_JAVA_OPTIONS", "-Xmx192m");

  // The heap, and the JVM's own memory.
  private static final long RESIDENT_BYTES_MAX = 600L << 20;

  /** Stands for a status: the answer broke off because its client read nothing for seconds. */
  private static final int CUT_OFF = 0;

  private static final Pattern CUTS =
      Pattern.compile("hourglass_query_seconds_count\\{.*outcome=\"crowded_out\".*} (.+)");

  private static final String HOUR = "hour=2026-11-20T08";
  private static final String[] QUESTIONS = {"rows?", "types?", "stats?field=data.n&by=type&"};

  @TempDir Path folder;

  @Test
  void queriesOfAllTypesStayWithinMemory() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(
            folder,
            SMALL_HEAP,
            "ingest.max-body-bytes=4MiB",
            "ingest.max-in-flight-bytes=24MiB",
            "store.embedded.memory-budget=100MiB",
            "query.timeout=1h",
            "query.store-timeout=1h",
            "query.max-answer-bytes=32MiB")) {
      for (int from = 0; from < TYPES; from += TYPES_A_PUSH) {
        push(server, from);
      }
      long resident = 0;
      long cuts = 0;
      for (String question : QUESTIONS) {
        cuts += askAtOnce(server, "/api/v1/" + question + HOUR);
        resident = Math.max(resident, server.metric("process_resident_memory_bytes"));
      }
      System.out.printf("%d types, at most %d MiB resident%n", TYPES, resident >> 20);
      assertThat(resident).isLessThan(RESIDENT_BYTES_MAX);
      assertThat(cuts).as("cut off; %s", server.log()).isEqualTo(cuts(server));
      await().until(() -> server.metric("hourglass_query_held_bytes") == 0);
      assertThat(server.get("/api/v1/types?" + HOUR).body())
          .contains("\"type\":\"t0\"", "\"type\":\"t" + (TYPES - 1) + "\"")
          .endsWith("\"complete\":true}");
      assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    }
  }

  private static void push(ServerProcess server, int from) throws Exception {
    String body =
        IntStream.range(from, from + TYPES_A_PUSH)
            .mapToObj(
                i ->
                    "{\"type\":\"t%d\",\"time\":\"2026-11-20T08:%02d:00Z\",\"n\":%d,\"text\":\"%d\"}"
                        .formatted(i, i % 60, i, i))
            .collect(Collectors.joining("\n"));
    await()
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              int status = server.post("/api/v1/events", "application/x-ndjson", body).statusCode();
              assertThat(status).isIn(200, 429);
              return status == 200;
            });
  }

  /**
   * Each is answered whole, or with 429 or 503, or seen to be cut off; at least a few get their
   * answer. Returns how many were cut off.
   */
  private static long askAtOnce(ServerProcess server, String path) {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest request = HttpRequest.newBuilder(server.uri(path)).build();
    // A thread each. Even so, a busy machine may let one wait until its answer is cut off.
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        answers.add(
            client
                .sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                .thenApplyAsync(WideHourIT::statusOfWhole, threads)
                .exceptionally(failure -> CUT_OFF));
      }
      List<Integer> statuses = answers.stream().map(CompletableFuture::join).toList();
      assertThat(statuses).as(path).isSubsetOf(200, 400, 429, CUT_OFF).containsAnyOf(200, 400);
      return Collections.frequency(statuses, CUT_OFF);
    } finally {
      threads.shutdownNow();
    }
  }

  private static int statusOfWhole(HttpResponse<InputStream> answer) {
    try (InputStream body = answer.body()) {
      body.transferTo(OutputStream.nullOutputStream());
      return answer.statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of answers cut off, as counted by the server. */
  private static long cuts(ServerProcess server) throws Exception {
    return CUTS.matcher(server.metrics())
        .results()
        .mapToLong(cut -> (long) Double.parseDouble(cut.group(1)))
        .sum();
  }
}
