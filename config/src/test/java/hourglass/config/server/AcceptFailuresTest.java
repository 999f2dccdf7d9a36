package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AcceptFailuresTest {
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 7);
  private final AcceptFailures failures = new AcceptFailures(meters, nanos::get);

  @BeforeEach
  void listen() {
    log.start();
    root.addAppender(log);
  }

  @AfterEach
  void stop() {
    root.detachAppender(log);
  }

  /** Other tests of this JVM may log as well. */
  private List<String> lines() {
    return List.copyOf(log.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains("accept") || line.contains("pipeline"))
        .toList();
  }

  private double failed() {
    return meters.get("hourglass.accepts.failed").counter().count();
  }

  @Test
  void failuresAreLoggedOnceAMinuteWithTheirCount() {
    for (int i = 0; i < 100; i++) {
      failures.add(new IOException("Too many open files"));
      nanos.addAndGet(Duration.ofMillis(599).toNanos());
    }
    assertThat(lines()).hasSize(1);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    failures.add(new IOException("Too many open files"));
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0)).contains("cannot accept connections, 1 attempts failed");
    assertThat(lines().get(1))
        .contains("100 attempts failed", "Too many open files", "raise the limit of open files");
    assertThat(failed()).isEqualTo(101);
  }

  @Test
  void failuresOfAServerSocketAreReportedOnce() throws Exception {
    var loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Channel server =
        new AcceptingTransport(failures).implementation().serverChannelFactory(false).newChannel();
    try {
      loops.register(server).sync();
      server.pipeline().fireExceptionCaught(new IOException("Too many open files"));
      await().until(() -> !lines().isEmpty()); // the line follows the count
      assertThat(lines()).hasSize(1);
      assertThat(failed()).isEqualTo(1);
    } finally {
      server.close().sync();
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }
}
