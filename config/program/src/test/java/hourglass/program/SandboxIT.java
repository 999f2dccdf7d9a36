package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `hourglass sandbox` as a person starts and ends it, with the real servers. */
@Tag(Tier.IN_FULL)
class SandboxIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final Duration END = Duration.ofSeconds(15);

  @TempDir Path folder;
  private Path out;
  private Path err;
  private Process process;

  @BeforeEach
  void start() throws IOException {
    out = folder.resolve("out");
    err = folder.resolve("err");
    process =
        Program.builder("sandbox", "--cassandra", "1", "--kafka", "--dir", "kept")
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  @Test
  void printsTheSettingsAndStopsInOrder() throws Exception {
    await().atMost(PATIENCE).until(() -> said(out).endsWith("ready\n") || !process.isAlive());
    assertThat(said(out).lines()).as(said(err)).hasSize(6);
    assertThat(said(out))
        .matches(
            """
            --set store.engine=cassandra
            --set 'store.cassandra.contact-points=\\["127.0.0.1:\\d+"]'
            --set store.cassandra.datacenter=datacenter1
            --set store.cassandra.replication=1
            --set kafka.bootstrap-servers=127.0.0.1:\\d+
            ready
            """);
    for (String line : said(out).lines().filter(l -> l.contains("127.0.0.1:")).toList()) {
      int port = Integer.parseInt(line.replaceAll(".*127\\.0\\.0\\.1:(\\d+).*", "$1"));
      new Socket("127.0.0.1", port).close();
    }
    List<ProcessHandle> servers = process.descendants().toList();
    assertThat(servers).hasSize(2);

    endBySignal();
    // A server that its sandbox did not stop in time sees that it is alone, and ends.
    await().atMost(PATIENCE).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(folder.resolve("kept/cassandra")).isNotEmptyDirectory();
  }

  private void endBySignal() throws Exception {
    long beginNanos = System.nanoTime();
    process.destroy();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said(err)).isZero();
    if (Tier.current() == Tier.LONGEST) { // elsewhere the machine may be slow
      assertThat(Duration.ofNanos(System.nanoTime() - beginNanos)).isLessThan(END);
    }
  }

  @Test
  void aSignalDuringTheStartStopsItInOrder() throws Exception {
    await().atMost(PATIENCE).until(() -> said(err).contains("starting Cassandra node 1"));
    await().atMost(PATIENCE).until(() -> process.descendants().findAny().isPresent());
    List<ProcessHandle> servers = process.descendants().toList();
    endBySignal();
    // A server that its sandbox did not stop in time sees that it is alone, and ends.
    await().atMost(PATIENCE).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(said(out)).isEmpty();
  }

  @Test
  void killLeavesNoServerRunning() throws Exception {
    await().atMost(PATIENCE).until(() -> said(err).contains("starting Cassandra node 1"));
    await().atMost(PATIENCE).until(() -> process.descendants().findAny().isPresent());
    List<ProcessHandle> servers = process.descendants().toList();
    process.destroyForcibly().waitFor();
    await().atMost(PATIENCE).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static String said(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
