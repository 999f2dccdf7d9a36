package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.FreePorts;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live view in a real browser, on a real server that is killed and stopped. */
@Order(10)
@Timeout(value = BrowserChecks.TIMEOUT_HOURS, unit = TimeUnit.HOURS)
@Tag(Tier.IN_FULL)
class LiveViewIT {
  private static final String HOUR = "2026-11-20T08";

  /** The view is loaded for so long. */
  private static final int SECONDS = 15;

  private static final int LONG_SECONDS = 600;

  @TempDir Path folder;

  @Test
  void liveTailSurvivesRestartsAndKills() throws Exception {
    BrowserChecks.requireTools();
    String port = "http.port=" + FreePorts.next();
    try (Restarting servers = new Restarting(ServerProcess.start(folder, port))) {
      servers.current().generate(HOUR, 1_000);
      List<String> command =
          new ArrayList<>(
              List.of(
                  "node",
                  "src/test/e2e/page.mjs",
                  servers.current().address(),
                  "--hour=" + HOUR,
                  "--total=1000",
                  "--types=any",
                  "--restarts",
                  "--live-seconds=" + Tier.length(SECONDS, SECONDS, LONG_SECONDS),
                  "--only=live",
                  "--screenshots=" + Path.of("target/screenshots/live").toAbsolutePath()));
      if (Tier.current() == Tier.LONGEST) {
        command.add("--timed");
      }
      BrowserChecks.run(command, Map.of(), Map.of("restart", servers::restart));
    }
  }

  /** One server after the other on the same data and port. */
  private static final class Restarting implements AutoCloseable {
    private ServerProcess current;

    Restarting(ServerProcess first) {
      current = first;
    }

    ServerProcess current() {
      return current;
    }

    void restart(String how) throws IOException, InterruptedException {
      if (how.equals("kill")) {
        current.kill();
      } else {
        assertThat(current.terminate()).isZero();
      }
      current = current.restart();
    }

    @Override
    public void close() {
      current.close();
    }
  }
}
