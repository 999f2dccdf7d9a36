package hourglass.program.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.Program;
import hourglass.program.PushedBatches;
import hourglass.program.ServerProcess;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LOCK is deleted while a process runs: no second one starts, and nothing acknowledged is lost. */
@Tag(Tier.IN_FIRST)
class LostFolderIT {
  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(random.nextLong(), 300));
  private final HttpClient client = PushedBatches.newClient();

  @Test
  void deletedLockFileIsNoticed() throws Exception {
    ServerProcess server = ServerProcess.start(folder);
    try {
      assertThat(push(server).statusCode()).isEqualTo(200);
      Files.delete(folder.resolve("data/LOCK"));
      Program.Result second = Program.run(folder, ServerProcess.arguments(folder));
      assertThat(second.exit()).as(second.err()).isEqualTo(1);
      assertThat(second.err()).contains("in use by process " + server.pid());
      HttpResponse<String> refused = push(server);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body()).contains("no longer the directory", "start again");
      assertThat(server.get("/health/ready").statusCode()).isEqualTo(503);
      ServerProcess first = server;
      await().until(() -> first.log().contains(" ERROR ") && first.log().contains("LOCK was "));
      server.terminate();
      server = server.restart();
      batches.check(server);
      batches.resendOpen(server);
      batches.check(server);
    } finally {
      server.close();
    }
  }

  private HttpResponse<String> push(ServerProcess server) throws Exception {
    return batches.push(client, server, batches.take(500, true));
  }
}
