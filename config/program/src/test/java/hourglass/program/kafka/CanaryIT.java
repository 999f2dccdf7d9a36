package hourglass.program.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.testing.FreePorts;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The canary beside a server that is killed, and beside one that forgets. */
@Order(12)
@ResourceLock(SharedKafka.LOCK)
@Tag(Tier.IN_FULL)
class CanaryIT {
  private static final int SOME = 60;

  @TempDir Path folder;

  private ServerProcess serve() throws IOException {
    return ServerProcess.start(folder, "http.port=" + FreePorts.next());
  }

  private CanaryProcess canary(ServerProcess server, String... options) throws IOException {
    String[] all =
        Stream.concat(
                Stream.of("--target=" + server.address(), "--json=" + json()), Stream.of(options))
            .toArray(String[]::new);
    return CanaryProcess.start(folder, all);
  }

  private Path json() {
    return folder.resolve("canary.json");
  }

  private Config figures() {
    return ConfigFactory.parseFile(json().toFile()).getConfig("run");
  }

  @Test
  void canaryFindsNoLossAfterAKill() throws Exception {
    ServerProcess server = serve();
    try (CanaryProcess canary = canary(server, "--window=1s", "--settle=1s")) {
      canary.awaitMore("checked_total", SOME);
      server.kill();
      canary.awaitMore("push_errors_total", 4);
      server = server.restart();
      canary.awaitMore("checked_total", SOME);
      Program.Result result = canary.terminate();
      assertThat(result.exit()).as(result.out() + result.err()).isZero();
      assertThat(result.out()).contains(" 0 lost, 0 duplicated, 0 out of order, 0 changed");
      assertThat(figures().getBoolean("passed")).isTrue();
      assertThat(figures().getLong("retries")).isPositive();
      assertThat(figures().getLong("events_checked"))
          .isGreaterThanOrEqualTo(2 * SOME)
          .isEqualTo(figures().getLong("events_acknowledged"));
      assertThat(figures().getDouble("visible_since_acknowledged_ms.p50")).isPositive();
    } finally {
      server.close();
    }
  }

  @Test
  void canaryFindsTheLossOfADataDirectory() throws Exception {
    ServerProcess server = serve();
    try (CanaryProcess canary = canary(server, "--window=10m")) {
      canary.awaitMore("acknowledged_total", SOME);
      assertThat(server.terminate()).isZero();
      canary.awaitMore("push_errors_total", 4);
      long acknowledged = canary.count("acknowledged_total");
      delete(folder.resolve("data"));
      server = server.restart();
      canary.awaitMore("acknowledged_total", SOME);
      Program.Result result = canary.terminate();
      assertThat(result.exit()).as(result.out() + result.err()).isEqualTo(1);
      assertThat(result.out()).contains("WRONG").contains("lost: canary-");
      assertThat(figures().getLong("events_lost")).isEqualTo(acknowledged);
    } finally {
      server.close();
    }
  }

  @Test
  void canaryWritesToATopic() throws Exception {
    String topic = SharedKafka.topic(2);
    try (ServerProcess server = ServerProcess.start(folder, SharedKafka.settings(topic));
        CanaryProcess canary =
            CanaryProcess.start(
                folder,
                "--target=kafka://" + SharedKafka.servers() + "/" + topic,
                "--query-target=" + server.address(),
                "--group=" + topic,
                "--window=1s",
                "--settle=1s",
                "--json=" + json())) {
      canary.awaitMore("checked_total", SOME);
      Program.Result result = canary.terminate();
      assertThat(result.exit()).as(result.out() + result.err()).isZero();
      assertThat(figures().getLong("events_checked")).isEqualTo(figures().getLong("events_sent"));
    }
  }

  private static void delete(Path tree) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(tree)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
