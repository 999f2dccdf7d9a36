package hourglass.config.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConnectionsTest {
  private static final int NO_TASK = -1;

  private final HttpConnections connections =
      new HttpConnections(1, RequestMemory.of(1 << 20), 8 << 10, Duration.ofMinutes(1));

  /** A connection with the handlers of HTTP/1 that Vert.x adds. */
  private static EmbeddedChannel channel() {
    return new EmbeddedChannel(new HttpRequestDecoder(), new HttpResponseEncoder());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PRI *", "GET / HTTP/1.1\r\nHo", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"})
  void aClosedConnectionLeavesNoTimer(String sent) {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    channel.writeInbound(Unpooled.copiedBuffer(sent, ISO_8859_1));
    assertThat(channel.runScheduledPendingTasks()).isPositive();

    channel.pipeline().close(); // as Netty does; the channel itself would end all timers
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TASK);
    channel.releaseInbound();
  }

  @Test
  void aConnectionThatIsAlreadyClosedTakesNoPlace() {
    EmbeddedChannel closed = channel();
    closed.close();
    connections.add(closed);
    EmbeddedChannel next = channel();
    connections.add(next);
    next.runPendingTasks();
    assertThat(next.isOpen()).isTrue();
    next.finishAndReleaseAll();
  }

  @Test
  void aConnectionAfterTheStopIsClosed() {
    connections.stop();
    EmbeddedChannel late = channel();
    connections.add(late);
    late.runPendingTasks();
    assertThat(late.isOpen()).isFalse();
  }
}
