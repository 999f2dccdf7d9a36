package hourglass.config.gate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final AuditEvent EVENT = AuditEvent.of("event");

  @TempDir Path folder;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void closeWritesAllEventsAdded() throws Exception {
    AuditLog log = open();
    IntStream.range(0, 5_000).forEach(i -> log.add(EVENT.with("number", i)));
    log.refused("ada", "no key", EVENT);
    log.refused("ada", "no key", EVENT);
    log.close();
    assertThat(lines("written")).isEqualTo(5_003);
    assertThat(Files.readAllLines(file()))
        .hasSize(5_003)
        .allMatch(line -> line.startsWith("{\"time\":\"20") && line.endsWith("}"))
        .anyMatch(line -> line.contains("\"number\":4999"))
        .anyMatch(line -> line.contains("\"event\":\"stop\""));
  }

  @Test
  void eventsLostToAFullDiskAreCountedAndReported() throws Exception {
    Path disk = Files.createSymbolicLink(file(), Path.of("/dev/full"));
    AuditLog log = open();
    log.add(EVENT);
    await().until(() -> lines("lost") == 1);
    log.add(EVENT);
    await().until(() -> lines("lost") == 2);
    Files.delete(disk);
    log.add(EVENT);
    log.close();
    assertThat(lines("lost")).isEqualTo(2);
    assertThat(Files.readAllLines(file()).get(0)).contains("\"event\":\"lost\",\"count\":2");
    assertThat(Files.readAllLines(file())).hasSize(3);
  }

  @Test
  void writingContinuesAfterAnEventThatCannotBeEncoded() throws Exception {
    AuditLog log = open();
    log.add(new AuditEvent("broken", Map.of("member", new Object())));
    await().until(() -> lines("lost") == 1);
    log.add(EVENT);
    log.close();
    assertThat(Files.readAllLines(file()).get(0)).contains("\"event\":\"lost\",\"count\":1");
    assertThat(Files.readAllLines(file())).hasSize(3);
  }

  @Test
  void aFileThatCannotBeCreatedFailsAtOnce() {
    assertThatThrownBy(
            () ->
                AuditLog.open(
                    folder.resolve("none/audit.log"),
                    AuditOptions.DEFAULT,
                    Clock.systemUTC(),
                    meters))
        .isInstanceOf(IOException.class);
  }

  private AuditLog open() throws IOException {
    return AuditLog.open(file(), AuditOptions.DEFAULT, Clock.systemUTC(), meters);
  }

  private Path file() {
    return folder.resolve("audit.log");
  }

  private long lines(String outcome) {
    return (long) meters.get("hourglass.audit.lines").tag("outcome", outcome).counter().count();
  }
}
