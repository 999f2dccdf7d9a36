package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twelve thousand types in an hour are accepted, and are there after a stop and after a kill. */
@Tag(Tier.IN_FULL)
class ManyTypesIT {
  private static final int TYPES = 12_000;
  private static final int BATCH = 2_000;
  private static final String HOUR = "2026-11-20T08";

  /** The memory budget that a type with one event may take. */
  private static final int TYPE_BYTES_MAX = 1_000;

  @TempDir Path folder;

  @Test
  void manyTypesSurviveRestarts() throws Exception {
    // Nothing is flushed by itself, so that all pushed events are in open runs.
    ServerProcess server = ServerProcess.start(folder, "constant.flushIdleMillis=600000");
    try {
      push(server, 0);
      assertThat(server.metric("hourglass_store_open_bytes"))
          .isLessThan((long) TYPES * TYPE_BYTES_MAX);
      assertThat(server.terminate()).as(server.log()).isZero();
      server = server.restart();
      JsonObject counts =
          new JsonObject(server.get("/api/v1/hits?hour=" + HOUR + "&step=1h").body());
      assertThat(counts.getLong("total")).as(counts.encode()).isEqualTo(TYPES);
      push(server, 1);
      server.kill();
      server = server.restart();
      List<String> events = lines(server);
      assertThat(events).hasSize(2 * TYPES);
      assertThat(new HashSet<>(events)).as("each once").hasSize(2 * TYPES);
    } finally {
      server.close();
    }
  }

  /** An event of each type, in few requests. */
  private static void push(ServerProcess server, int round) throws Exception {
    for (int from = 0; from < TYPES; from += BATCH) {
      StringBuilder body = new StringBuilder();
      for (int type = from; type < from + BATCH; type++) {
        body.append(
            "{\"type\":\"type %d\",\"id\":\"%d-%d\",\"time\":\"%s:00:%02dZ\"}\n"
                .formatted(type, round, type, HOUR, type % 60));
      }
      HttpResponse<String> answer =
          server.post("/api/v1/events", "application/x-ndjson", body.toString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(new JsonObject(answer.body()).getInteger("accepted")).isEqualTo(BATCH);
    }
  }

  private static List<String> lines(ServerProcess server) throws Exception {
    String path = "/api/v1/events?hour=" + HOUR + "&limit=all&format=ndjson";
    HttpResponse<String> all = server.get(path);
    assertThat(all.statusCode()).isEqualTo(200);
    return all.body().lines().toList();
  }
}
