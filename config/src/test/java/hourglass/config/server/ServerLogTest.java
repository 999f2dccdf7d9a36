package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import hourglass.config.settings.LogFormat;
import hourglass.query.http.SlowQueries;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Isolated("it counts the lines that the process logs")
class ServerLogTest {
  private static final Logger logger = LoggerFactory.getLogger("hourglass.test.Some");
  private static final String SECRET = "hg_0123456789012345678901234567890123456789abc";

  private static JsonObject lastInJson(Runnable logs) {
    try (ServerLog log = ServerLog.start(LogFormat.JSON)) {
      logs.run();
      List<String> lines = log.newestLines();
      return new JsonObject(lines.get(lines.size() - 1));
    }
  }

  @Test
  void aLineOfJsonHasItsParts() {
    JsonObject line = lastInJson(() -> logger.info("a \"text\"\nof {}", "two lines"));
    assertThat(line.getString("time"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z");
    assertThat(line.getString("level")).isEqualTo("INFO");
    assertThat(line.getString("logger")).isEqualTo("Some");
    assertThat(line.getString("message")).isEqualTo("a \"text\"\nof two lines");
    assertThat(line.fieldNames()).hasSize(4);
  }

  @Test
  void anExceptionHasItsStackInOneLine() {
    JsonObject line =
        lastInJson(() -> logger.warn("failed", new IllegalStateException("of " + SECRET)));
    assertThat(line.getString("exception"))
        .startsWith("java.lang.IllegalStateException: of hg_***")
        .contains("at hourglass.config.server.ServerLogTest");
  }

  @Test
  void valuesBecomeMembers() {
    JsonObject line =
        lastInJson(
            () -> logger.atInfo().addKeyValue("rows", 12L).addKeyValue("key", SECRET).log("x"));
    assertThat(line.getLong("rows")).isEqualTo(12);
    assertThat(line.getString("key")).isEqualTo("hg_***");
  }

  @Test
  void halfOfASurrogatePairDoesNotLoseALine() {
    assertThat(lastInJson(() -> logger.info("half \ud83d")).getString("message"))
        .startsWith("half ");
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void theNewestLinesAreKeptInItsFormat(LogFormat format) {
    try (ServerLog log = ServerLog.start(format)) {
      for (int i = 0; i < 400; i++) {
        logger.info("line {}", i);
      }
      logger.info("x".repeat(10_000));
      List<String> lines = log.newestLines();
      assertThat(lines).hasSize(300);
      assertThat(lines.get(0)).contains("line 101");
      assertThat(lines.get(299)).hasSizeLessThan(4_100).endsWith("...\n");
      assertThat(lines.get(0).startsWith("{")).isEqualTo(format == LogFormat.JSON);
    }
  }

  @Test
  void aClosedLogKeepsNothingMore() {
    ServerLog log = ServerLog.start(LogFormat.TEXT);
    log.close();
    logger.info("later");
    assertThat(log.newestLines()).noneMatch(line -> line.contains("later"));
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void aSlowQueryIsKeptWithItsFactsInAnyFormat(LogFormat format) {
    try (ServerLog log = ServerLog.start(format)) {
      logger.info("before");
      LoggerFactory.getLogger(SlowQueries.LOG).atInfo().addKeyValue("rows", 12L).log("slow query");
      logger.info("after");
      List<String> lines = log.newestLines();
      assertThat(lines).hasSize(3);
      assertThat(new JsonObject(lines.get(1)).getLong("rows")).isEqualTo(12);
    }
  }

  /** The log of an operator's own configuration, without any appender of ours. */
  private static LoggerContext ownContext() {
    LoggerContext own = new LoggerContext();
    own.start();
    return own;
  }

  @Test
  void aConfigurationOfTheOperatorsOwnNeedsNoAppenderOfOurs() {
    LoggerContext own = ownContext();
    try (ServerLog log = ServerLog.start(LogFormat.TEXT, own)) {
      own.getLogger("hourglass.test.Some").info("a line");
      own.getLogger(SlowQueries.LOG).atInfo().addKeyValue("rows", 12L).log("slow query");
      List<String> lines = log.newestLines();
      assertThat(lines).hasSize(2);
      assertThat(new JsonObject(lines.get(0)).getString("message")).isEqualTo("a line");
      assertThat(new JsonObject(lines.get(1)).getLong("rows")).isEqualTo(12);
    }
  }

  @Test
  void aConfigurationWithoutTheAppenderForJsonIsNamed() {
    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> ServerLog.start(LogFormat.JSON, ownContext()))
        .withMessage(
            "log.format = json: the configuration of Logback lacks the appender \"text\" of the root"
                + " or \"json\" of the logger hourglass.query.SlowQueries; want both, or log.format = text");
  }

  @Test
  void linesAreUtf8WhateverTheLocale() {
    ch.qos.logback.classic.Logger root =
        (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    ch.qos.logback.classic.Logger slow =
        (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(SlowQueries.LOG);
    assertThat(Stream.of(root.getAppender("text"), slow.getAppender("json")))
        .extracting(appender -> ((OutputStreamAppender<?>) appender).getEncoder())
        .extracting(encoder -> ((LayoutWrappingEncoder<?>) encoder).getCharset())
        .containsExactly(StandardCharsets.UTF_8, StandardCharsets.UTF_8);
  }
}
