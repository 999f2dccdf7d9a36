package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events are erased from the command line: no answer has them, no file does once it is done, and
 * neither a restart nor a repeat of their push brings them back.
 */
@Tag(Tier.IN_FIRST)
class ErasureIT {
  private static final String MARKER = "ada-5f2c81e0-marker";
  private static final int EVENTS = 600;

  @TempDir Path folder;

  @Test
  void erasedEventsLeaveAnswersAndFilesForGood() throws Exception {
    ServerProcess server = ServerProcess.start(folder, "constant.flushAgeMillis=20");
    try {
      push(server, 8);
      await("flushed").until(() -> !Files.exists(data("log/00000000000000000001.log")));
      push(server, 9);
      assertThat(holders()).as("the search finds what is there").isNotEmpty();
      Program.Result erased =
          Program.run(
              folder,
              "erase",
              "--from",
              "2026-11-20T08",
              "--to",
              "2026-11-20T10",
              "--contains",
              MARKER,
              "--yes",
              "--wait",
              "--target",
              server.address());
      assertThat(erased.exit()).as(erased.err()).isZero();
      assertThat(erased.out()).contains("erased 20 events", "done; no file of the server");
      checkGone(server);

      server.kill();
      server = server.restart();
      checkGone(server);
      push(server, 8);
      push(server, 9);
      assertThat(server.metric("hourglass_erasure_repeats_total")).isEqualTo(20);
      checkGone(server);
    } finally {
      server.close();
    }
  }

  /** Pushes the events of an hour, of which every 60th has the marker. */
  private static void push(ServerProcess server, int hour) throws Exception {
    String body =
        IntStream.range(0, EVENTS)
            .mapToObj(
                i ->
                    "{\"type\":\"shop\",\"id\":\"%d\",\"time\":\"2026-11-20T%02d:%02d:%02dZ\",\"user\":\"%s\"}"
                        .formatted(i, hour, i / 60, i % 60, i % 60 == 7 ? MARKER : "bob"))
            .collect(Collectors.joining("\n"));
    HttpResponse<String> answer = server.post("/api/v1/events", "application/x-ndjson", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private void checkGone(ServerProcess server) throws Exception {
    String range = "from=2026-11-20T08:00:00Z&to=2026-11-20T10:00:00Z";
    assertThat(server.get("/api/v1/hits?step=1h&" + range).body())
        .contains("\"total\":" + (2 * EVENTS - 20), "\"complete\":true");
    assertThat(server.get("/api/v1/events?limit=all&" + range).body()).doesNotContain(MARKER);
    assertThat(server.get("/api/v1/top?field=user&" + range).body()).doesNotContain(MARKER);
    assertThat(holders()).isEmpty();
  }

  /** The files that have the marker, of the store and of the server's log. */
  private List<Path> holders() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("run")) // shows samples
          .filter(ErasureIT::hasMarker)
          .toList();
    }
  }

  private static boolean hasMarker(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(MARKER);
    } catch (NoSuchFileException e) {
      return false; // it was deleted meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path data(String file) {
    return folder.resolve("data").resolve(file);
  }
}
