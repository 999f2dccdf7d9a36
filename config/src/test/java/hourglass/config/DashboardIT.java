package hourglass.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, over the real program. `./verify` sees to Node and Chromium. */
class DashboardIT {
  private static final Path SCRIPT = Project.ROOT.resolve("dashboard/src/test/e2e/page.mjs");
  private static final Instant HOUR = Instant.parse("2026-11-20T08:00:00Z");
  private static final int EVENTS = 20_000;

  @TempDir Path folder;

  @Test
  void showsAnHour() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder)) {
      push(server);
      Path out = folder.resolve("page.out");
      Process page =
          new ProcessBuilder(
                  "node",
                  SCRIPT.toString(),
                  server.address(),
                  "--hour",
                  "2026-11-20T08",
                  "--total",
                  String.valueOf(EVENTS),
                  "--types",
                  "checkout,login",
                  "--screenshots",
                  shots().toString())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      try {
        boolean ended = page.waitFor(5, TimeUnit.MINUTES);
        assertThat(ended && page.exitValue() == 0).as(Files.readString(out)).isTrue();
      } finally {
        page.destroyForcibly();
      }
    }
  }

  private static void push(ServerProcess server) throws Exception {
    ShopTraffic traffic = new ShopTraffic(7);
    StringBuilder lines = new StringBuilder();
    Duration step = Duration.ofHours(1).dividedBy(EVENTS);
    for (int i = 0; i < EVENTS; i++) {
      traffic.append(lines, HOUR.plus(step.multipliedBy(i)));
    }
    assertThat(server.post("/api/v1/events", "application/x-ndjson", lines.toString()).body())
        .startsWith("{\"accepted\":" + EVENTS + ",");
  }

  private static Path shots() throws Exception {
    return Files.createDirectories(Project.ROOT.resolve("config/target/dashboard-shots"));
  }
}
