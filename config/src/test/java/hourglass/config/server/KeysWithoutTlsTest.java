package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.config.keys.KeysFile;
import hourglass.config.keys.Scope;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Keys that anybody on the way can read are worth a warning; on the loopback they are not. */
class KeysWithoutTlsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"0.0.0.0,1", "127.0.0.1,0"})
  void operatorsAreWarnedBeyondTheLoopback(String host, int warnings) throws IOException {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    KeyedServer.add(keys, "ada", "*", null, Scope.QUERY);
    Logger logger = (Logger) LoggerFactory.getLogger(Hourglass.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (KeyedServer server = new KeyedServer(folder, keys, "http.host=" + host)) {
      assertThat(server.uri("/")).hasPath("/");
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .filteredOn(event -> event.getLevel() == Level.WARN)
        .hasSize(warnings)
        .allSatisfy(
            event ->
                assertThat(event.getFormattedMessage())
                    .contains("http.host = 0.0.0.0 without TLS", "http.tls.cert"));
  }
}
