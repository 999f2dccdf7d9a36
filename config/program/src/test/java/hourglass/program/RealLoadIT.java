package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator against the server, both as programs: it reads back exactly what it sent. */
@Tag(Tier.IN_FULL)
class RealLoadIT {
  @TempDir Path folder;

  @Test
  void idempotencyKeysStoreARepeatedLoadOnce() throws Exception {
    int events = Tier.length(200_000, 200_000, 1_000_000);
    try (ServerProcess server = ServerProcess.start(folder)) {
      for (int run = 1; run <= 2; run++) {
        load(
            server,
            "generate",
            "--events=" + events,
            "--hour=2026-11-20T08",
            "--late=0.05",
            "--out-of-order=0.1",
            "--idempotency-key=real",
            "--verify-exact");
        assertThat(count(server)).as("run " + run).isEqualTo(events);
      }
    }
  }

  @Test
  void replayedFileIsStoredOnce() throws Exception {
    int events = 50_000;
    Path file = write(new NumberedEvents(1, 200), events);
    try (ServerProcess server = ServerProcess.start(folder)) {
      for (int run = 1; run <= 2; run++) {
        load(server, "replay", file.toString(), "--idempotency-key=file", "--verify-exact");
        assertThat(count(server)).as("run " + run).isEqualTo(events);
      }
      assertThat(StoredEvents.read(server, new NumberedEvents(1, 200)).cardinality())
          .isEqualTo(events);
    }
  }

  private void load(ServerProcess server, String... scenario) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("load"));
    arguments.addAll(List.of(scenario));
    arguments.addAll(List.of("--target=" + server.address(), "--settle=0s"));
    Program.Result result = Program.run(folder, arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
  }

  private static long count(ServerProcess server) throws IOException, InterruptedException {
    return new JsonObject(server.get("/api/v1/types").body())
        .getJsonArray("types").stream().mapToLong(t -> ((JsonObject) t).getLong("count")).sum();
  }

  private Path write(NumberedEvents source, int events) throws IOException {
    Path file = folder.resolve("events.ndjson.gz");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      for (int number = 0; number < events; number++) {
        out.write(source.payload(number));
        out.write('\n');
      }
    }
    return file;
  }
}
