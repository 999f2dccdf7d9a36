package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Tests the warnings for operators at the start. */
class StartWarningsTest {
  /** The classes that start what the warnings are about. Others may warn at any time. */
  private static final List<String> STARTING =
      List.of(Gate.class.getName(), IngestRole.class.getName());

  @TempDir private Path folder;

  /** On the loopback, nobody on the network can read a key. */
  @ParameterizedTest
  @CsvSource({"0.0.0.0,1", "127.0.0.1,0"})
  void keysWithoutTlsLogAWarning(String host, int warnings) throws IOException {
    assertThat(warnings("http.host=" + host))
        .hasSize(warnings)
        .allSatisfy(
            warning -> assertThat(warning).contains("http.host = 0.0.0.0 without TLS", "http.tls"));
  }

  @ParameterizedTest
  @CsvSource({"nobody,1", "reader,1", "writer,0"})
  void syslogWithoutItsKeyLogsAWarning(String key, int warnings) throws IOException {
    assertThat(warnings("syslog.listen=[\"udp://127.0.0.1:0\"]", "syslog.key=" + key))
        .hasSize(warnings)
        .allSatisfy(warning -> assertThat(warning).contains("syslog.key = " + key));
  }

  private List<String> warnings(String... assignments) throws IOException {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    KeyedServer.add(keys, "reader", "*", null, Scope.QUERY);
    KeyedServer.add(keys, "writer", "*", null, Scope.INGEST);
    // While another test begins to log, there is no logger of logback yet.
    String name = Hourglass.class.getPackageName();
    await().until(() -> LoggerFactory.getLogger(name) instanceof Logger);
    Logger logger = (Logger) LoggerFactory.getLogger(name);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (KeyedServer server = new KeyedServer(folder, keys, assignments)) {
      assertThat(server.uri("/")).hasPath("/");
    } finally {
      logger.detachAppender(log);
    }
    return log.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .filter(event -> STARTING.contains(event.getLoggerName()))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
